"""Graphs of density along a page, after the figures of the papers of 2007 and 2009."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.docs.figures.canvas import WIDTH, Canvas
from thresher import Page
from thresher.algorithms.classics import density_lines, max_density

_LEFT, _RIGHT, _TOP, _HEIGHT = 34.0, WIDTH - 8.0, 26.0, 170.0
_DASHES = {"fixed": "", "average": "8 3", "two_gaussians": "2 3", "equal_posterior": "9 3 2 3"}
"""Threshold of `density_lines` → how its line is dashed."""


def draw_lines(page: Page) -> str:
    """Draw the density of each line of text, and the four thresholds on it."""
    canvas = Canvas("density_lines: share of text in the bytes of each line, and four thresholds")
    lines = density_lines.measure_lines(page)
    limits = {
        rule: density_lines.find_threshold(lines.density, density_lines.Params(threshold=rule))
        for rule in _DASHES
    }
    kept = lines.density > limits["fixed"]
    canvas.text(6, 15, "text bytes / source bytes of each line", "muted")
    _draw_bars(canvas, lines.density.tolist(), kept.tolist(), 1.0)
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        canvas.text(_LEFT - 4, _y(share) + 4, f"{share:g}", "muted end")
    y = _y(0) + 18
    canvas.text(_RIGHT, y, f"{lines.density.size} lines in the order of the page", "muted end")
    for rule, limit in limits.items():
        y += 16
        canvas.path(f"M{_LEFT} {_y(limit):.1f}H{_RIGHT}", "limit", _DASHES[rule])
        canvas.path(f"M6 {y - 4}H{_LEFT}", "limit", _DASHES[rule])
        canvas.text(_LEFT + 6, y, f"{rule.replace('_', ' ')}: {limit:.2f}")
    return canvas.finish(y + 8)


def draw_strings(page: Page, degree: int = 0) -> str:
    """Draw the length of each string between structural tags, and the region that is kept."""
    canvas = Canvas("max_density: length of each string of a page, and the region that is kept")
    params = max_density.Params(degree=degree)
    _, lengths = max_density.measure_strings(page, params)
    top = float(lengths.max())
    if degree:
        first, last = max_density.fitted_region(lengths, degree, params.edge, params.cutoff_share)
    else:
        first, last = max_density.densest_region(lengths, params.cutoff_share, params.max_distance)
    step = (_RIGHT - _LEFT) / lengths.size
    canvas.text(6, 15, "characters of each string", "muted")
    canvas.box(_LEFT + first * step, _TOP, (last + 1 - first) * step, _HEIGHT, "band")
    kept = [first <= place <= last for place in range(lengths.size)]
    _draw_bars(canvas, lengths.tolist(), kept, top)
    for share in (0.0, 0.5, 1.0):
        canvas.text(_LEFT - 4, _y(share) + 4, f"{share * top:.0f}", "muted end")
    y = _y(0) + 18
    canvas.text(_RIGHT, y, f"{lengths.size} strings in the order of the page", "muted end")
    y += 17
    if degree:
        curve = max_density.fit_polynomial(lengths, degree)(np.arange(lengths.size))
        points = " ".join(
            f"{_LEFT + (place + 0.5) * step:.1f},{_y(max(value, 0) / top):.1f}"
            for place, value in enumerate(curve.tolist())
        )
        canvas.path(f"M{points}", "curve")
        canvas.text(6, y, f"curve: polynomial of degree {degree}", "muted")
    else:
        cutoff = _y(params.cutoff_share)
        canvas.path(f"M{_LEFT} {cutoff:.1f}H{_RIGHT}", "limit")
        limit = f"{params.cutoff_share:g} of the longest: {params.cutoff_share * top:.0f}"
        canvas.text(6, y, f"red: cutoffL, {limit}", "muted")
    canvas.text(6, y + 16, f"shaded: strings {first} to {last}, which are kept", "muted")
    return canvas.finish(y + 24)


def _y(share: float) -> float:
    return _TOP + (1 - share) * _HEIGHT


def _draw_bars(canvas: Canvas, values: Sequence[float], kept: Sequence[bool], top: float) -> None:
    """Draw a bar for each value; those that are kept are filled."""
    step = (_RIGHT - _LEFT) / len(values)
    canvas.path(f"M{_LEFT} {_y(0)}H{_RIGHT}", "rule")
    for place, (value, is_kept) in enumerate(zip(values, kept, strict=True)):
        height = value / top * _HEIGHT
        if height:
            canvas.box(
                _LEFT + (place + 0.12) * step,
                _y(0) - height,
                step * 0.76,
                height,
                "in" if is_kept else "out",
            )
