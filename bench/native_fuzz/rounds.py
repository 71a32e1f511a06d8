"""One round: a page whose steps are compared with their twins, then broken."""

from __future__ import annotations

import random
from typing import Final

from bench.native_fuzz.drawing import break_bytes, draw_page
from bench.native_fuzz.trying import STEPS, try_extraction
from tests.helpers.compiled_comparison import compare, compare_selections
from thresher.native import compiled
from thresher.page.parse import parse

__all__ = ["play_round"]

_SELECTED: Final = 0.1
"""Share of the pages that the default method selects from too, which takes longer than all else."""


def play_round(chance: random.Random) -> None:
    """Compare the steps on one page with their twins, and break it."""
    assert compiled is not None
    page = parse(draw_page(chance))
    compare(page)
    if chance.random() < _SELECTED:
        compare_selections(page)
    broken = break_bytes(chance, page.buffer)
    for step in STEPS:
        step(chance, broken, compiled)
    if chance.random() < _SELECTED:
        try_extraction(chance, page, compiled)
