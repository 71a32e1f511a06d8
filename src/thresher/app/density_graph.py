"""Density graph of a page: one bar per block in order, a threshold, and the kept regions.

After the figures in the original papers: text density along the source (Champandard 2007), and the
length of each string with the region around the longest (Arias, Deschacht, Moens 2009, figures 2
and 3). SVG without styles and scripts: bars scale with the width, labels are in a separate SVG.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final, NamedTuple

__all__ = ["MAX_BARS", "Bar", "Threshold", "draw_graph"]

MAX_BARS: Final = 400
"""Maximum of bars; more would be thinner than a pixel on a phone."""
_MIN_PLACES: Final = 24
"""Minimum of slots on the x-axis, so that the bars of a short page are not too wide."""
_HEIGHT: Final = 100
"""Height of the bars' coordinate system."""
_MAX_SIDE: Final = 6.0
"""Maximum ratio of the extents above and below the threshold, so that a single score of −100 does
not flatten all others. Longer bars are cut."""
_CLASH: Final = 13.0
"""Distance of two labels, in percent of the height, below which they overlap."""


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
    scale = _Scale.of([point.value for point in points], threshold)
    width = max(len(points), _MIN_PLACES)
    parts = [
        *_draw_region(points),
        *_draw_bars(points, groups, scale, link),
        _draw_line("zero", width, scale.height(0.0)),
        _draw_line("limit", width, scale.height(threshold.value)) if threshold else "",
    ]
    labels = "".join(_write_labels(scale, format_value, threshold))
    return (
        f'<div class="graph"><svg class="labels" aria-hidden="true">{labels}</svg>'
        f'<svg class="bars" role="group" aria-label="{escape(about)}"'
        f' viewBox="0 0 {width} {_HEIGHT}" preserveAspectRatio="none">{"".join(parts)}</svg></div>'
    )


class _Scale(NamedTuple):
    low: float
    high: float
    is_cut_low: bool
    is_cut_high: bool

    @classmethod
    def of(cls, values: Sequence[float], threshold: Threshold | None) -> _Scale:
        marks = [0.0, threshold.value] if threshold else [0.0]
        lowest, highest = min([*values, *marks]), max([*values, *marks])
        low, high = lowest, highest
        if threshold and lowest < threshold.value < highest:
            below, above = threshold.value - lowest, highest - threshold.value
            low = max(lowest, threshold.value - _MAX_SIDE * above)
            high = min(highest, threshold.value + _MAX_SIDE * below)
        if high == low:
            high = low + 1.0
        return cls(low, high, lowest < low, highest > high)

    def height(self, value: float) -> float:
        """Return the y-coordinate of a value, 0 (top) to `_HEIGHT`."""
        within = min(max(value, self.low), self.high)
        return (self.high - within) / (self.high - self.low) * _HEIGHT


def _draw_region(points: Sequence[Bar]) -> Iterator[str]:
    """Yield the background of the kept regions."""
    start = 0
    for kept, run in groupby(point.kept for point in points):
        stop = start + sum(1 for _ in run)
        if kept:
            yield f'<rect class="region" x="{start}" width="{stop - start}" height="{_HEIGHT}"/>'
        start = stop


def _draw_bars(
    points: Sequence[Bar],
    groups: Sequence[Sequence[Bar]],
    scale: _Scale,
    link: Callable[[int], str],
) -> Iterator[str]:
    zero = scale.height(0.0)
    for place, (point, group) in enumerate(zip(points, groups, strict=True)):
        top, bottom = sorted((scale.height(point.value), zero))
        yield (
            f'<a href="{escape(link(point.block))}" tabindex="-1" data-b="{point.block}"'
            f' data-from="{group[0].block}" data-to="{group[-1].block}">'
            f"<title>{escape(point.note)}</title>"
            f'<rect class="hit" x="{place}" width="1" height="{_HEIGHT}"/>'
            f'<rect class="{point.kind}" x="{place + 0.08:g}" y="{top:.1f}" width=".84"'
            f' height="{max(bottom - top, 0.6):.1f}"/></a>'
        )


def _draw_line(kind: str, width: int, y: float) -> str:
    return f'<line class="{kind}" x1="0" x2="{width}" y1="{y:.1f}" y2="{y:.1f}"/>'


def _write_labels(
    scale: _Scale, format_value: Callable[[float], str], threshold: Threshold | None
) -> Iterator[str]:
    """Yield the labels of the y-axis: the threshold first, others where there is room."""
    ends = [
        ("end", scale.high, f"{'≥ ' if scale.is_cut_high else ''}{format_value(scale.high)}"),
        ("end", scale.low, f"{'≤ ' if scale.is_cut_low else ''}{format_value(scale.low)}"),
        ("end", 0.0, format_value(0.0)),
    ]
    first = [("limit", threshold.value, format_value(threshold.value))] if threshold else []
    taken: list[float] = []
    for kind, value, text in (*first, *ends):
        y = scale.height(value)
        if all(abs(y - other) >= _CLASH for other in taken):
            taken.append(y)
            yield (
                f'<text class="{kind}" x="100%" y="{y:.1f}%" dy=".35em"'
                f' text-anchor="end">{escape(text)}</text>'
            )
