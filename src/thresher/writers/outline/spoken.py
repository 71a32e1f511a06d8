"""Words for screen readers beside the same words for everyone else.

"15 <i class=sr-only>minutes</i> <i aria-hidden=true>minutes</i>" shows "15 minutes", and is read
aloud as that.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.page import Page
from thresher.page.hidden import Hidden
from thresher.page.rows import BoolArray

__all__ = ["find_spoken"]

_SPOKEN: Final = rb"screen-?reader|sr-only|visually-?hidden"
"""Class names of words that only screen readers read: Bootstrap, WordPress, Tailwind."""
_ARIA: Final = np.uint8(Hidden.ARIA)
_REACH: Final = 2
"""Leaves before and after that are compared: white space may lie between."""


def find_spoken(page: Page, keep: BoolArray) -> list[int]:
    """Find the kept leaves for screen readers next to one that is hidden from them, and the same.

    ``keep`` is bool[n_leaf].
    """
    unspoken = keep & (page.leaf_words > 0)
    unspoken &= (page.hidden.take(page.leaves) & _ARIA) > 0
    if not unspoken.any():
        return []
    beside = unspoken.copy()
    for shift in range(1, _REACH + 1):
        beside[shift:] |= unspoken[:-shift]
        beside[:-shift] |= unspoken[shift:]
    leaves = (keep & beside & (page.leaf_words > 0)).nonzero()[0]
    around = page.parent.take(page.leaves.take(leaves))
    rows = np.zeros(len(page), np.bool_)
    rows[around] = True
    found = page.attributes
    spoken = set(found.row.take(found.matching("class", _SPOKEN, of=rows)).tolist())
    pairs = zip(leaves.tolist(), around.tolist(), strict=True)
    return [leaf for leaf, row in pairs if row in spoken and _has_twin(page, leaf, unspoken)]


def _has_twin(page: Page, leaf: int, unspoken: BoolArray) -> bool:
    """Return whether one of some leaves, bool[n_leaf], beside a leaf has the same words."""
    block = page.blocks.of_leaf[leaf]
    first = max(leaf - _REACH, int(page.blocks.start[block]))
    last = min(leaf + _REACH + 1, int(page.blocks.start[block + 1]))
    near = first + unspoken[first:last].nonzero()[0]
    words = page.leaf_text(leaf).split()
    return any(page.leaf_text(each).split() == words for each in near.tolist() if each != leaf)
