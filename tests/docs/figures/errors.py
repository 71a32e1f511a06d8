"""The last chart of the article of 2007, with the errors of the networks that are shipped."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tests.docs.figures.canvas import WIDTH, Canvas

_ROW: Final = re.compile(
    r"^\| (density > 0\.5|perceptron|mlp) \| (\d) \| (\d) \| ([0-9.]+) \|", re.MULTILINE
)
"""A row of the card's scores: kind, lines, attributes, errors."""
_LEFT, _RIGHT = 62.0, WIDTH - 44.0


def draw_errors(card: Path) -> str:
    """Draw the share of lines that each network decides wrongly, and the fixed threshold."""
    canvas = Canvas("density_lines: errors of perceptrons with 1 to 3 lines and attributes")
    rows = _ROW.findall(card.read_text(encoding="utf-8"))
    errors = {(kind, int(lines), int(kinds)): float(share) for kind, lines, kinds, share in rows}
    fixed = errors.pop(("density > 0.5", 1, 1))
    top = max(fixed, *errors.values())

    def x(share: float) -> float:
        return _LEFT + share / top * (_RIGHT - _LEFT)

    canvas.text(6, 15, "share of lines that are decided wrongly", "muted")
    y = 24.0
    for lines, kinds in sorted({key[1:] for key in errors}):
        canvas.text(6, y + 15, f"{lines}L, {kinds}A")
        for place, (kind, style) in enumerate((("perceptron", "in"), ("mlp", "out"))):
            share = errors[kind, lines, kinds]
            canvas.box(_LEFT, y + 1 + 11 * place, x(share) - _LEFT, 8, style)
            canvas.text(WIDTH - 6, y + 9 + 11 * place, f"{share:.3f}", "muted end")
        y += 27
    canvas.path(f"M{x(fixed):.1f} 22V{y}", "limit", "4 3")
    canvas.text(6, y + 14, "L: lines seen · A: attributes of each line", "muted")
    canvas.text(6, y + 29, "filled: one neuron · outlined: with eight hidden ones", "muted")
    canvas.text(6, y + 44, f"red: density above 0.5, without a network: {fixed:.3f}", "muted")
    return canvas.finish(y + 52)
