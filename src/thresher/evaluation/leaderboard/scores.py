"""Scores of peers' outputs, which are kept, and the relative speed of peers and methods.

Scores change only with the label or the metrics, so a run with a new method of ours scores that
method alone. The cache key is everything a score depends on: the peer, its version, the page, the
label, the metrics and their source code.

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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import fmean, median
from typing import Final

from thresher.errors import ThresherError
from thresher.evaluation import evaluate as evaluation
from thresher.evaluation import metrics, tokens
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.evaluate import PageResult, Plan, evaluate
from thresher.evaluation.leaderboard.peer_runs import Entrant, connect, key_of
from thresher.evaluation.metrics import Score

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
    best: dict[str, list[float]] = {name: [] for name in times}
    for page in pages:
        taken: dict[str, list[float]] = {name: [] for name in times}
        for _ in range(ROUNDS):
            for name, time in times.items():
                taken[name].append(_or_nothing(time, page))
        for name in times:
            best[name].append(min(taken[name]))
    speeds = []
    for name, own in best.items():
        both = [(a, b) for a, b in zip(own, best[reference], strict=True) if max(a, b) < _NEVER]
        both = [(a, b) for a, b in both if b > 0]
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
