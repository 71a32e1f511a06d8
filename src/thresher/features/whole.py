"""Features of the whole page, equal for all its blocks."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.features.base import CountFormulas, Counts, Log, Operands, Share, list_features
from thresher.page.tags import CODE_OF, NAMES

_LOGS: Final = {
    "words": Log("words", "words, log"),
    "blocks": Log("blocks", "blocks, log"),
    "prose_words": Log("prose_words", "words in prose, log"),
    "images": Log("images", "images, log"),
    "controls": Log("controls", "form controls, log"),
}
_SHARES: Final = {
    "link_density": Share("link_words", "words", "share of words inside links"),
    "prose": Share("prose_words", "words", "share of words in prose"),
    "prose_block": Share("prose_words", "prose_blocks", "words per prose block"),
    "link_blocks": Share("link_blocks", "blocks", "share of blocks that are mostly links"),
    "paragraphs": Share("paragraph_words", "words", "share of words in paragraphs (p)"),
    "headings": Share("headings", "blocks", "share of blocks that are headings"),
    "items": Share("items", "blocks", "share of blocks that are list items"),
    "terminators": Share("terminators", "words", "sentence-ending marks per word"),
    "digits": Share("digits", "chars", "share of characters that are digits"),
    "hidden": Share("hidden_words", "words", "share of words hidden"),
}
_ELEMENTS: Final = ("article", "time", "h1", "table", "form", "iframe", "script")
CODES: Final = [CODE_OF[name] for name in _ELEMENTS]
_ROWS: Final = {
    "rows": "rows of the table, log",
    **{f"{name}_elements": f"{name} elements, log" for name in _ELEMENTS},
}
FORMULAS: Final = CountFormulas(_LOGS, _SHARES)
FEATURES: Final = (
    *list_features("page", "page_", "log", _LOGS),
    *list_features("page", "page_", "share", _SHARES),
    *list_features("page", "page_", "log", _ROWS),
)


def measure(counts: Counts) -> Operands:
    """Return the operands of this group's features."""
    page = counts.page
    logs, parts, wholes = counts.of_page(FORMULAS)
    of_tag = np.bincount(page.tag, minlength=len(NAMES))
    rows = np.append(len(page), of_tag.take(CODES))
    whole = counts.everywhere(np.concatenate((logs, rows, parts, wholes)))
    n_log, n_share = len(_LOGS) + len(_ROWS), len(_SHARES)
    return Operands([whole[:n_log]], [whole[n_log : n_log + n_share]], [whole[n_log + n_share :]])
