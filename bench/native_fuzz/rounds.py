"""One round: kernels compared with their definitions on a page, then steps with any arguments."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Final

from bench.native_fuzz.altered import repeat_altered
from bench.native_fuzz.arguments import Draw, draw_arguments
from bench.native_fuzz.drawing import draw_page
from tests.helpers.compiled_steps import compiled_steps
from tests.helpers.kernel_comparison import compare_page, compare_writing
from thresher.native.table import read_steps

__all__ = ["play_round"]

_WRITTEN: Final = 0.1
"""Share of the pages whose content is extracted too, which takes longer than all else."""
_N_DRAWN: Final = 40
"""Calls of steps with drawn arguments."""


def play_round(chance: random.Random) -> None:
    """Compare kernels on one page, and call steps with altered and with drawn arguments."""
    html = draw_page(chance)
    compare_page(html)
    if chance.random() < _WRITTEN:
        compare_writing(html, chance.choice(("learned", "keep_all")))
    if chance.random() < _WRITTEN:
        repeat_altered(chance, html)
    for step in chance.choices(read_steps(), k=_N_DRAWN):
        arguments = draw_arguments(chance, step, chance.choice(tuple(Draw)))
        with suppress(ValueError, BufferError):
            getattr(compiled_steps(), step.name)(*arguments)
