"""Charts as inline SVG: a learning curve, and accuracy against speed.

Colours are set by class in the page's style sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil, floor, log10
from typing import Final, NamedTuple

from markupsafe import Markup, escape

__all__ = ["CurvePoint", "Dot", "draw_curve", "draw_scatter"]

_WIDTH, _HEIGHT = 640, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 20, 16, 44
_LEAST_SPAN: Final = 0.04
"""Minimum span of the F1 axis, so that noise does not look like a trend."""
_LABEL_GAP: Final = 15
"""Minimum distance between two labels, in SVG units."""
_CHAR_UNITS: Final = 7.4
"""Approximate width of a character in a label."""


class CurvePoint(NamedTuple):
    """Point of a learning curve."""

    n_page: int
    f1: float
    error: float


class Dot(NamedTuple):
    """Method in the scatter plot."""

    name: str
    ms_per_page: float
    f1: float
    is_marked: bool = False


def draw_curve(points: Sequence[CurvePoint]) -> Markup:
    """Draw F1 against the number of labelled pages, each point with ± one standard error.

    The points are equally spaced along the axis; 0 pages stands for the shipped weights.
    """
    if not points:
        return Markup("")
    low = min(point.f1 - point.error for point in points)
    high = max(point.f1 + point.error for point in points)
    low, high = _widen(low, high)
    step = (_WIDTH - _LEFT - _RIGHT - 40) / max(len(points) - 1, 1)

    def x(place: int) -> float:
        return _LEFT + 20 + place * step

    def y(f1: float) -> float:
        return _TOP + (high - f1) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)

    parts = [*_draw_f1_axis(low, high, y)]
    base = y(points[0].f1)
    parts.append(
        f'<line class="base" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{base:.1f}" y2="{base:.1f}"/>'
    )
    places = list(enumerate(points))
    upper = [f"{x(i):.1f},{y(p.f1 + p.error):.1f}" for i, p in places]
    lower = [f"{x(i):.1f},{y(p.f1 - p.error):.1f}" for i, p in reversed(places)]
    parts.append(f'<polygon class="band" points="{" ".join(upper + lower)}"/>')
    line = " ".join(f"{x(i):.1f},{y(p.f1):.1f}" for i, p in places)
    parts.append(f'<polyline class="curve" points="{line}"/>')
    for i, point in places:
        name = "shipped" if point.n_page == 0 else f"{point.n_page}"
        tooltip = f"{name}: F1 {point.f1:.3f} ± {point.error:.3f}"
        parts.append(
            f'<circle class="dot" cx="{x(i):.1f}" cy="{y(point.f1):.1f}" r="5">'
            f"<title>{escape(tooltip)}</title></circle>"
            f'<text class="tick" text-anchor="middle" x="{x(i):.1f}" y="{_HEIGHT - 24}">'
            f"{name}</text>"
        )
    parts.append(_axis_name("labelled pages"))
    last = points[-1]
    summary = (
        f"Learning curve: F1 {points[0].f1:.3f} with the shipped weights,"
        f" {last.f1:.3f} after {last.n_page} labelled pages"
    )
    return _frame(parts, summary)


def draw_scatter(dots: Sequence[Dot]) -> Markup:
    """Draw F1 against milliseconds per page on a logarithmic axis, faster to the right."""
    if not dots:
        return Markup("")
    low, high = _widen(min(dot.f1 for dot in dots), max(dot.f1 for dot in dots))
    times = [max(dot.ms_per_page, 1e-3) for dot in dots]
    first, last = log10(min(times)) - 0.08, log10(max(times)) + 0.08

    def x(ms: float) -> float:
        share = (last - log10(max(ms, 1e-3))) / max(last - first, 1e-9)
        return _LEFT + 10 + share * (_WIDTH - _LEFT - _RIGHT - 20)

    def y(f1: float) -> float:
        return _TOP + (high - f1) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)

    parts = [*_draw_f1_axis(low, high, y)]
    parts.extend(
        f'<line class="grid" x1="{x(ms):.1f}" x2="{x(ms):.1f}" y1="{_TOP}"'
        f' y2="{_HEIGHT - _BOTTOM}"/><text class="tick" text-anchor="middle" x="{x(ms):.1f}"'
        f' y="{_HEIGHT - 24}">{ms:g}</text>'
        for ms in _ticks_of(first, last)
    )
    # A label must not overlap another label or a dot.
    taken = [(x(dot.ms_per_page) - 6, x(dot.ms_per_page) + 6, y(dot.f1) + 4) for dot in dots]
    for dot in sorted(dots, key=lambda dot: -dot.f1):
        at_x, at_y = x(dot.ms_per_page), y(dot.f1)
        kind = "dot marked" if dot.is_marked else "dot"
        tooltip = f"{dot.name}: F1 {dot.f1:.3f}, {dot.ms_per_page:.1f} ms per page"
        wide = len(dot.name) * _CHAR_UNITS
        left, label_y = _find_room(at_x, at_y + 4, wide, taken)
        taken.append((left, left + wide, label_y))
        parts.append(
            f'<circle class="{kind}" cx="{at_x:.1f}" cy="{at_y:.1f}" r="6">'
            f"<title>{escape(tooltip)}</title></circle>"
            f'<text class="name" x="{left:.1f}" y="{label_y:.1f}">{escape(dot.name)}</text>'
        )
    parts.append(_axis_name("milliseconds per page (faster to the right)"))
    best = max(dots, key=lambda dot: dot.f1)
    return _frame(parts, f"F1 and speed of {len(dots)} methods; the best is {best.name}")


def _find_room(
    at_x: float, at_y: float, wide: float, taken: Sequence[tuple[float, float, float]]
) -> tuple[float, float]:
    """Return the start of a label next to its dot, without overlaps if possible."""
    sides = (at_x + 9, at_x - 9 - wide, at_x - wide / 2)
    for shift in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5):
        height = at_y + shift * _LABEL_GAP
        for left in sides:
            inside = left >= _LEFT and left + wide <= _WIDTH and height >= _TOP
            if (
                inside
                and height <= _HEIGHT - _BOTTOM
                and not any(
                    abs(height - other) < _LABEL_GAP and left < ends and left + wide > begins
                    for begins, ends, other in taken
                )
            ):
                return left, height
    return sides[0], at_y


def _widen(low: float, high: float) -> tuple[float, float]:
    """Extend a range of F1 to whole ticks within 0 and 1."""
    missing = max(_LEAST_SPAN - (high - low), 0) / 2
    step = _step_of(low - missing, high + missing)
    return max(floor((low - missing) / step) * step, 0), min(
        ceil((high + missing) / step) * step, 1
    )


def _step_of(low: float, high: float) -> float:
    return next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / step <= 6)


def _draw_f1_axis(low: float, high: float, y: Callable[[float], float]) -> Iterator[str]:
    step = _step_of(low, high)
    for place in range(round(low / step), round(high / step) + 1):
        value = place * step
        height = y(value)
        yield (
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{height:.1f}"'
            f' y2="{height:.1f}"/><text class="tick" text-anchor="end" x="{_LEFT - 8}"'
            f' y="{height + 4:.1f}">{value:.2f}</text>'
        )


def _ticks_of(first: float, last: float) -> list[float]:
    ticks = [
        digit * 10.0**power
        for power in range(floor(first), ceil(last) + 1)
        for digit in (1, 2, 3, 5, 7)
        if first <= log10(digit * 10.0**power) <= last
    ]
    return ticks


def _axis_name(text: str) -> str:
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    return (
        f'<text class="tick" text-anchor="middle" x="{middle:.0f}" y="{_HEIGHT - 6}">'
        f"{escape(text)}</text>"
    )


def _frame(parts: Sequence[str], summary: str) -> Markup:
    return Markup(
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' aria-label="{escape(summary)}">{"".join(parts)}</svg>'
    )
