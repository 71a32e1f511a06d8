"""Pictures that a page shows again directly behind the first: for print, or larger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from thresher.analysis.metadata.normalise import key_of
from thresher.analysis.pictures import read_stem
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import HEADINGS, flags_of

_CELLS: Final = flags_of("td th")
_MAX_WORDS_BETWEEN: Final = 200
"""Words between a picture and its copy: a caption, a summary."""


def find_repeats(page: Page, keep: BoolArray, urls: Mapping[int, str]) -> BoolArray:
    """Flag the kept leaves that show a picture, or say its caption, again; bool[n_leaf].

    ``urls`` has the address of each picture by its row, in order. A copy stands alone directly
    behind the picture, or has the same caption; in tables pictures are signs.
    """
    flags = np.zeros(keep.size, np.bool_)
    stems = [read_stem(url) for url in urls.values()]
    copies = [index for index in range(1, len(stems)) if stems[index] == stems[index - 1]]
    if not copies:
        return flags
    places = [*page.leaf_offset.take(list(urls)).tolist(), keep.size]
    in_cell = page.within(_CELLS[page.tag])[page.leaves]
    words = sum_before(page.leaf_words * keep)
    for index in watch(copies):
        first, place, stop = places[index - 1 : index + 2]
        between = first + keep[first:place].nonzero()[0]
        if in_cell[place] or words[place] - words[first] > _MAX_WORDS_BETWEEN:
            continue
        said = key_of(" ".join(page.leaf_texts(between)))
        end = _find_end(page, keep, said, place, stop)
        block = int(page.blocks.of_leaf[place])
        is_alone = not page.leaf_words[
            page.blocks.start[block] : page.blocks.start[block + 1]
        ].any()
        if end > place or (is_alone and not said):
            flags[place : max(end, place + 1)] = True
    return flags & keep


def _find_end(page: Page, keep: BoolArray, said: str, first: int, stop: int) -> int:
    """Return the leaf behind the last block from a picture on whose kept words were said before."""
    end = first
    for block in range(int(page.blocks.of_leaf[first]), len(page.blocks)):
        start = max(int(page.blocks.start[block]), first)
        last = int(page.blocks.start[block + 1])
        if last > stop or HEADINGS[page.tag[page.block_row[block]]]:
            break
        text = key_of(" ".join(page.leaf_texts(start + keep[start:last].nonzero()[0])))
        if text and text not in said:
            break
        end = last if text else end
    return end
