"""The page on the labelling desk, drawn as in a browser; computed in a worker process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from thresher.app.annotated import BlockStyle, annotate, window_of
from thresher.deadline import deadline
from thresher.extraction import read_page
from thresher.limits import Limits

__all__ = ["DrawnPage", "draw_page"]

_PLAIN: Final = BlockStyle("", "")
"""Marks are put on the blocks in the browser, where they change."""


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A stretch of a page."""

    markup: str
    start: int
    """First block drawn."""
    stop: int
    n_block: int
    """Blocks of the whole page."""


def draw_page(html: str, url: str | None, block: int, limits: Limits) -> DrawnPage:
    """Draw the blocks of a page around one of them; raises the errors of `thresher.extract`."""
    with deadline(limits.deadline_s):
        page = read_page(html, url=url, max_bytes=limits.max_bytes, max_nodes=limits.max_nodes)
        n_block = len(page.blocks)
        start, stop = window_of(n_block, block)
        keep = np.ones(page.leaves.size, np.bool_)
        return DrawnPage(
            annotate(page, keep, [_PLAIN] * (stop - start), start), start, stop, n_block
        )
