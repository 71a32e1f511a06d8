"""The selection of crunch: what no filter removes, and why each block is in or out."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.algorithms.crunch.filters import FILTERS, apply_filters
from thresher.algorithms.crunch.link_lists import find_cells
from thresher.algorithms.crunch.measures import link_ratios
from thresher.algorithms.crunch.params import Params
from thresher.algorithms.crunch.portals import is_portal
from thresher.algorithms.crunch.tables import find_empty_tables
from thresher.page import Page
from thresher.selection import Selection

__all__ = ["select"]

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
