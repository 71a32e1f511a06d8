"""Cached scores of peer outputs: they change only with the label or the metrics.

So a run with a new method of ours scores that method alone. The cache key is everything a score
depends on: the peer, its version, the page, the label, the metrics and their source code.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from thresher.evaluation import lcs, metrics, titles, tokens
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.evaluate import PageResult, Plan, evaluate
from thresher.evaluation.leaderboard.outputs import connect, key_of
from thresher.evaluation.leaderboard.peer_runs import Entrant
from thresher.evaluation.metrics import Score

__all__ = ["score_all"]

_TABLE: Final = """
    CREATE TABLE IF NOT EXISTS scores (
        peer TEXT, version TEXT, page BLOB, task BLOB, result TEXT,
        PRIMARY KEY (peer, version, page, task)
    )
"""


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
    file: sqlite3.Connection,
    entrant: Entrant,
    page: LabelledPage,
    plan: Plan,
    result: PageResult,
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
    sources = [inspect.getsource(module) for module in (lcs, metrics, titles, tokens)]
    return hashlib.sha256("\0".join(sources).encode()).hexdigest()
