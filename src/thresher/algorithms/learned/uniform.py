"""Uniform lists, tables and code, which are kept as a whole when most of their parts are.

A choice of blocks by their words leaves holes: the two short items of a list of six, the cells of a
column of numbers. If every item is a line, or every row has the same columns, the parts are of one
kind, and what holds of most holds of all: so the few items kept of a list are dropped. Code is kept
as a whole if any of its lines is. Lists of links between kept blocks are kept if a sentence
announces them with a colon, and description lists if they directly follow a kept one, as manuals
give parameters, results and remarks a list each.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.landmarks import Landmarks
from thresher.features import Features
from thresher.features.container_chain import ContainerChain
from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import CODE_OF, flags_of

__all__ = [
    "complete_uniform",
    "find_announced_lists",
    "find_following_descriptions",
    "find_strays",
]

IntArray = npt.NDArray[np.integer]

_DL, _LI, _PRE, _TABLE = (CODE_OF[name] for name in ("dl", "li", "pre", "table"))
_LISTS: Final = flags_of("ol ul")
_CELLS: Final = flags_of("td th")
_WHOLES: Final = flags_of("ol pre table ul")
# Added, each alone, to what was kept before on every second labelled page with the weights of its
# fold (2026-11-23, a script outside the repository), change of word F1 in points: lists wcxb_dev,
# newspaper4k_424, fundus_tests and magic_html within .001, dragnet +.005; tables wcxb_dev -.002;
# announced lists wcxb_dev +.004. All others 0.
# Whole code and descriptions after others, with the shipped weights on all labelled corpora
# (2026-11-24, a script outside the repository): magic_html -.013, all others within .006.
# Items of lists of which most is dropped, with the shipped weights on every third page (2026-11-25,
# as above): magic_html +.030, fundus_tests +.017, dragnet +.010, wcxb_dev +.009; others +.001.
_MIN_ITEMS: Final = 3
_MIN_ROWS: Final = 3
_MIN_CELLS: Final = 6
_MAX_BLOCKS_ITEM: Final = 2.0
"""Blocks of an item, on average: more are posts or teasers."""
_MAX_BLOCKS_CELL: Final = 1.3
_MIN_KEPT: Final = 0.5
"""Share of the items or cells that must be kept."""
_MIN_LIKELY: Final = 0.5
"""Mean probability per word from which a list of other things than links is kept as a whole."""
_MIN_KEPT_LINKS: Final = 0.66
"""The same for lists of links."""
_MAX_LINKS: Final = 0.3
"""Link density from which a list is one of links."""
_MAX_TABLE_LINKS: Final = 0.5
_MIN_REGULAR: Final = 0.8
"""Share of a table's rows that must have the most frequent number of cells."""
_MIN_ANNOUNCING_WORDS: Final = 4
"""Words of a sentence that announces a list; "More:" announces other articles."""
_COLONS: Final = (":", "：")


class _Sums(NamedTuple):
    """Sums over the blocks before each; int64[n_block + 1] each."""

    kept: IntArray
    words: IntArray
    links: IntArray


def complete_uniform(
    page: Page,
    features: Features,
    landmarks: Landmarks,
    keep: BoolArray,
    probability: npt.NDArray[np.float64],
) -> BoolArray:
    """Flag the dropped blocks of uniform lists, tables and code mostly kept; bool[n_block]."""
    found = np.zeros(keep.size, np.bool_)
    chain = features.chain
    kept = sum_before(keep)
    rows = landmarks.row[landmarks.are_partly_kept(kept) & _WHOLES.take(landmarks.tag)]
    if not rows.size:
        return found
    words = features.words
    sums = _Sums(kept, sum_before(words), sum_before(landmarks.link_words))
    likely = np.concatenate(([0.0], np.cumsum(words * probability)))
    for row in rows.tolist():
        if page.tag[row] == _PRE:
            is_whole = True
        elif page.tag[row] == _TABLE:
            is_whole = _completes_table(page, row, chain, sums)
        else:
            is_whole = _completes_list(page, row, chain, sums, likely)
        if is_whole:
            found[chain.row_first[row] : chain.row_stop[row]] = True
    return found & ~keep


def find_announced_lists(
    page: Page, features: Features, landmarks: Landmarks, keep: BoolArray
) -> BoolArray:
    """Flag dropped lists between kept blocks of which the first ends in a colon; bool[n_block]."""
    found = np.zeros(keep.size, np.bool_)
    # Most lists are beside dropped blocks.
    beside = landmarks.follow_kept(keep) & _LISTS.take(landmarks.tag)
    beside &= keep.take(landmarks.stop, mode="clip") & (landmarks.stop < keep.size)
    container = features.chain.container[0]
    spans = zip(landmarks.first[beside].tolist(), landmarks.stop[beside].tolist(), strict=True)
    for start, end in spans:
        before = start - 1
        if keep[start:end].any() or container[before] != container[end]:
            continue
        text = page.leaf_text(int(page.blocks.start[start]) - 1).rstrip()
        if features.words[before] >= _MIN_ANNOUNCING_WORDS and text.endswith(_COLONS):
            found[start:end] = True
    return found


