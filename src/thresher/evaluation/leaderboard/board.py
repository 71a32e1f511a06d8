"""The leaderboard: means with their errors, paired differences, and all of it as Markdown.

A mean's standard error is that of the mean over pages: it indicates how much another sample of
pages of the same kind would change it. Two contenders are evaluated on the same pages, so their
difference page by page has an error of its own, mostly smaller than either's.

Scores of peers' outputs are kept. They change only with the label or the metrics, so a run with a
new method of ours scores that method alone. The cache key is everything a score depends on: the
peer, its version, the page, the label, the metrics and their source code.

On a shared machine only ratios of times are meaningful, and only between runs close in time. So
every contender processes a page before the next page comes; a page's time is its fastest of several
rounds; and times are compared on the same page. Loading is not timed.
"""

from __future__ import annotations

import hashlib
import heapq
import inspect
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from math import hypot
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final

from thresher.errors import ThresherError
from thresher.evaluation import evaluate as evaluation
from thresher.evaluation import metrics, tokens
from thresher.evaluation.command import DIGEST_CHARS, join_parts, write_table
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.evaluate import PageResult, Plan, evaluate
from thresher.evaluation.leaderboard.peer_runs import Entrant, connect, key_of
from thresher.evaluation.metrics import METRICS, Score, standard_error
from thresher.evaluation.summary import (
    MEAN_OF_CORPORA,
    EvaluationRun,
    format_versions,
    group_by,
)

_TABLE: Final = """
    CREATE TABLE IF NOT EXISTS scores (
        peer TEXT, version TEXT, page BLOB, task BLOB, result TEXT,
        PRIMARY KEY (peer, version, page, task)
    )
"""
ROUNDS: Final = 3
Time = Callable[[LabelledPage], float | None]
"""Processor seconds on a page, None if the contender failed."""
_NEVER: Final = float("inf")


def score_all(
    entrants: Sequence[Entrant],
    pages: Callable[[], Iterable[LabelledPage]],
    plan: Plan,
    kept: Path,
    *,
    n_job: int = 1,
) -> Iterator[PageResult]:
    """Score peer outputs on labelled pages, or read cached scores; cached ones come first.

    ``pages`` returns a new iterable each time it is called. The contenders of the plan are ignored.
    Raises the errors of `evaluate`.
    """
    if not entrants:
        return
    file = connect(kept, _TABLE)
    try:
        unknown = set()
        for number, page in enumerate(pages()):
            recalled = [_recall(file, entrant, page, plan) for entrant in entrants]
            results = [result for result in recalled if result is not None]
            if len(results) == len(entrants):
                yield from results
            else:
                unknown.add(number)
        left = (page for number, page in enumerate(pages()) if number in unknown)
        waiting: dict[str, LabelledPage] = {}

        def remember() -> Iterator[LabelledPage]:
            for page in left:
                waiting[page.id] = page
                yield page

        by_name = {entrant.name: entrant for entrant in entrants}
        for result in evaluate(remember(), replace(plan, contenders=tuple(entrants)), n_job=n_job):
            entrant, page = by_name[result.method], waiting[result.page]
            _keep(file, entrant, page, plan, result)
            if entrant is entrants[-1]:
                del waiting[result.page]
            yield result
    finally:
        file.close()


def _recall(
    file: sqlite3.Connection, entrant: Entrant, page: LabelledPage, plan: Plan
) -> PageResult | None:
    row = file.execute(
        "SELECT result FROM scores WHERE peer = ? AND version = ? AND page = ? AND task = ?",
        (*entrant.key, key_of(page), _task_of(page, plan)),
    ).fetchone()
    if row is None:
        return None
    fields = json.loads(row[0])
    scores = {name: Score(*values) for name, values in fields.pop("scores").items()}
    return PageResult(
        corpus=page.corpus,
        page=page.id,
        method=entrant.name,
        scores={name: scores[name] for name in plan.metrics},
        page_type=page.page_type,
        url=page.url,
        **fields,
    )


