"""The link list filter: cells with many links for their words.

The paper's walk is top-down: a cell is measured before its contents are filtered. So every ratio is
that of the original page, and decisions are independent.
"""

from __future__ import annotations

import numpy as np

from thresher.algorithms.crunch.measures import find_links, link_ratios
from thresher.algorithms.crunch.params import Params
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import TEXT

__all__ = ["find_cells", "find_link_lists", "list_contents"]


def find_link_lists(page: Page, params: Params) -> BoolArray:
    """Flag the cells whose ratio of links to words is above the limit; bool[n_row]."""
    if not params.remove_link_lists:
        return np.zeros(len(page), np.bool_)
    return find_cells(page, params) & (link_ratios(page, params) > params.max_link_ratio)


def find_cells(page: Page, params: Params) -> BoolArray:
    """Flag the elements to decide on; bool[n_row].

    Today's pages wrap everything in boxes, whereas a page of 2003 was seldom in a single cell. So a
    box counts as a cell only if it contains no other.
    """
    cell, box = page.tagged(params.cell_tags), page.tagged(params.box_tags)
    inner = page.subtree_sums(cell | box) == 1
    cells: BoolArray = cell | (box & inner)
    return cells


def list_contents(page: Page, params: Params) -> BoolArray:
    """Flag the rows to delete inside link lists: links and texts; bool[n_row]."""
    if params.whole_cells:
        return np.ones(len(page), np.bool_)
    contents: BoolArray = (page.tag == TEXT) | page.within(find_links(page))
    return contents
