"""Report on one extraction as a self-contained HTML file without scripts.

At the top the method and what it kept, then the charts; below, the page's blocks coloured by score
next to the result. Colours follow the reader's light or dark setting, columns the width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from thresher.explain.explanation import ExplainedBlock, Explanation, ParameterValue
from thresher.features import FEATURES
from thresher.selection import Effect
from thresher.support.hosts import is_web

# -- charts ------------------------------------------------------------------------------------
#
# The x-axis is that of Arias, Deschacht and Moens (2009), figures 2 and 3: the position of the
# string. Charts are inline SVG, stretched to the available width; labels are HTML, which is not.

MAX_POINTS: Final = 600
"""Maximum bars of a chart; more would be thinner than a pixel on a phone."""
MIN_PLACES: Final = 24
"""Minimum positions on the x-axis, so that a page of three blocks does not get three huge bars."""
HEIGHT: Final = 100
"""Height of a chart in its own units."""
_NOTE_CHARS: Final = 160
"""Characters of a block's text shown in the tooltip of a bar."""
_MAX_SIDE: Final = 6.0
"""Maximum ratio of the two sides of a chart around its limit: a score of −100 links per word would
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
    places = pick_points([explained.n_char for explained in blocks])
    points = [blocks[place] for place in places]
    limit = explanation.limit
    for chart in (
        _Chart(
            "Score",
            f"of {explanation.method}; {limit.label}" if limit else f"of {explanation.method}",
            lambda explained: explained.block.score,
            format_score,
            limit.score if limit else None,
        ),
        _Chart(
            "Length",
            "characters of text",
            lambda explained: explained.n_char,
            lambda value: f"{value:,.0f}",
        ),
        _Chart(
            "Density",
            "text, as a share of the source since the block before",
            lambda explained: explained.density,
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


def _summarise_block(each: ExplainedBlock) -> str:
    block = each.block
    return (
        f"{'kept' if block.kept else 'dropped'}, score {format_score(block.score)}: {block.reason}"
    )


def _draw_chart(chart: _Chart, points: Sequence[ExplainedBlock]) -> str:
    values = [chart.value(explained) for explained in points]
    scale = Scale.of(values, chart.limit)
    labels = "".join(
        f'<span class="{kind}" style="top:{y:.1f}%">{label}</span>'
        for kind, y, label in place_labels(scale, chart.format_value, chart.limit)
    )
    width = max(len(points), MIN_PLACES)
    parts = [*draw_regions(explained.block.kept for explained in points)]
    for place, (explained, value) in enumerate(zip(points, values, strict=True)):
        top, bottom = sorted((scale.height(value), scale.height(0.0)))
        block = explained.block
        note = f"{_summarise_block(explained)}\n{_shorten_text(block.text)}"
        parts.append(
            f'<a href="#b{block.index + 1}" tabindex="-1"><title>{escape(note)}</title>'
            f'<rect class="hit" x="{place}" width="1" height="{HEIGHT}"/>'
            f'<rect class="{"in" if block.kept else "out"}" x="{place + 0.08:g}" '
            f'y="{top:.1f}" width=".84" height="{bottom - top:.1f}"/></a>'
        )
    parts.append(draw_line("zero", width, scale.height(0.0)))
    if chart.limit is not None:
        parts.append(draw_line("limit", width, scale.height(chart.limit)))
    n_kept = sum(explained.block.kept for explained in points)
    about = f"{chart.title} of {len(points)} blocks, {n_kept} of them kept"
    return (
        f"<figure class=chart><figcaption><strong>{chart.title}</strong> "
        f"<span>{escape(chart.note)}</span></figcaption>"
        f"<div class=plot><div class=scale>{labels}</div>"
        f'<svg viewBox="0 0 {width} {HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(about)}">{"".join(parts)}</svg></div></figure>'
    )


class Scale(NamedTuple):
    """Range of values that a chart shows, with a side that is too long cut."""

    low: float
    high: float
    is_cut_low: bool
    is_cut_high: bool

    @classmethod
    def of(cls, values: Sequence[float], limit: float | None) -> Scale:
        """Return the range of some values, of 0 and of the limit."""
        marks = [0.0] if limit is None else [0.0, limit]
        lowest, highest = min([*values, *marks]), max([*values, *marks])
        low, high = lowest, highest
        if limit is not None and lowest < limit < highest:
            low = max(lowest, limit - _MAX_SIDE * (highest - limit))
            high = min(highest, limit + _MAX_SIDE * (limit - lowest))
        if high == low:
            high = low + 1.0
        return cls(low, high, lowest < low, highest > high)

    def height(self, value: float) -> float:
        """Return the y-coordinate of a value, 0 (top) to `HEIGHT`."""
        within = min(max(value, self.low), self.high)
        return (self.high - within) / (self.high - self.low) * HEIGHT


def draw_regions(kept: Iterable[bool]) -> Iterator[str]:
    """Yield the background of each run of kept bars."""
    start = 0
    for is_kept, run in groupby(kept):
        stop = start + sum(1 for _ in run)
        if is_kept:
            yield f'<rect class="region" x="{start}" width="{stop - start}" height="{HEIGHT}"/>'
        start = stop


def draw_line(kind: str, width: int, y: float) -> str:
    """Draw a horizontal line through a chart."""
    return f'<line class="{kind}" x1="0" x2="{width}" y1="{y:.1f}" y2="{y:.1f}"/>'


def place_labels(
    scale: Scale, format_value: Callable[[float], str], limit: float | None
) -> Iterator[tuple[str, float, str]]:
    """Yield class, height and text of the labels of the y-axis.

    That of the limit comes first, then the ends, marked if they are cut, and 0 where there is room.
    """
    labels = [
        ("end", scale.high, f"{'≥ ' if scale.is_cut_high else ''}{format_value(scale.high)}"),
        ("end", scale.low, f"{'≤ ' if scale.is_cut_low else ''}{format_value(scale.low)}"),
        ("end", 0.0, format_value(0.0)),
    ]
    if limit is not None:
        labels.insert(0, ("limit", limit, format_value(limit)))
    taken: list[float] = []
    for kind, value, text in labels:
        y = scale.height(value)
        if all(abs(y - other) >= _CLASH for other in taken):
            taken.append(y)
            yield kind, y, text


def _shorten_text(text: str) -> str:
    flat = " ".join(text[: 2 * _NOTE_CHARS].split())
    return flat if len(flat) <= _NOTE_CHARS else f"{flat[: _NOTE_CHARS - 1]}…"


# -- the report --------------------------------------------------------------------------------

STYLE: Final = (Path(__file__).parent / "report.css").read_text("utf-8").partition("*/")[2]
"""The style sheet, without the comment at its head."""
_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src https: http: data:; "
    "base-uri 'none'; form-action 'none'"
)
"""Content security policy: no scripts, and only the pictures of the result are loaded."""
_MAX_LISTED_BLOCKS: Final = 10_000
"""Blocks listed, the first of a page: each takes half a kilobyte or more, and nobody reads more.
"""
_MAX_PATH_CHARS: Final = 400
"""Maximum characters of a path shown; of longer ones the end, which distinguishes blocks."""
_MEANINGS: Final = {
    **{feature.name: feature.summary for feature in FEATURES},
    "names": "tags, classes and ids inside and around it",
}
"""Feature → short description."""
_CHOICES: Final = (("all", "all blocks"), ("only-kept", "kept"), ("only-dropped", "dropped"))


def write_explanation(explanation: Explanation) -> str:
    """Render an explanation as one HTML document."""
    title = explanation.title or "Untitled page"
    body = [
        *_write_head(explanation, title),
        *_write_facts(explanation),
        *_write_graph(explanation),
        "<div class=columns>",
        *_write_blocks(explanation),
        *_write_result(explanation),
        "</div>",
    ]
    return (
        "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
        f'<meta http-equiv=Content-Security-Policy content="{_POLICY}">\n'
        '<meta name=viewport content="width=device-width, initial-scale=1">\n'
        "<meta name=referrer content=no-referrer>\n"
        f"<title>{escape(title)}: explained by {escape(explanation.method)}</title>\n"
        f"<style>{STYLE}</style>\n</head>\n<body>\n" + "\n".join(body) + "\n</body>\n</html>\n"
    )


def _write_head(explanation: Explanation, title: str) -> Iterator[str]:
    yield "<header>\n<p class='soft small'>What was kept of this page, and why</p>"
    yield f"<h1 dir=auto>{escape(title)}</h1>"
    if explanation.url:
        yield f"<p class='soft small'>{_link(explanation.url)}</p>"
    yield (
        "<nav class=small aria-label=Sections><a href='#graph'>Graph</a>"
        "<a href='#blocks'>Blocks</a><a href='#result'>Result</a></nav>\n</header>"
    )


def _write_facts(explanation: Explanation) -> Iterator[str]:
    yield "<section class=facts>\n<div>"
    yield from _write_verdict(explanation)
    yield f"<h2>Method <code>{escape(explanation.method)}</code></h2>"
    yield f"<p>This method {escape(explanation.summary)}.</p>"
    yield f"<p class='soft small'>Source: {escape(explanation.source)}</p>"
    yield from _write_settings(explanation.settings)
    n_kept = sum(explained.block.kept for explained in explanation.blocks)
    yield "</div>\n<div>"
    yield _write_share("blocks kept", n_kept, len(explanation.blocks))
    yield _write_share("words kept", explanation.n_kept_word, explanation.n_word)
    yield (
        f"<p class='soft small'>{len(explanation.blocks) - n_kept:,} blocks dropped; "
        f"the source has {explanation.n_source_char:,} characters</p>\n</div>\n</section>"
    )


def _write_verdict(explanation: Explanation) -> Iterator[str]:
    yield f"<h2>Verdict: {escape(explanation.verdict.value)}</h2>"
    if explanation.obstacle:
        yield f"<p>{escape(explanation.obstacle.evidence)}</p>"
    judged = []
    if explanation.page_type:
        name, probability = explanation.page_type
        judged.append(f"page type <b>{escape(name)}</b> ({probability:.0%} probable)")
    if explanation.confidence is not None:
        judged.append(f"confidence <b>{explanation.confidence:.0%}</b>, the word F1 to expect")
    if judged:
        yield f"<p>{'; '.join(judged)}</p>"


def _write_settings(settings: tuple[ParameterValue, ...]) -> Iterator[str]:
    chosen = [setting for setting in settings if not setting.is_default]
    others = [setting for setting in settings if setting.is_default]
    if chosen:
        yield f"<div class='settings small'>{_write_values(chosen)}</div>"
    if others:
        yield (
            f"<details class='settings small'><summary>{len(others)} parameters at their defaults"
            f"</summary>{_write_values(others)}</details>"
        )


def _write_values(settings: Sequence[ParameterValue]) -> str:
    values = (
        f"<div><dt><code>{escape(setting.name)} = {escape(setting.value)}</code></dt>"
        f"<dd>{escape(setting.help)}</dd></div>"
        for setting in settings
    )
    return f"<dl>{''.join(values)}</dl>"


def _write_share(what: str, part: int, whole: int) -> str:
    percent = 100 * part / whole if whole else 0.0
    return (
        f"<div class=share><p><b>{percent:.0f} %</b>"
        f"<span class=soft>{part:,} of {whole:,} {what}</span></p>"
        f'<div class=track><i style="width:{percent:.1f}%"></i></div></div>'
    )


def _write_graph(explanation: Explanation) -> Iterator[str]:
    yield "<section id=graph>\n<h2>Block by block</h2>"
    if explanation.blocks:
        yield (
            "<p class='key soft'>Each bar is a block, in the order of the page: blue is kept, "
            "orange dropped. Point at one to read it.</p>"
        )
        yield from draw_charts(explanation)
    else:
        yield "<p>This page shows no text.</p>"
    yield "</section>"


def _write_blocks(explanation: Explanation) -> Iterator[str]:
    yield "<section id=blocks>\n<h2>The page’s blocks</h2>"
    if explanation.blocks:
        # Siblings of the list: `:has()` would take a browser minutes on a very long one.
        for name, label in _CHOICES:
            checked = " checked" if name == "all" else ""
            yield f"<input type=radio name=show id={name}{checked}>"
            yield f"<label for={name}>{label}</label>"
        yield (
            "<p class=key><span class=ramp>boilerplate <i></i> content, by score</span>"
            "<span class=dropped><span class=text>dropped</span></span></p>"
        )
    if any(explained.effects for explained in explanation.blocks):
        yield (
            "<p class='key soft'>Open a block to see what moved its log-odds of being content, "
            "and how far.</p>"
        )
    yield "<ol class=blocks>"
    yield from map(_write_block, explanation.blocks[:_MAX_LISTED_BLOCKS])
    yield "</ol>"
    if n_more := len(explanation.blocks[_MAX_LISTED_BLOCKS:]):
        yield f"<p class=soft>{n_more:,} more blocks are not listed.</p>"
    yield "</section>"


def _write_block(each: ExplainedBlock) -> str:
    block = each.block
    facts = {
        "role": block.role or "",
        "decision": f"{'kept' if block.kept else 'dropped'}: {block.reason}",
        "score": format_score(block.score, 6),
        "length": f"{each.n_char:,} characters, {each.density:.0%} of its source",
        "hidden": (block.hidden.name or "").lower().replace("|", ", "),
        "element": block.tag,
        "path": _shorten_path(block.path.css) if block.path else "",
        "source": f"characters {block.source.start:,} to {block.source.stop:,}"
        if block.source
        else "",
    }
    why = "".join(f"<dt>{name}</dt><dd>{escape(fact)}</dd>" for name, fact in facts.items() if fact)
    if each.effects:
        why += f"<dt>moved by</dt><dd>{_write_effects(each.effects)}</dd>"
    text = (
        escape(block.text)
        or f"<span class=none>no text, but a picture or field in {escape(block.tag)}</span>"
    )
    side = "hi" if each.lean >= 0 else "lo"
    return (
        f"<li id=b{block.index + 1} class='{'kept' if block.kept else 'dropped'} {side}' "
        f"style=--s:{abs(each.lean):.2f}><details>"
        f'<summary title="{escape(_summarise_block(each))}"><span class=text dir=auto>{text}</span>'
        f"<span class=score>{format_score(block.score)}</span></summary>"
        f"<dl class=why>{why}</dl></details></li>"
    )


def _write_effects(effects: Sequence[Effect]) -> str:
    items = (
        f"<li class={'up' if effect.log_odds > 0 else 'down'}><b>{_format_change(effect.log_odds)}"
        f"</b> <code>{escape(effect.feature)}"
        f"{'' if effect.value is None else f' = {format_score(effect.value)}'}</code>"
        f" <span class=soft>{escape(_describe_feature(effect.feature))}</span></li>"
        for effect in effects
    )
    return f"<ul class=effects>{''.join(items)}</ul>"


def _describe_feature(feature: str) -> str:
    if feature.startswith("type_") and feature not in _MEANINGS:
        return "probability that the page is of this type"
    return _MEANINGS.get(feature, "")


def _format_change(log_odds: float) -> str:
    return f"{log_odds:+.2f}".replace("-", "−")


def _write_result(explanation: Explanation) -> Iterator[str]:
    yield "<section id=result class=result tabindex=0 aria-label='The result'>\n<h2>The result</h2>"
    content = explanation.html or "<p class=none>No main content.</p>"
    yield f"<article class=paper>\n{content}\n</article>\n</section>"


def _shorten_path(path: str) -> str:
    return path if len(path) <= _MAX_PATH_CHARS else f"… {path[-_MAX_PATH_CHARS:]}"


def _link(url: str) -> str:
    if not is_web(url):
        return f"<code>{escape(url)}</code>"
    return f'<a href="{escape(url)}" rel="noreferrer noopener">{escape(url)}</a>'
