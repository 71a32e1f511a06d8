"""Report on one extraction as a self-contained HTML file without scripts.

At the top the method and what it kept, then the charts; below, the page's blocks coloured by score
next to the result. Colours follow the reader's light or dark setting, columns the width.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from thresher.explain.chart import draw_charts, format_score, summarise_block
from thresher.explain.explanation import ExplainedBlock, Explanation, ParameterValue
from thresher.explain.style import STYLE
from thresher.features import FEATURES
from thresher.judgement import Effect
from thresher.support.hosts import is_web

__all__ = ["write_explanation"]

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src https: http: data:; "
    "base-uri 'none'; form-action 'none'"
)
"""Content security policy: no scripts, and only the pictures of the result are loaded."""
_MAX_LISTED_BLOCKS: Final = 10_000
"""Blocks listed, the first of a page: each takes half a kilobyte or more, and nobody reads more.
"""
_MAX_PATH_CHARS: Final = 400
"""Most characters of a path shown; of longer ones the end, which distinguishes blocks."""
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
    n_kept = sum(each.block.kept for each in explanation.blocks)
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
    """Render the parameters: those that were set visibly, the others collapsed."""
    chosen = [each for each in settings if not each.is_default]
    others = [each for each in settings if each.is_default]
    if chosen:
        yield f"<div class='settings small'>{_write_values(chosen)}</div>"
    if others:
        yield (
            f"<details class='settings small'><summary>{len(others)} parameters at their defaults"
            f"</summary>{_write_values(others)}</details>"
        )


def _write_values(settings: Sequence[ParameterValue]) -> str:
    values = (
        f"<div><dt><code>{escape(each.name)} = {escape(each.value)}</code></dt>"
        f"<dd>{escape(each.help)}</dd></div>"
        for each in settings
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
    if any(each.effects for each in explanation.blocks):
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
        f'<summary title="{escape(summarise_block(each))}"><span class=text dir=auto>{text}</span>'
        f"<span class=score>{format_score(block.score)}</span></summary>"
        f"<dl class=why>{why}</dl></details></li>"
    )


def _write_effects(effects: Sequence[Effect]) -> str:
    """Render each feature's effect on the log-odds, its value and its description."""
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
