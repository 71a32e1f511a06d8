"""Keep everything: the baseline.

Source: the baseline of Arias, Deschacht and Moens 2009 (tables 2 and 3), all text of a page.
Decides on: nothing. Score: 1 for every block. Parameters: none. Cost: constant.
Departures: none. Known failures: navigation, advertisements and all other boilerplate stay.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.page import Page
from thresher.selection import Selection


@dataclass(frozen=True, slots=True)
class Params:
    """No parameters."""


def select(page: Page, params: Params) -> Selection:
    """Keep every leaf."""
    n_block = len(page.blocks)
    return Selection(
        page,
        "keep_all",
        keep=np.ones(page.leaves.size, np.bool_),
        score=np.ones(n_block, np.float32),
        reason_code=np.zeros(n_block, np.int16),
        reasons=("every block is kept",),
    )
