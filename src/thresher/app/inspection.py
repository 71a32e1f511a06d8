"""Data of the Inspect page, computed in a worker process.

The blocks of a page, its graph and its result; the details of one block: the decision and its
reasons, the position, and selectors for rules; the label of a page beside its result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Final, NamedTuple

import numpy as np

from thresher.algorithms import find_algorithm
from thresher.app.annotated import BlockStyle, annotate, window_of
from thresher.app.charts import Bar, Threshold, draw_graph
from thresher.app.engine import DocumentKey, excerpt, open_document
from thresher.app.markup import UNTITLED, prepare_for_page
from thresher.document import Document
from thresher.evaluation.metrics import score_words
from thresher.explain.explanation import MAX_EFFECT_BLOCKS, ExplainedBlock, Explanation, explain
from thresher.explain.page import format_score
from thresher.extraction import document_of
from thresher.features import FEATURES
from thresher.sites.propose import propose_selectors
from thresher.support.hosts import host_of

GRAPHS: Final = ("density", "length", "score")
"""Measures that a graph can show."""
_MAX_RESULT_CHARS: Final = 200_000
"""Maximum number of characters shown of the result: about 35,000 words."""
NOTE_CHARS: Final = 90
_N_BUCKET: Final = 9
"""Number of colour shades, from uncertain to certain content or boilerplate."""


def inspect(
    key: DocumentKey, block: int | None, around: int, graph: str, link: str
) -> tuple[SimpleNamespace, SimpleNamespace | None]:
    """Inspect a page; return what is shown of it, and the details of the block, if one is given.

    Without one, the blocks are shown that are around another. ``graph`` is one of `GRAPHS`,
    ``link`` the prefix of the address of a block's details, followed by its number. Raises the
    errors of `thresher.extract`.
    """
    document = open_document(key)
    _, params = key.request.resolve()
    explanation = explain(document, params, effects=False)
    blocks = explanation.blocks
    start, stop = window_of(len(blocks), around if block is None else block)
    styles = [_style_of(explained) for explained in blocks[start:stop]]
    drawn, limit = _draw(explanation, graph, link)
    result, is_cut = _write_result(document)
    label = key.source.label
    view = SimpleNamespace(
        title=explanation.title or explanation.url or key.source.name or "Untitled page",
        url=explanation.url,
        host=host_of(explanation.url),
        verdict=explanation.verdict.value,
        evidence=explanation.obstacle.evidence if explanation.obstacle else None,
        page_type=explanation.page_type.name if explanation.page_type else None,
        confidence=explanation.confidence,
        summary=explanation.summary,
        origin=explanation.source,  # publication of the method
        n_word=explanation.n_word,
        n_kept_word=explanation.n_kept_word,
        n_block=len(blocks),
        n_kept_block=sum(explained.block.kept for explained in blocks),
        start=start,
        stop=stop,
        graph=drawn,
        limit=limit,  # label of the threshold line
        markup=annotate(document.page, document.selection.keep, styles, start, link),
        result=result,
        is_cut=is_cut,
        n_forced=sum("by a rule of the site" in explained.block.reason for explained in blocks),
        label=None if label is None else compare_with_label(document.text, label),
    )
    return view, None if block is None else _describe_block(document, block)


def _style_of(explained: ExplainedBlock) -> BlockStyle:
    block = explained.block
    side = "hi" if explained.lean >= 0 else "lo"
    shade = round(abs(explained.lean) * _N_BUCKET)
    forced = " forced" if "by a rule of the site" in block.reason else ""
    kept = "kept" if block.kept else "dropped"
    return BlockStyle(
        f"{kept} {side}{shade}{forced}",
        f"Block {block.index + 1}, {kept}, score {format_score(block.score)}",
    )


def _draw(explanation: Explanation, graph: str, link: str) -> tuple[str, str | None]:
    measure = _MEASURES[graph]
    threshold = measure.threshold(explanation)
    bars = [
        Bar(
            explained.block.index,
            measure.value(explained),
            explained.block.kept,
            "in" if explained.block.kept else "out",
            f"{explained.block.index + 1} · {'kept' if explained.block.kept else 'dropped'} · "
            f"{measure.format_value(measure.value(explained))}\n"
            f"{excerpt(explained.block.text, NOTE_CHARS)}",
        )
        for explained in explanation.blocks
    ]
    n_kept = sum(bar.kept for bar in bars)
    about = f"{measure.title} of {len(bars)} blocks, {n_kept} of them kept"
    drawn = draw_graph(
        bars,
        format_value=measure.format_value,
        link=lambda block: f"{link}{block}#block",
        about=about,
        threshold=threshold,
    )
    return drawn, threshold.label if threshold else None


class _Measure(NamedTuple):
    title: str
    value: Callable[[ExplainedBlock], float]
    format_value: Callable[[float], str]
    threshold: Callable[[Explanation], Threshold | None]


def _default_of(method: str, name: str) -> float:
    parameters = find_algorithm(method).parameters()
    return float(next(parameter.default for parameter in parameters if parameter.name == name))


def _limit_of_density(_: Explanation) -> Threshold:
    return Threshold(
        _default_of("density_lines", "min_density"), "fixed threshold of Champandard 2007"
    )


def _limit_of_length(explanation: Explanation) -> Threshold:
    share = _default_of("max_density", "cutoff_share")
    longest = max((explained.n_char for explained in explanation.blocks), default=0)
    return Threshold(
        share * longest, f"cutoff of Arias, Deschacht, Moens 2009: {share:.1%} of the longest block"
    )


def _limit_of_score(explanation: Explanation) -> Threshold | None:
    limit = explanation.limit
    return Threshold(limit.score, limit.label) if limit else None


_MEASURES: Final = {
    "density": _Measure(
        "Text density in the source",
        lambda explained: explained.density,
        lambda value: f"{value:.0%}",
        _limit_of_density,
    ),
    "length": _Measure(
        "Text length in characters",
        lambda explained: float(explained.n_char),
        lambda value: f"{value:,.0f}",
        _limit_of_length,
    ),
    "score": _Measure(
        "Score", lambda explained: explained.block.score, format_score, _limit_of_score
    ),
}


def _write_result(document: Document) -> tuple[str, bool]:
    """Return the result as safe HTML without images, and whether it was cut."""
    page, selection = document.page, document.selection
    n_char = np.cumsum(page.leaf_chars * selection.keep)
    shown = selection.keep & (n_char <= _MAX_RESULT_CHARS)
    is_cut = bool((shown != selection.keep).any())
    part = document_of(replace(selection, keep=shown)) if is_cut else document
    html = part.write("html", UNTITLED)
    return prepare_for_page(html, title="").markup, is_cut


_SOURCE_CHARS: Final = 1_200
"""Maximum number of characters shown of a block's source."""
_CONTEXT_CHARS: Final = 80
"""Characters of source shown before and after it."""
_MAX_TEXT_CHARS: Final = 2_000
_N_EFFECT: Final = 6
"""Maximum number of effects shown, the largest first."""
_MEANINGS: Final = {
    **{feature.name: feature.summary for feature in FEATURES},
    "names": "tags, classes and ids of the block and its ancestors",
}
"""Feature → description."""


