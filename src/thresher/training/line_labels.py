"""Labels of a page's lines as content or not, by the page's gold text."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.classics.density_lines import measure_lines
from thresher.evaluation.alignment import match_words
from thresher.page import Page
from thresher.page.blocks import join_leaves

__all__ = ["label_lines", "split_words"]

_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
"""A word, or a letter in scripts written without spaces."""
_MIN_SHARE: Final = 0.5
"""Share of a line's words that must be in the gold."""
_MAX_CELLS: Final = 10**9
"""Words of a page × words of its gold; alignment takes an eighth of that in bytes."""


def label_lines(page: Page, gold: str) -> npt.NDArray[np.bool_] | None:
    """Flag the lines with text that are in the gold; bool[n].

    None if page and gold are too long to align.
    """
    words: list[str] = []
    stops = [0]
    for line in measure_lines(page).line.tolist():
        leaves = np.arange(*page.lines.start[line : line + 2])
        texts = [page.leaf_text(leaf) for leaf in leaves.tolist()]
        words += split_words(join_leaves(texts, page.gaps[leaves]))
        stops.append(len(words))
    gold_words = split_words(gold)
    if len(words) * len(gold_words) > _MAX_CELLS:
        return None
    place = match_words(words, gold_words)
    # A single word may be in the gold by chance, a word next to another match hardly.
    follows = (np.diff(place) == 1) & (place[1:] > 0)
    in_run = np.zeros(place.size + 1, np.bool_)
    in_run[1:-1] = follows
    found = np.append(0, np.cumsum(in_run[:-1] | in_run[1:]))[stops]
    is_content: npt.NDArray[np.bool_] = np.diff(found) >= np.maximum(_MIN_SHARE * np.diff(stops), 1)
    return is_content


def split_words(text: str) -> list[str]:
    """Split a text into case-folded words."""
    return _WORD.findall(text.casefold())
