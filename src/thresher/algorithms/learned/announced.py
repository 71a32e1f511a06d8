"""Lists that a sentence announces with a colon: they belong to the text on both sides."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.features import Features
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of

__all__ = ["find_announced_lists"]

_LISTS: Final = flags_of("ol ul")
_MIN_ANNOUNCING_WORDS: Final = 4
"""Words of a sentence that announces a list; "More:" announces other articles."""
_COLONS: Final = (":", "：")


def find_announced_lists(page: Page, features: Features, keep: BoolArray) -> BoolArray:
    """Flag dropped lists between kept blocks of which the first ends in a colon; bool[n_block]."""
    found = np.zeros(keep.size, np.bool_)
    rows = page.rows_of(_LISTS)
    first = features.chain.row_first.take(rows)
    stop = features.chain.row_stop.take(rows)
    # Most lists are beside dropped blocks.
    beside = (stop > first) & (first > 0) & (stop < keep.size)
    beside &= keep.take(first - 1) & keep.take(stop, mode="clip")
    container = features.chain.container[0]
    for start, end in zip(first[beside].tolist(), stop[beside].tolist(), strict=True):
        before = start - 1
        if keep[start:end].any() or container[before] != container[end]:
            continue
        text = page.leaf_text(int(page.blocks.start[start]) - 1).rstrip()
        if features.words[before] >= _MIN_ANNOUNCING_WORDS and text.endswith(_COLONS):
            found[start:end] = True
    return found