def _keep(
    file: sqlite3.Connection, entrant: Entrant, page: LabelledPage, plan: Plan, result: PageResult
) -> None:
    fields = {
        "scores": result.scores,
        "n_byte": result.n_byte,
        "cpu_s": result.cpu_s,
        "is_empty": result.is_empty,
        "error": result.error,
    }
    with file:
        file.execute(
            "INSERT OR REPLACE INTO scores VALUES (?, ?, ?, ?, ?)",
            (*entrant.key, key_of(page), _task_of(page, plan), json.dumps(fields)),
        )


def _task_of(page: LabelledPage, plan: Plan) -> bytes:
    """Return the digest of what a page's scores depend on, apart from the output."""
    parts = [page.text, page.title, sorted(plan.metrics), plan.without_title, _source_digest()]
    return hashlib.sha256(json.dumps(parts).encode("ascii")).digest()


@cache
def _source_digest() -> str:
    sources = [inspect.getsource(module) for module in (evaluation, metrics, tokens)]
    return hashlib.sha256("\0".join(sources).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Speed:
    """The time of one contender divided by that of the reference, page by page."""

    name: str
    n_page: int
    """Pages on which neither of the two failed."""
    median_ratio: float
    mean_ratio: float
    """The sum of its times divided by the sum of the reference's."""


def draw_pages(pages: Iterable[LabelledPage], count: int) -> list[LabelledPage]:
    """Draw pages independently of their order: those with the smallest digests."""
    return heapq.nsmallest(count, pages, key=key_of)


def measure(
    pages: Sequence[LabelledPage], times: Mapping[str, Time], reference: str
) -> list[Speed]:
    """Measure contenders on the same pages; ``reference`` is the one whose ratios are 1.

    Those that succeed on no page are left out.
    """
    best: dict[str, list[float]] = {name: [_NEVER] * len(pages) for name in times}
    for place, page in enumerate(pages):
        for _ in range(ROUNDS):
            for name, time in times.items():
                best[name][place] = min(best[name][place], _or_nothing(time, page))
    speeds = []
    for name, own in best.items():
        pairs = zip(own, best[reference], strict=True)
        both = [(a, b) for a, b in pairs if a < _NEVER and 0 < b < _NEVER]
        if both:
            ratios = [a / b for a, b in both]
            mean = fmean(a for a, _ in both) / fmean(b for _, b in both)
            speeds.append(Speed(name, len(both), median(ratios), mean))
    return speeds


def _or_nothing(time: Time, page: LabelledPage) -> float:
    try:
        cpu_s = time(page)
    except ThresherError:
        return _NEVER
    return _NEVER if cpu_s is None else cpu_s


Group = Callable[[PageResult], str | None]
"""The column a page counts in, None for none."""
Means = Mapping[tuple[str, str], "Mean"]
"""By method and column."""
_SURE: Final = 2.0
"""Standard errors beyond which a difference is marked; chance exceeds them in 1 of 20 cases."""
_MEAN: Final = "mean"


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its standard error; for a single value the error is unknown, and 0 here."""

    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Entry:
    """The description of a peer or a method for readers."""

    name: str
    version: str
    settings: str
    is_ours: bool
    problem: str | None = None
    """Why it did not take part."""


@dataclass(frozen=True, slots=True)
class Board:
    """A run over peers and methods, with their speed."""

    run: EvaluationRun
    entries: tuple[Entry, ...]
    """All that were requested, in the order of `EvaluationRun.methods`; then those that did not
    take part."""
    reference: str
    """The contender whose time is 1."""
    default: str | None
    """Our default method, if it took part."""
    n_speed_page: int
    speeds: tuple[Speed, ...]
    notes: tuple[str, ...] = ()

    def means(self, metric: str, group: Group) -> Means:
        """Return the mean F1 of each method in each group, in the order of the results."""
        by_place = group_by(self.run.results, lambda result: (result.method, group(result)))
        return {
            (method, name): mean_of([result.scores[metric].f1 for result in own])
            for (method, name), own in by_place.items()
            if name is not None
        }

    def corpus_means(self, metric: str) -> Means:
        """Return the mean F1 by method and corpus, and with several corpora their mean."""
        return _with_mean(self.means(metric, lambda result: result.corpus), self.run)

    def differences(self, metric: str, rival: str) -> Means:
        """Return the difference of each method's F1 to a rival's, page by page."""
        by_place = group_by(self.run.results, lambda result: (result.method, result.corpus))
        f1 = {
            place: {result.page: result.scores[metric].f1 for result in own}
            for place, own in by_place.items()
        }
        means = {
            (method, corpus): mean_of([own[page] - f1[rival, corpus][page] for page in own])
            for (method, corpus), own in f1.items()
            if method != rival
        }
        return _with_mean(means, self.run)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        return {
            **self.run.as_dict(),
            "entries": [asdict(entry) for entry in self.entries],
            "reference": self.reference,
            "speeds": [asdict(speed) for speed in self.speeds],
            "notes": list(self.notes),
        }


def mean_of(values: Sequence[float]) -> Mean:
    """Return the mean of values, and its standard error."""
    return Mean(fmean(values), standard_error(values))


def mean_of_means(means: Sequence[Mean]) -> Mean:
    """Return the mean of independent means, each with the same weight."""
    error = hypot(*(mean.error for mean in means)) / len(means)
    return Mean(fmean(mean.value for mean in means), error)


def _with_mean(means: Means, run: EvaluationRun) -> Means:
    if len(run.corpora) < 2:
        return means
    by_method = group_by(means, lambda place: place[0])
    whole = {
        (method, MEAN_OF_CORPORA): mean_of_means([means[place] for place in places])
        for method, places in by_method.items()
    }
    return {**means, **whole}


def write_board(board: Board) -> str:
    """Write a leaderboard as Markdown."""
    parts = [
        *_write_head(board),
        *_write_scores(board),
        *_write_page_types(board),
        *_write_differences(board),
        *_write_speed(board),
        *_write_entries(board),
        *_write_corpora(board),
        *_write_notes(board),
    ]
    return join_parts(parts)


def _write_head(board: Board) -> Iterator[str]:
    run = board.run
    yield f"# Leaderboard of {run.corpora[0].name}" if len(run.corpora) == 1 else "# Leaderboard"
    yield (
        "Other extractors and Thresher's methods (in italics) on the same labelled pages. "
        "[Evaluation](../../docs/evaluation.md) defines the metrics. Produced by"
    )
    yield f"    {run.command}"
    yield f"{run.date}, {format_versions(run.versions)}."
    policy = (
        "The title is removed from the extracted text and from the label before they are compared. "
        if run.without_title
        else "Texts are compared unchanged, with the title if they contain it. "
    )
    yield (
        f"{policy}Scores are the mean F1 over pages in per cent, ± the standard error of the mean. "
        "The mean gives each corpus the same weight. The best of each column is bold."
    )


def _write_scores(board: Board) -> Iterator[str]:
    for metric in board.run.metrics:
        about = METRICS[metric]
        means = board.corpus_means(metric)
        if means:
            yield f"## {about.title} by corpus"
            yield f"{about.summary.capitalize()} ({about.source})."
            yield _write_means(board, means)


def _write_page_types(board: Board) -> Iterator[str]:
    metric = board.run.metrics[0]
    for corpus in board.run.corpora:
        kind_of = partial(_page_type_in, corpus.name)
        counts = Counter(filter(None, map(kind_of, board.run.results)))
        if len(counts) > 1:
            yield f"## {METRICS[metric].title} by page type: {corpus.name}"
            n_page = {kind: n // len(board.run.methods) for kind, n in counts.most_common()}
            yield "Pages: " + ", ".join(f"{kind} {n:,}" for kind, n in n_page.items()) + "."
            yield _write_means(board, board.means(metric, kind_of), list(n_page))


def _page_type_in(corpus: str, result: PageResult) -> str | None:
    return result.page_type if result.corpus == corpus else None


def _write_means(
    board: Board,
    means: Means,
    columns: Sequence[str] | None = None,
    write: Callable[[Mean, float], str] | None = None,
) -> str:
    """Write one row per method, the highest mean first; the mean of corpora is beside the name.

    ``write`` writes a cell, given the best mean of its column.
    """
    columns = columns or list(dict.fromkeys(column for _, column in means))
    columns = sorted(columns, key=lambda column: column != MEAN_OF_CORPORA)
    methods = [name for name in board.run.methods if (name, columns[0]) in means]
    methods.sort(key=lambda name: -means[name, columns[0]].value)
    best = {column: max(means[name, column].value for name in methods) for column in columns}
    write = write or _score
    rows = [
        [_name(board, name), *(write(means[name, column], best[column]) for column in columns)]
        for name in methods
    ]
    return write_table(["", *(_MEAN if c == MEAN_OF_CORPORA else c for c in columns)], rows)


def _write_differences(board: Board) -> Iterator[str]:
    if board.default is None or len(board.run.methods) < 2:
        return
    metric = board.run.metrics[0]
    means = board.differences(metric, board.default)
    if not means:
        return
    yield f"## {METRICS[metric].title}: difference to {board.default}"
    yield (
        f"Points above our default, {board.default}: the mean of the differences page by page, ± "
        f"its standard error. Differences of more than {_SURE:g} errors are bold."
    )
    yield _write_means(board, means, write=_difference)


def _write_speed(board: Board) -> Iterator[str]:
    if not board.speeds:
        return
    yield "## Speed"
    yield (
        f"Processor time from HTML to text, relative to {board.reference} on the same page, for "
        f"{board.n_speed_page} pages drawn evenly from the corpora. Every page is processed by all "
        "extractors before the next one; the fastest of three times counts, without loading. The "
        "median is that of the ratios of pages. The mean is the ratio of the sums, in which long "
        "pages have more weight. Ratios depend less on the machine than times."
    )
    rows = [
        [_name(board, speed.name), f"{speed.median_ratio:.2f}", f"{speed.mean_ratio:.2f}"]
        for speed in sorted(board.speeds, key=lambda speed: speed.median_ratio)
    ]
    yield write_table(["", "median", "mean"], rows)


def _write_entries(board: Board) -> Iterator[str]:
    yield "## Who took part"
    rows = []
    for entry in board.entries:
        failed = sum(
            result.error is not None for result in board.run.results if result.method == entry.name
        )
        part = entry.problem or f"{failed:,}"
        rows.append([_name(board, entry.name), entry.version, f"`{entry.settings}`", part])
    yield write_table(["", "version", "called as", "pages failed"], rows, n_text=4)
    yield "A page on which an extractor failed counts as if it had found nothing."


def _write_corpora(board: Board) -> Iterator[str]:
    yield "## Corpora"
    rows = [
        [
            corpus.name,
            corpus.role or "",
            f"`{corpus.sha256[:DIGEST_CHARS]}`" if corpus.sha256 else "",
            f"{corpus.n_page:,}",
        ]
        for corpus in board.run.corpora
    ]
    yield write_table(["corpus", "role", "SHA-256 begins", "pages"], rows, n_text=3)


def _write_notes(board: Board) -> Iterator[str]:
    if board.notes:
        yield "## Notes"
        yield "\n".join(f"- {note}" for note in board.notes)


def _name(board: Board, name: str) -> str:
    is_ours = any(entry.is_ours for entry in board.entries if entry.name == name)
    return f"*{name}*" if is_ours else name


def _score(mean: Mean, best: float) -> str:
    value = f"{mean.value * 100:.1f}"
    value = f"**{value}**" if value == f"{best * 100:.1f}" else value
    return f"{value} ± {mean.error * 100:.1f}"


def _difference(mean: Mean, _: float) -> str:
    value = f"{mean.value * 100:+.1f}".replace("-", "−")
    is_sure = abs(mean.value) > _SURE * mean.error
    return f"{f'**{value}**' if is_sure else value} ± {mean.error * 100:.1f}"
