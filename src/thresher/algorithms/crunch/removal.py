"""The selection of crunch: what no filter removes, and why each block is in or out.

The paper shows a portal, a page of nothing but links, with everything removed, and leaves a
heuristic to future work. Ours: the page as a whole is a link list by the measure for cells, and the
filters leave hardly a sentence outside links.

The empty table filter is the paper's only bottom-up walk: a table is judged after its contents are
filtered, so inner tables come before outer ones.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.crunch.filters import (
    FILTERS,
    apply_filters,
    count_letters,
    find_cells,
    find_links,
    link_ratios,
)
from thresher.algorithms.crunch.params import Params
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF
from thresher.selection import Selection

_TABLE = CODE_OF["table"]


def find_empty_tables(page: Page, params: Params, gone: BoolArray) -> BoolArray:
    """Flag the tables without substance in what is not ``gone``; bool[n_row]."""
    is_table = page.tag == _TABLE
    if not params.remove_empty_tables or not is_table.any():
        return np.zeros(len(page), np.bool_)
    has_tag = page.subtree_sums(page.tagged(params.substance_tags) & ~gone) > 0
    chars = _chars_left(page, params, is_table, has_tag, count_letters(page) * ~gone)
    empty: BoolArray = is_table & ~has_tag & (chars < params.min_table_chars)
    return empty


def _chars_left(
    page: Page,
    params: Params,
    is_table: BoolArray,
    has_tag: BoolArray,
    row_chars: npt.NDArray[np.integer],
) -> npt.NDArray[np.int64]:
    """Return each table's characters without those of empty tables inside it; int64[n_row].

    Tables are visited backwards, so inner ones come before outer ones.
    """
    total = page.subtree_sums(row_chars)
    rows = np.flatnonzero(is_table)
    around = page.nearest(is_table)[page.parent[rows]].tolist()
    lost: dict[int, int] = {}
    for row, outer in zip(rows[::-1].tolist(), around[::-1], strict=True):
        lost_inside = lost.get(row, 0)
        total[row] -= lost_inside
        if not has_tag[row] and total[row] < params.min_table_chars:
            lost_inside += int(total[row])
        lost[outer] = lost.get(outer, 0) + lost_inside
    return total


def is_portal(page: Page, params: Params, gone: npt.NDArray[np.bool_]) -> bool:
    """Return whether a page is a portal, given the rows that filters delete, bool[n_row]."""
    if not params.keep_portals:
        return False
    left = ~gone & ~page.within(find_links(page))
    words = count_letters(page)[left].sum() / params.letters_per_word
    if words >= params.min_content_words:
        return False
    return bool(link_ratios(page, params)[0] > params.max_link_ratio)


_EMPTY_TABLE, _KEPT, _PORTAL = range(len(FILTERS), len(FILTERS) + 3)
_REASONS: Final = (
    *(step.reason for step in FILTERS),
    "a table without substance",
    "no filter removes it",
    "the page is nothing but links: left as it is",
)


def select(page: Page, params: Params) -> Selection:
    """Keep everything that no filter deletes; a page of nothing but links is kept whole."""
    step, taker = apply_filters(page, params)
    emptied = page.within(find_empty_tables(page, params, step >= 0)) & (step < 0)
    gone = (step >= 0) | emptied
    if is_portal(page, params, gone):
        reason = np.full(len(page), _PORTAL)
        gone = np.zeros(len(page), np.bool_)
    else:
        reason = np.where(emptied, _EMPTY_TABLE, np.where(gone, step, _KEPT))

    cell = find_cells(page, params)
    measured = page.nearest(cell)
    measured = np.where((taker >= 0) & cell[taker], taker, measured)
    score = params.max_link_ratio - link_ratios(page, params)[measured]
    return Selection.of_rows(
        page,
        "crunch",
        ~gone,
        score=np.where(measured >= 0, score, params.max_link_ratio),
        reason_code=reason,
        reasons=_REASONS,
    )
