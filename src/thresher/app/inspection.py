"""Data of the Inspect page: blocks, graph and result; computed in a worker process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from thresher.algorithms import find_algorithm
from thresher.app.annotated import BlockStyle, annotate, window_of
from thresher.app.density_graph import Bar, Threshold, draw_graph
from thresher.app.details import Detail, describe_block
from thresher.app.document_cache import DocumentKey, open_document
from thresher.app.excerpt import excerpt
from thresher.app.label_view import LabelView, compare_with_label
from thresher.app.markup import UNTITLED, prepare_for_page
from thresher.document import Document
from thresher.explain.explanation import ExplainedBlock, Explanation, explain
from thresher.explain.page import format_score
from thresher.extraction import document_of
from thresher.support.hosts import host_of

__all__ = ["GRAPHS", "InspectedPage", "inspect", "inspect_block"]

GRAPHS: Final = ("density", "length", "score")
"""Measures that a graph can show."""
_MAX_RESULT_CHARS: Final = 200_000
"""Maximum of characters shown of the result: about 35,000 words."""
_NOTE_CHARS: Final = 90
_N_BUCKET: Final = 9
"""Number of colour shades, from uncertain to certain content or boilerplate."""


@dataclass(frozen=True, slots=True)
class InspectedPage:
    """Everything shown on the Inspect page."""

    title: str
    url: str | None
    host: str
    verdict: str
    evidence: str | None
    page_type: str | None
    confidence: float | None
    summary: str
    origin: str
    """Publication of the method."""
    n_word: int
    n_kept_word: int
    n_block: int
    n_kept_block: int
    start: int
    """First block shown."""
    stop: int
    graph: str
    limit: str | None
    """Label of the threshold line in the graph."""
    markup: str
    result: str
    is_cut: bool
    """Whether the shown result is cut."""
    n_forced: int
    """Number of blocks decided by a rule."""
    label: LabelView | None
    """Label of the page; None if there is none."""


def inspect(key: DocumentKey, block: int, graph: str, link: str) -> InspectedPage:
    """Inspect a page, showing the blocks around one of them.

    ``graph`` is one of `GRAPHS`, ``link`` the prefix of the address of a block's details, followed
    by its number. Raises the errors of `thresher.extract`.
    """
    return _show(open_document(key), key, block, graph, link)


def inspect_block(
    key: DocumentKey, block: int, graph: str, link: str
) -> tuple[InspectedPage, Detail | None]:
    """Inspect a page, and return the details of the block too; the page is extracted once."""
    document = open_document(key)
    return _show(document, key, block, graph, link), describe_block(document, block)


def _show(document: Document, key: DocumentKey, block: int, graph: str, link: str) -> InspectedPage:
    explanation = explain(document, _params_of(key), effects=False)
    blocks = explanation.blocks
    start, stop = window_of(len(blocks), block)
    styles = [_style_of(each) for each in blocks[start:stop]]
    drawn, limit = _draw(explanation, graph, link)
    result, is_cut = _write_result(document)
    label = key.source.label
    return InspectedPage(
        title=explanation.title or explanation.url or key.source.name or "Untitled page",
        url=explanation.url,
        host=host_of(explanation.url),
        verdict=explanation.verdict.value,
        evidence=explanation.obstacle.evidence if explanation.obstacle else None,
        page_type=explanation.page_type.name if explanation.page_type else None,
        confidence=explanation.confidence,
        summary=explanation.summary,
        origin=explanation.source,
        n_word=explanation.n_word,
        n_kept_word=explanation.n_kept_word,
        n_block=len(blocks),
        n_kept_block=sum(each.block.kept for each in blocks),
        start=start,
        stop=stop,
        graph=drawn,
        limit=limit,
        markup=annotate(document.page, document.selection.keep, styles, start, link),
        result=result,
        is_cut=is_cut,
        n_forced=sum("by a rule of the site" in each.block.reason for each in blocks),
        label=None if label is None else compare_with_label(document.text, label),
    )


def _params_of(key: DocumentKey) -> Any:
    _, params = key.chosen.select_request(key.model).resolve()
    return params


def _style_of(each: ExplainedBlock) -> BlockStyle:
    block = each.block
    side = "hi" if each.lean >= 0 else "lo"
    shade = round(abs(each.lean) * _N_BUCKET)
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
            each.block.index,
            measure.value(each),
            each.block.kept,
            "in" if each.block.kept else "out",
            f"{each.block.index + 1} · {'kept' if each.block.kept else 'dropped'} · "
            f"{measure.format_value(measure.value(each))}\n{excerpt(each.block.text, _NOTE_CHARS)}",
        )
        for each in explanation.blocks
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


@dataclass(frozen=True, slots=True)
class _Measure:
    title: str
    value: Callable[[ExplainedBlock], float]
    format_value: Callable[[float], str]
    threshold: Callable[[Explanation], Threshold | None]


def _default_of(method: str, name: str) -> float:
    (found,) = (each for each in find_algorithm(method).parameters() if each.name == name)
    return float(found.default)


def _limit_of_density(_: Explanation) -> Threshold:
    return Threshold(
        _default_of("density_lines", "min_density"), "fixed threshold of Champandard 2007"
    )


def _limit_of_length(explanation: Explanation) -> Threshold:
    share = _default_of("max_density", "cutoff_share")
    longest = max((each.n_char for each in explanation.blocks), default=0)
    return Threshold(
        share * longest, f"cutoff of Arias, Deschacht, Moens 2009: {share:.1%} of the longest block"
    )


def _limit_of_score(explanation: Explanation) -> Threshold | None:
    limit = explanation.limit
    return Threshold(limit.score, limit.label) if limit else None


_MEASURES: Final = {
    "density": _Measure(
        "Text density in the source",
        lambda each: each.density,
        lambda value: f"{value:.0%}",
        _limit_of_density,
    ),
    "length": _Measure(
        "Text length in characters",
        lambda each: float(each.n_char),
        lambda value: f"{value:,.0f}",
        _limit_of_length,
    ),
    "score": _Measure("Score", lambda each: each.block.score, format_score, _limit_of_score),
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
