"""The page as a whole; the same for all its blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from thresher.features.base import Counts, Log, Matrix, Share, list_features, log2p1
from thresher.tags import CODE_OF

__all__ = ["FEATURES", "measure"]

_LOGS: Final[Mapping[str, Log]] = {
    "words": Log("words", "words, log"),
    "blocks": Log("blocks", "blocks, log"),
    "prose_words": Log("prose_words", "words in prose, log"),
    "images": Log("images", "images, log"),
    "controls": Log("controls", "form controls, log"),
}
_SHARES: Final[Mapping[str, Share]] = {
    "link_density": Share("link_words", "words", "share of words inside links"),
    "prose": Share("prose_words", "words", "share of words in prose"),
    "prose_block": Share("prose_words", "prose_blocks", "words of a prose block"),
    "link_blocks": Share("link_blocks", "blocks", "share of blocks that are mostly links"),
    "paragraphs": Share("paragraph_words", "words", "share of words in paragraphs (p)"),
    "headings": Share("headings", "blocks", "share of blocks that are headings"),
    "items": Share("items", "blocks", "share of blocks that are list items"),
    "terminators": Share("terminators", "words", "marks that end a sentence, a word"),
    "digits": Share("digits", "chars", "share of characters that are digits"),
    "hidden": Share("hidden_words", "words", "share of words hidden"),
}
_ELEMENTS: Final = ("article", "time", "h1", "table", "form", "iframe", "script")
_ROWS: Final = {
    "rows": "rows of the table, log",
    **{f"{name}_elements": f"{name} elements, log" for name in _ELEMENTS},
}
FEATURES: Final = list_features("page", "page_", (_LOGS, _SHARES, _ROWS))


def measure(counts: Counts) -> Matrix:
    """Return the features of this group; float32[n_feature, n_block]."""
    page = counts.page
    of_tag = np.bincount(page.tag, minlength=len(CODE_OF) + 2)
    rows = np.append(len(page), of_tag[[CODE_OF[name] for name in _ELEMENTS]])
    whole = np.concatenate((counts.tabulate(counts.sums[:, -1], _LOGS, _SHARES), log2p1(rows)))
    return np.repeat(whole[:, None], counts.values.shape[1], axis=1)
