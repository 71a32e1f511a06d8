"""Charts of a page's blocks in order: score, length and density, one below the other.

The x-axis is that of Arias, Deschacht and Moens (2009), figures 2 and 3: the position of the
string. Charts are inline SVG, stretched to the available width; labels are HTML, which is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final

from thresher.explain.explanation import ExplainedBlock, Explanation

__all__ = ["MAX_POINTS", "draw_charts", "format_score", "pick_points", "summarise_block"]

MAX_POINTS: Final = 600
"""Most bars of a chart; more would be thinner than a pixel on a phone."""
_MIN_PLACES: Final = 24
"""Least positions on the x-axis, so that a page of three blocks does not get three huge bars."""
_HEIGHT: Final = 100
"""Height of a chart in its own units."""
_NOTE_CHARS: Final = 160
"""Characters of a block's text shown in the tooltip of a bar."""
_MAX_SIDE: Final = 6.0
"""Most ratio of the two sides of a chart around its limit: a score of −100 links per word would
make the rest invisible. Longer bars are truncated."""
_CLASH: Final = 13.0
"""Units of height below which two labels of an axis would overlap."""


@dataclass(frozen=True, slots=True)
class _Chart:
    title: str
    note: str
    value: Callable[[ExplainedBlock], float]
    format_value: Callable[[float], str]
    limit: float | None = None


def draw_charts(explanation: Explanation) -> Iterator[str]:
    """Yield the markup of each chart, a figure, and of the axis below them."""
    blocks = explanation.blocks
    places = pick_points([each.n_char for each in blocks])
    points = [blocks[place] for place in places]
    limit = explanation.limit
    for chart in (
        _Chart(
            "Score",
            f"of {explanation.method}; {limit.label}" if limit else f"of {explanation.method}",
            lambda each: each.block.score,
            format_score,
            limit.score if limit else None,
        ),
        _Chart(
            "Length", "characters of text", lambda each: each.n_char, lambda value: f"{value:,.0f}"
        ),
        _Chart(
            "Density",
            "text, as a share of the source since the block before",
            lambda each: each.density,
            lambda value: f"{value:.0%}",
        ),
    ):
        yield _draw_chart(chart, points)
    each_is = ""
    if len(points) < len(blocks):
        each_is = f" · a bar is the longest of {-(-len(blocks) // MAX_POINTS)} neighbours"
    yield (
        f"<p class=axis><span>block 1</span><span>place in the page{each_is}</span>"
        f"<span>{len(blocks):,}</span></p>"
    )


def pick_points(lengths: Sequence[int]) -> list[int]:
    """Return the blocks to draw: all, or the longest of each group of neighbours."""
    size = max(1, -(-len(lengths) // MAX_POINTS))
    groups = (
        range(start, min(start + size, len(lengths))) for start in range(0, len(lengths), size)
    )
    return [max(group, key=lengths.__getitem__) for group in groups]


def format_score(score: float, n_digit: int = 3) -> str:
    """Format a score with so many digits and a proper minus sign."""
    return f"{score:.{n_digit}g}".replace("-", "−")


def summarise_block(each: ExplainedBlock) -> str:
    """Summarise a block in one line: decision, score and reason."""
    block = each.block
    return (
        f"{'kept' if block.kept else 'dropped'}, score {format_score(block.score)}: {block.reason}"
    )


def _draw_chart(chart: _Chart, points: Sequence[ExplainedBlock]) -> str:
    values = [chart.value(each) for each in points]
    marks = [0.0] if chart.limit is None else [0.0, chart.limit]
    lowest, highest = min([*values, *marks]), max([*values, *marks])
    low, high = _cut_range(lowest, highest, chart.limit)
    span = (high - low) or 1.0
    high = low + span

    def height(value: float) -> float:
        return (high - min(max(value, low), high)) / span * _HEIGHT

    # A truncated end is labelled as such.
    ends = (
        (high, f"≥ {chart.format_value(high)}" if highest > high else chart.format_value(high)),
        (low, f"≤ {chart.format_value(low)}" if lowest < low else chart.format_value(low)),
    )
    width = max(len(points), _MIN_PLACES)
    parts = [
        f'<rect class="region" x="{start}" width="{stop - start}" height="{_HEIGHT}"/>'
        for start, stop in _kept_runs(points)
    ]
    for place, (each, value) in enumerate(zip(points, values, strict=True)):
        top, bottom = sorted((height(value), height(0.0)))
        block = each.block
        note = f"{summarise_block(each)}\n{_shorten(block.text)}"
        parts.append(
            f'<a href="#b{block.index + 1}" tabindex="-1"><title>{escape(note)}</title>'
            f'<rect class="hit" x="{place}" width="1" height="{_HEIGHT}"/>'
            f'<rect class="{"in" if block.kept else "out"}" x="{place + 0.08:g}" '
            f'y="{top:.1f}" width=".84" height="{bottom - top:.1f}"/></a>'
        )
    parts.append(_draw_line("zero", width, height(0.0)))
    if chart.limit is not None:
        parts.append(_draw_line("limit", width, height(chart.limit)))
    n_kept = sum(each.block.kept for each in points)
    about = f"{chart.title} of {len(points)} blocks, {n_kept} of them kept"
    return (
        f"<figure class=chart><figcaption><strong>{chart.title}</strong> "
        f"<span>{escape(chart.note)}</span></figcaption>"
        f"<div class=plot><div class=scale>{_label(chart, ends, height)}</div>"
        f'<svg viewBox="0 0 {width} {_HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(about)}">{"".join(parts)}</svg></div></figure>'
    )


def _cut_range(lowest: float, highest: float, limit: float | None) -> tuple[float, float]:
    """Return the range to draw, with a side that is too long truncated."""
    if limit is None or not lowest < limit < highest:
        return lowest, highest
    below, above = limit - lowest, highest - limit
    return (
        max(lowest, limit - _MAX_SIDE * above),
        min(highest, limit + _MAX_SIDE * below),
    )


def _kept_runs(points: Sequence[ExplainedBlock]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of bars of kept blocks."""
    start = 0
    for kept, run in groupby(each.block.kept for each in points):
        stop = start + sum(1 for _ in run)
        if kept:
            yield start, stop
        start = stop


def _draw_line(kind: str, width: int, y: float) -> str:
    return f'<line class="{kind}" x1="0" x2="{width}" y1="{y:.1f}" y2="{y:.1f}"/>'


def _label(
    chart: _Chart, ends: Iterable[tuple[float, str]], height: Callable[[float], float]
) -> str:
    """Format the labels of the y-axis: first the limit's, then others where there is room."""
    limit = [] if chart.limit is None else [("limit", chart.limit, chart.format_value(chart.limit))]
    others = [("end", *end) for end in (*ends, (0.0, chart.format_value(0.0)))]
    labels: list[str] = []
    taken: list[float] = []
    for kind, value, label in (*limit, *others):
        y = height(value)
        if all(abs(y - other) >= _CLASH for other in taken):
            taken.append(y)
            labels.append(f'<span class="{kind}" style="top:{y:.1f}%">{label}</span>')
    return "".join(labels)


def _shorten(text: str) -> str:
    flat = " ".join(text[: 2 * _NOTE_CHARS].split())
    return flat if len(flat) <= _NOTE_CHARS else f"{flat[: _NOTE_CHARS - 1]}…"
