"""The metrics of WebMainBench, for whoever has its file: similarity of text, code and so on.

A JSON line has a page (``html``, ``url``, ``track_id``) and its content as Markdown
(``convert_main_content``, or ``groundtruth_content``). Each metric but TEDS is 1 minus the
Levenshtein distance over the length of the longer text: of the whole Markdown, of all code, of all
formulas, and of the cells of all tables, a row a line. TEDS compares the tables in order. A metric
applies where either side has what it compares; the overall score of a page is the mean of those
that apply, that of a tool the mean over pages.

Code, formulas and tables are what a CommonMark library reads as such; the benchmark's own program
looks for them by patterns, so its figures may differ a little.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from thresher.errors import InputError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.fidelity.cases import render_markdown
from thresher.evaluation.fidelity.measure import OURS, write_ours
from thresher.evaluation.fidelity.score import score_teds, text_similarity
from thresher.evaluation.fidelity.structure import PageStructure, read_structure
from thresher.evaluation.leaderboard.peer_runs import Entrant, Outputs, Process, ask_each

METRICS: Final = ("text", "code", "formula", "table", "TEDS")
_MARKDOWN: Final = ("convert_main_content", "groundtruth_content")
"""Fields that hold the expected Markdown."""


class BenchPage(NamedTuple):
    """A page of the benchmark and its expected Markdown."""

    id: str
    url: str | None
    html: str
    markdown: str


def read_pages(file: Path, count: int | None = None) -> Iterator[BenchPage]:
    """Read the first ``count`` pages of a file of JSON lines; InputError if it is not one."""
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(filter(str.strip, lines)):
                if number == count:
                    return
                yield _read_page(json.loads(line), number)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{file}: not a file of WebMainBench: {error}") from error


def _read_page(fields: Any, number: int) -> BenchPage:
    if not isinstance(fields, dict):
        raise ValueError("a line is no object")
    markdown = next((fields[name] for name in _MARKDOWN if fields.get(name)), "")
    return BenchPage(
        str(fields.get("track_id") or fields.get("id") or number),
        fields.get("url") or None,
        str(fields["html"]),
        str(markdown),
    )


def score_markdown(found: str, gold: str) -> dict[str, float]:
    """Score Markdown by each metric that applies, and ``overall``; 0 to 1."""
    first, second = (read_structure(render_markdown(each)) for each in (found, gold))
    pairs = {
        "text": (found, gold),
        "code": (_join_code(first), _join_code(second)),
        "formula": ("\n".join(first.formulas), "\n".join(second.formulas)),
        "table": (_join_cells(first), _join_cells(second)),
    }
    scores = {name: text_similarity(*pair) for name, pair in pairs.items() if any(pair)}
    if "table" in scores:
        tables = zip_longest(first.tables, second.tables)
        scores["TEDS"] = fmean(score_teds(a, b) if a and b else 0.0 for a, b in tables)
    scores["overall"] = fmean(scores.values()) if scores else 1.0
    return scores


def write_bench(
    pages: Iterable[BenchPage], entrants: Mapping[Entrant, Process], outputs: Outputs
) -> str:
    """Convert and score every page; return a table with a row per tool, in per cent.

    Raises ThresherError if a peer cannot be started.
    """
    results: dict[str, list[dict[str, float]]] = {OURS: []}
    for page in pages:
        markdown, _, _ = write_ours(page.html, page.url, "page")
        results[OURS].append(score_markdown(markdown, page.markdown))
        asked_page = LabelledPage("webmainbench", page.id, page.html, page.url)
        for name, answer in ask_each(entrants, asked_page, outputs):
            results.setdefault(name, []).append(score_markdown(answer.found, page.markdown))
    names = ("overall", *METRICS)
    lines = [f"| tool | {' | '.join(names)} | pages |", "|---|" + "---:|" * (len(names) + 1)]
    for tool, scores in results.items():
        cells = [_format_mean(scores, name) for name in names]
        lines.append(f"| {tool} | {' | '.join(cells)} | {len(scores)} |")
    return "\n".join(lines)


def _format_mean(scores: Sequence[Mapping[str, float]], name: str) -> str:
    values = [each[name] for each in scores if name in each]
    return f"{fmean(values) * 100:.1f}" if values else "–"


def _join_code(structure: PageStructure) -> str:
    return "\n".join(code.text for code in structure.code)


def _join_cells(structure: PageStructure) -> str:
    return "\n".join(" ".join(row) for grid in structure.tables for row in grid)
