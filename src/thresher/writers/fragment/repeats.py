"""Pictures that a page shows again directly behind the first: for print, or larger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from thresher.analysis.metadata.normalise import key_of
from thresher.analysis.pictures import MAX_CAPTION_WORDS, read_stem
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import HEADINGS, flags_of

_CELLS: Final = flags_of("td th")
_ENTRIES: Final = flags_of("dd dt li")
"""Elements that begin another entry of a list."""


def find_repeats(page: Page, keep: BoolArray, urls: Mapping[int, str]) -> BoolArray:
    """Flag the kept leaves that show a picture, or say its caption, again; bool[n_leaf].

    ``urls`` has the address of each picture by its row, in order. A copy stands alone directly
    behind the picture, or behind its caption and before the same, in one entry of a list; in
    tables pictures are signs.
    """
    flags = np.zeros(keep.size, np.bool_)
    stems = [read_stem(url) for url in urls.values()]
    copies = [index for index in range(1, len(stems)) if stems[index] == stems[index - 1]]
    if not copies:
        return flags
    rows = [*urls]
    places = [*page.leaf_offset.take(rows).tolist(), keep.size]
    in_cell = page.within(_CELLS[page.tag])
    entries = page.nearest(_ENTRIES[page.tag], np.array(rows))
    words = sum_before(page.leaf_words * keep)
    for index in watch(copies):
        first, place, stop = places[index - 1 : index + 2]
        if in_cell[rows[index]] or words[place] - words[first] > MAX_CAPTION_WORDS:
            continue
        said = key_of(" ".join(page.leaf_texts(first + keep[first:place].nonzero()[0])))
        is_same = entries[index - 1] == entries[index]
        end = _find_end(page, keep, said, place, stop) if is_same else place
        edges = page.blocks.start[page.blocks.of_leaf[place] :][:2]
        is_alone = not page.leaf_words[slice(*edges.tolist())].any()
        if end > place or (is_alone and not said):
            flags[place : max(end, place + 1)] = True
    return flags & keep


def _find_end(page: Page, keep: BoolArray, said: str, first: int, stop: int) -> int:
    """Return the leaf behind the last block from a picture on that says what was said before."""
    end, rest = first, said
    for block in range(int(page.blocks.of_leaf[first]), len(page.blocks)):
        start = max(int(page.blocks.start[block]), first)
        last = int(page.blocks.start[block + 1])
        if last > stop or HEADINGS[page.tag[page.block_row[block]]]:
            break
        text = key_of(" ".join(page.leaf_texts(start + keep[start:last].nonzero()[0])))
        if not rest.startswith(text) or page.leaf_link_words[start:last].any():
            break
        end, rest = (last, rest.removeprefix(text)) if text else (end, rest)
    return end
