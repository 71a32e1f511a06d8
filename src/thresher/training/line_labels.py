"""Which lines of a page are content, by the page's gold text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.density_lines import measure_lines
from thresher.blocks import join_leaves
from thresher.page import Page

__all__ = ["label_lines", "match_words", "split_words"]

_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
"""A word; in scripts written without spaces, a letter."""
_MIN_SHARE: Final = 0.5
"""Share of a line's words that must be in the gold."""
_MAX_CELLS: Final = 10**9
"""Words of a page × words of its gold: aligning takes an eighth of that in bytes."""


def label_lines(page: Page, gold: str) -> npt.NDArray[np.bool_] | None:
    """Say for each line with text whether the gold has it; bool[n].

    None where page and gold are too long to be aligned.
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
    # A word alone may be in the gold by chance; one next to another match hardly.
    follows = (np.diff(place) == 1) & (place[1:] > 0)
    in_run = np.zeros(place.size + 1, np.bool_)
    in_run[1:-1] = follows
    found = np.append(0, np.cumsum(in_run[:-1] | in_run[1:]))[stops]
    is_content: npt.NDArray[np.bool_] = np.diff(found) >= np.maximum(_MIN_SHARE * np.diff(stops), 1)
    return is_content


def split_words(text: str) -> list[str]:
    """Split a text into words, letter case ignored."""
    return _WORD.findall(text.casefold())


def match_words(words: Sequence[str], gold: Sequence[str]) -> npt.NDArray[np.int64]:
    """Align words with the gold by a longest common subsequence: place in the gold, or −1.

    Bit-parallel (Hyyrö 2004): a row holds a bit a word, and each word of the gold updates a whole
    row. O(words · gold / 64) time, and as many bytes · 8.
    """
    place = np.full(len(words), -1, np.int64)
    known = set(gold)
    index = [i for i, word in enumerate(words) if word in known]
    at: dict[str, int] = {}
    for bit, i in enumerate(index):
        at[words[i]] = at.get(words[i], 0) | 1 << bit
    full = (1 << len(index)) - 1
    rows = [full]
    for word in gold:
        row = rows[-1]
        hit = row & at.get(word, 0)
        rows.append(((row + hit) | (row - hit)) & full)

    # A bit is 0 where its word makes the subsequence longer. Walking back, equal words match.
    bit, step = len(index) - 1, len(gold)
    while bit >= 0 and step > 0:
        if words[index[bit]] == gold[step - 1]:
            place[index[bit]] = step - 1
            bit -= 1
            step -= 1
        elif rows[step] >> bit & 1:
            bit -= 1
        else:
            step -= 1
    return place