def find_following_descriptions(page: Page, landmarks: Landmarks, keep: BoolArray) -> BoolArray:
    """Flag dropped description lists directly after a kept one beside them; bool[n_block]."""
    found = np.zeros(keep.size, np.bool_)
    lists = (landmarks.tag == _DL).nonzero()[0]
    if lists.size < 2:
        return found
    ends: set[tuple[int, int]] = set()  # parent, and the block after the list
    for place in lists.tolist():
        start, stop = int(landmarks.first[place]), int(landmarks.stop[place])
        parent = int(page.parent[landmarks.row[place]])
        if not keep[start:stop].any() and (parent, start) in ends:
            links = landmarks.link_words[start:stop].sum()
            words = page.subtree_words[landmarks.row[place]]
            found[start:stop] = links <= _MAX_LINKS * words
        if keep[stop - 1] or found[stop - 1]:
            ends.add((parent, stop))
    return found


def find_strays(page: Page, features: Features, landmarks: Landmarks, keep: BoolArray) -> BoolArray:
    """Flag the kept blocks of uniform lists of which most is dropped; bool[n_block]."""
    found = np.zeros(keep.size, np.bool_)
    kept = sum_before(keep)
    rows = landmarks.row[landmarks.are_partly_kept(kept) & _LISTS.take(landmarks.tag)]
    if not rows.size:
        return found
    sums = _Sums(kept, sum_before(features.words), sum_before(landmarks.link_words))
    for row in rows.tolist():
        items = _read_items(page, row, features.chain, sums)
        if items and items.n_kept < _MIN_KEPT * items.n_item:
            found[features.chain.row_first[row] : features.chain.row_stop[row]] = True
    return found & keep


class _ItemCounts(NamedTuple):
    """The items of a uniform list that have words."""

    n_item: int
    n_kept: int
    """Items of which a block is kept."""
    is_linked: bool
    """Whether it is a list of links."""


def _read_items(page: Page, row: int, chain: ContainerChain, sums: _Sums) -> _ItemCounts | None:
    """Count the items of a list; None if it is not uniform."""
    kept, words, links = sums
    inside = slice(row + 1, int(page.end[row]))
    items = np.flatnonzero((page.parent[inside] == row) & (page.tag[inside] == _LI)) + row + 1
    first, stop = chain.row_first[items], chain.row_stop[items]
    filled = words[stop] > words[first]
    first, stop = first[filled], stop[filled]
    if first.size < _MIN_ITEMS or (stop - first).sum() > _MAX_BLOCKS_ITEM * first.size:
        return None
    n_word, n_link = (words[stop] - words[first]).sum(), (links[stop] - links[first]).sum()
    n_kept = int(np.count_nonzero(kept[stop] > kept[first]))
    return _ItemCounts(first.size, n_kept, bool(n_link > _MAX_LINKS * n_word))


def _completes_list(
    page: Page,
    row: int,
    chain: ContainerChain,
    sums: _Sums,
    likely: npt.NDArray[np.float64],
) -> bool:
    """Return whether a list that is kept in part is uniform, and mostly kept or likely.

    ``likely`` is the sum of the probable words before each block; float64[n_block + 1].
    """
    items = _read_items(page, row, chain, sums)
    if items is None:
        return False
    if items.is_linked:
        return items.n_kept >= _MIN_KEPT_LINKS * items.n_item
    start, end = chain.row_first[row], chain.row_stop[row]
    words = sums.words[end] - sums.words[start]
    is_likely = likely[end] - likely[start] >= _MIN_LIKELY * words
    return bool(is_likely) or items.n_kept >= _MIN_KEPT * items.n_item


def _completes_table(page: Page, row: int, chain: ContainerChain, sums: _Sums) -> bool:
    """Return whether a table that is kept in part is uniform and mostly kept."""
    kept, words, links = sums
    start, end = chain.row_first[row], chain.row_stop[row]
    if links[end] - links[start] > _MAX_TABLE_LINKS * (words[end] - words[start]):
        return False
    inside = page.tag[row + 1 : page.end[row]]
    cells = np.flatnonzero(_CELLS[inside]) + row + 1
    if (inside == _TABLE).any() or cells.size < _MIN_CELLS or not _is_regular(page, cells):
        return False
    first, stop = chain.row_first[cells], chain.row_stop[cells]
    filled, some = words[stop] > words[first], kept[stop] > kept[first]
    if not filled.any():
        return False
    is_lean = (stop - first).mean() <= _MAX_BLOCKS_CELL
    return bool(is_lean and some[filled].mean() >= _MIN_KEPT)


def _is_regular(page: Page, cells: IntArray) -> bool:
    """Return whether most rows of a table have the same number of cells, at least two."""
    n_cell = np.unique(page.parent[cells], return_counts=True)[1]
    common = int(np.bincount(n_cell).argmax())
    regular = np.count_nonzero(n_cell == common) >= _MIN_REGULAR * n_cell.size
    return common > 1 and n_cell.size >= _MIN_ROWS and bool(regular)
