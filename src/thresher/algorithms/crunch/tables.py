"""The empty table filter: tables in which the other filters left no substance.

This is the paper's only bottom-up walk: a table is judged after its contents are filtered, so inner
tables come before outer ones.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thresher.algorithms.crunch.measures import count_letters
from thresher.algorithms.crunch.params import Params
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF

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