def open_detail(key: DocumentKey, index: int) -> SimpleNamespace | None:
    """Return the details of a block; None if the page has no such block."""
    return _describe_block(open_document(key), index)


def _describe_block(document: Document, index: int) -> SimpleNamespace | None:
    """Return the details of a block of a document; None if there is no such block."""
    page = document.page
    n_block = len(page.blocks)
    if not 0 <= index < n_block:
        return None
    block = document.blocks[index]
    has_effects = document.selection.explain is not None
    too_many = has_effects and n_block > MAX_EFFECT_BLOCKS
    source = page.source
    at = block.source
    stop = min(at.stop, at.start + _SOURCE_CHARS) if at else 0
    return SimpleNamespace(
        index=index,
        n_block=n_block,
        text=block.text[:_MAX_TEXT_CHARS],
        tag=block.tag,
        kept=block.kept,
        score=format_score(block.score, 4),
        is_probability=document.selection.method == "learned",
        reason=block.reason,
        role=block.role,
        n_word=int(page.blocks.sums(page.leaf_words)[index]),
        n_char=len(block.text),
        hidden=(block.hidden.name or "").lower().replace("|", ", "),
        origin=block.origin.value,
        css=block.path.css if block.path else None,
        xpath=block.path.xpath if block.path else None,
        before=source[max(0, at.start - _CONTEXT_CHARS) : at.start] if at else "",
        source=source[at.start : stop] if at else "",
        after=source[stop : stop + _CONTEXT_CHARS] if at else "",
        line=source.count("\n", 0, at.start) + 1 if at else None,  # where it begins, from 1
        is_cut=bool(at and stop < at.stop),
        effects=() if too_many or not has_effects else _effects_of(document, index),
        has_too_many=too_many,
        proposals=propose_selectors(page, index),
        previous=index - 1 if index else None,
        following=index + 1 if index + 1 < n_block else None,
    )


def _effects_of(document: Document, index: int) -> tuple[SimpleNamespace, ...]:
    """Return the effects of features on the decision, with sizes of 1 to 10 to the largest."""
    effects = [effect for effect in document.selection.effects(index) if effect.log_odds][
        :_N_EFFECT
    ]
    largest = max((abs(effect.log_odds) for effect in effects), default=1.0)
    return tuple(
        SimpleNamespace(
            name=effect.feature,
            meaning=_meaning_of(effect.feature),
            value=None if effect.value is None else format_score(effect.value),
            log_odds=effect.log_odds,
            size=max(1, round(10 * abs(effect.log_odds) / largest)),
        )
        for effect in effects
    )


def _meaning_of(feature: str) -> str:
    if feature.startswith("type_") and feature not in _MEANINGS:
        return "probability that the page is of this type"
    return _MEANINGS.get(feature, "")


_MAX_LINES: Final = 2000
"""Lines of a label that are shown."""


def compare_with_label(result: str, label: str) -> SimpleNamespace:
    """Compare the text of a result with that of a label: which of its lines the result has."""
    whole = " ".join(result.split())
    texts = [text for line in label.splitlines() if (text := " ".join(line.split()))]
    lines = [SimpleNamespace(text=text, is_found=text in whole) for text in texts[:_MAX_LINES]]
    return SimpleNamespace(
        score=score_words(result, label),
        lines=lines,
        n_missing=sum(not line.is_found for line in lines),
        is_cut=len(texts) > _MAX_LINES,
    )
