"""Figures of methods that judge elements: the score and the reason of each block of a page."""

from __future__ import annotations

from itertools import groupby
from math import copysign, sqrt

from tests.docs.figures.canvas import WIDTH, Canvas, shorten
from thresher import Block, Document

_ROW = 33.0
"""Height of a row: two lines of text."""
_LEFT, _RIGHT = 250.0, WIDTH - 10.0
"""Where bars may begin and end."""


def draw_scores(document: Document, meaning: str) -> str:
    """Draw a bar for each score, to the right where it speaks for content.

    Consecutive blocks with one score and one reason share a bar. Bars grow with the square root, so
    that small scores can be told from 0 beside large ones.
    """
    canvas = Canvas(f"{document.selection.method}: score and reason of the blocks of a page")
    groups = [list(group) for _, group in groupby(document.blocks, key=_judge)]
    lengths = [copysign(sqrt(abs(group[0].score)), group[0].score) for group in groups]
    low, high = min(0.0, *lengths), max(0.0, *lengths)
    zero = _LEFT - low / (high - low) * (_RIGHT - _LEFT)
    canvas.text(6, 15, "blocks, and why they are kept or dropped", "muted")
    canvas.text(_RIGHT, 15, "score", "muted end")
    y = 22.0
    for group, length in zip(groups, lengths, strict=True):
        first, last = group[0], group[-1]
        canvas.path(f"M6 {y}H{WIDTH - 6}", "rule")
        numbers = f"{first.index}" if first is last else f"{first.index}–{last.index}"
        canvas.text(6, y + 14, numbers, "muted")
        canvas.text(
            48,
            y + 14,
            shorten(f"<{first.tag}> {first.text or 'a picture'}", 33),
            "title" if first.kept else "",
        )
        canvas.text(48, y + 28, shorten(first.reason, 36), "muted")
        end = zero + length / (high - low) * (_RIGHT - _LEFT)
        canvas.box(
            min(zero, end), y + 19, max(abs(end - zero), 1), 9, "in" if first.kept else "out"
        )
        canvas.path(f"M{zero:.1f} {y + 16}V{y + 31}", "limit")
        canvas.text(_RIGHT, y + 14, _format(first.score), "muted end")
        y += _ROW
    canvas.text(6, y + 15, f"score: {meaning}", "muted")
    canvas.text(6, y + 30, "filled: kept · outlined: dropped · red: 0", "muted")
    return canvas.finish(y + 38)


def _judge(block: Block) -> tuple[bool, float, str]:
    return block.kept, round(block.score, 3), block.reason


def _format(score: float) -> str:
    return f"{round(score, 2) + 0:g}".replace("-", "−")
