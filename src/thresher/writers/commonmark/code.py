"""Blocks of code in Markdown (CommonMark 0.31.2, 4.5): a fence, the lines, a fence."""

from __future__ import annotations

import re
from typing import Final

from thresher.writers.stream.events import Preformatted

__all__ = ["format_code"]

_BACKTICKS: Final = re.compile("`+")
_MIN_FENCE: Final = 3


def format_code(code: Preformatted, mark: str = "") -> list[str]:
    """Return the lines of a block of code; ``mark`` stands for starts of runs."""
    text = code.text.removesuffix("\n")
    runs = _BACKTICKS.findall(text)
    fence = "`" * max(_MIN_FENCE, max(map(len, runs), default=0) + 1)
    lines = [f"{mark * code.n_run}{fence}{code.language}", *text.split("\n"), fence]
    if not text:
        del lines[1]
    return lines
