"""Charts as inline SVG, whose colours are set by class in the page's style sheet.

A learning curve, accuracy against speed, and the density graph of a page: one bar per block in
order, a threshold, and the kept regions, after the figures in the original papers: text density
along the source (Champandard 2007), and the length of each string with the region around the
longest (Arias, Deschacht, Moens 2009, figures 2 and 3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import ceil, floor, log10
from typing import Final, NamedTuple

from markupsafe import Markup

from thresher.explain.page import (
    HEIGHT,
    MIN_PLACES,
    Scale,
    draw_line,
    draw_regions,
    place_labels,
)

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
    step = (_WIDTH - _LEFT - _RIGHT - 40) / max(len(points) - 1, 1)

    def x(place: int) -> float:
        return _LEFT + 20 + place * step

    parts, y = _draw_f1_axis(
        min(point.f1 - point.error for point in points),
        max(point.f1 + point.error for point in points),
    )
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
    times = [max(dot.ms_per_page, 1e-3) for dot in dots]
    first, last = log10(min(times)) - 0.08, log10(max(times)) + 0.08

    def x(ms: float) -> float:
        share = (last - log10(max(ms, 1e-3))) / max(last - first, 1e-9)
        return _LEFT + 10 + share * (_WIDTH - _LEFT - _RIGHT - 20)

    parts, y = _draw_f1_axis(min(dot.f1 for dot in dots), max(dot.f1 for dot in dots))
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
    missing = max(_LEAST_SPAN - (high - low), 0) / 2
    step = _step_of(low - missing, high + missing)
    return max(floor((low - missing) / step) * step, 0), min(
        ceil((high + missing) / step) * step, 1
    )


def _step_of(low: float, high: float) -> float:
    return next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if (high - low) / step <= 6)


def _draw_f1_axis(low: float, high: float) -> tuple[list[str], Callable[[float], float]]:
    """Draw the axis for a range of values; return its parts, and the place of a value on it."""
    low, high = _widen(low, high)
    step = _step_of(low, high)

    def y(f1: float) -> float:
        return _TOP + (high - f1) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)

    def draw_line_at(value: float) -> str:
        height = y(value)
        return (
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{height:.1f}"'
            f' y2="{height:.1f}"/><text class="tick" text-anchor="end" x="{_LEFT - 8}"'
            f' y="{height + 4:.1f}">{value:.2f}</text>'
        )

    places = range(round(low / step), round(high / step) + 1)
    return [draw_line_at(place * step) for place in places], y


def _ticks_of(first: float, last: float) -> list[float]:
    return [
        digit * 10.0**power
        for power in range(floor(first), ceil(last) + 1)
        for digit in (1, 2, 3, 5, 7)
        if first <= log10(digit * 10.0**power) <= last
    ]


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


MAX_BARS: Final = 400
"""Maximum number of bars; more would be thinner than a pixel on a phone."""


class Bar(NamedTuple):
    """One block."""

    block: int
    value: float
    kept: bool
    kind: str
    """Class of the bar: ``in`` or ``out``, or another one."""
    note: str
    """Tooltip."""


class Threshold(NamedTuple):
    """Value that separates content from boilerplate."""

    value: float
    label: str


def draw_graph(
    bars: Sequence[Bar],
    *,
    format_value: Callable[[float], str],
    link: Callable[[int], str],
    about: str,
    threshold: Threshold | None = None,
) -> str:
    """Draw at most `MAX_BARS` bars: beyond, the highest of adjacent bars represents them.

    ``link`` returns the address of a block; ``about`` is the accessible name of the graph.
    """
    size = max(1, -(-len(bars) // MAX_BARS))
    groups = [bars[start : start + size] for start in range(0, len(bars), size)]
    points = [max(group, key=lambda bar: abs(bar.value)) for group in groups]
    limit = threshold.value if threshold else None
    scale = Scale.of([point.value for point in points], limit)
    width = max(len(points), MIN_PLACES)
    parts = [
        *draw_regions(point.kept for point in points),
        *_draw_bars(points, groups, scale, link),
        draw_line("zero", width, scale.height(0.0)),
        "" if limit is None else draw_line("limit", width, scale.height(limit)),
    ]
    labels = "".join(
        f'<text class="{kind}" x="100%" y="{y:.1f}%" dy=".35em"'
        f' text-anchor="end">{escape(text)}</text>'
        for kind, y, text in place_labels(scale, format_value, limit)
    )
    return (
        f'<div class="graph"><svg class="labels" aria-hidden="true">{labels}</svg>'
        f'<svg class="bars" role="group" aria-label="{escape(about)}"'
        f' viewBox="0 0 {width} {HEIGHT}" preserveAspectRatio="none">'
        f"{''.join(parts)}</svg></div>"
    )


def _draw_bars(
    points: Sequence[Bar],
    groups: Sequence[Sequence[Bar]],
    scale: Scale,
    link: Callable[[int], str],
) -> Iterator[str]:
    zero = scale.height(0.0)
    for place, (point, group) in enumerate(zip(points, groups, strict=True)):
        top, bottom = sorted((scale.height(point.value), zero))
        yield (
            f'<a href="{escape(link(point.block))}" tabindex="-1" data-b="{point.block}"'
            f' data-from="{group[0].block}" data-to="{group[-1].block}">'
            f"<title>{escape(point.note)}</title>"
            f'<rect class="hit" x="{place}" width="1" height="{HEIGHT}"/>'
            f'<rect class="{point.kind}" x="{place + 0.08:g}" y="{top:.1f}" width=".84"'
            f' height="{max(bottom - top, 0.6):.1f}"/></a>'
        )
