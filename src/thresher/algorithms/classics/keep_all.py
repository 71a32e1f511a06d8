"""Keep everything: the baseline of Arias, Deschacht and Moens 2009 (tables 2 and 3)."""

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
    return Selection.of_blocks(
        page,
        "keep_all",
        np.ones(n_block, np.bool_),
        score=np.ones(n_block),
        reason_code=np.zeros(n_block, np.int16),
        reasons=("every block is kept",),
    )
