"""Run methods over labelled pages and score what they find."""

from __future__ import annotations

import time
import traceback
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from thresher.algorithms import Select
from thresher.document import Verdict
from thresher.errors import ThresherError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.metrics import DEFAULT_METRICS, METRICS, Score, check_metrics
from thresher.evaluation.titles import read_headings, remove_titles
from thresher.extract import extract

__all__ = ["Contender", "PageResult", "Plan", "evaluate", "evaluate_page"]

_WAITING_PER_JOB: Final = 4
"""Pages handed out and not yet scored, a job: enough to keep it busy, few enough to hold."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A method with its parameters, as `extract` takes them, under the name tables give it."""

    name: str
    method: str | Select
    params: Mapping[str, object] | Any = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run on every page, and how it is scored; UsageError where that cannot be done."""

    contenders: tuple[Contender, ...]
    metrics: tuple[str, ...] = DEFAULT_METRICS
    """Names of `METRICS`."""
    without_title: bool = False
    """Take the title off what is found and off the gold, before they are compared."""

    def __post_init__(self) -> None:
        check_metrics(self.metrics)


@dataclass(frozen=True, slots=True)
class PageResult:
    """What one method made of one page."""

    corpus: str
    page: str
    """The page's id in its corpus."""
    method: str
    scores: Mapping[str, Score] = field(hash=False)
    """By metric, in the order asked for."""
    n_byte: int
    """Bytes of the HTML as UTF-8."""
    cpu_s: float
    """Processor seconds from HTML to text."""
    is_empty: bool
    """Whether the method found no main content."""
    error: str | None = None
    """What went wrong; the scores are then those of an empty text."""
    page_type: str | None = None
    url: str | None = None


def evaluate(pages: Iterable[LabelledPage], plan: Plan, *, n_job: int = 1) -> Iterator[PageResult]:
    """Score each contender on each page that has a text label, page by page, in order.

    With ``n_job`` above 1 pages are shared out among so many processes, which changes nothing but
    the times. Functions among the contenders must then be importable. Raises ThresherError where
    one of the processes dies.
    """
    labelled = (page for page in pages if page.text is not None)
    if n_job > 1:
        yield from _evaluate_parallel(labelled, plan, n_job)
        return
    for page in labelled:
        yield from evaluate_page(page, plan)


def evaluate_page(page: LabelledPage, plan: Plan) -> list[PageResult]:
    """Score each contender on one page; what a method raises becomes its result's error."""
    n_byte = len(page.html.encode("utf-8", "surrogatepass"))
    return [_evaluate_one(page, contender, plan, n_byte) for contender in plan.contenders]


def _evaluate_one(page: LabelledPage, contender: Contender, plan: Plan, n_byte: int) -> PageResult:
    found, is_empty, error = "", True, None
    titles = [page.title or ""]
    cpu_s = None
    began = time.thread_time()
    try:
        document = extract(
            page.html, url=page.url, method=contender.method, params=contender.params
        )
        found = document.text
        cpu_s = time.thread_time() - began
        is_empty = document.verdict is Verdict.NO_MAIN_CONTENT
        if plan.without_title:
            titles += read_headings(document.page)
    except Exception as reason:  # a page never takes the run down; the tables count it
        error = _explain(reason)
    gold = page.text or ""
    if plan.without_title:
        found, gold = remove_titles(found, titles), remove_titles(gold, titles)
    return PageResult(
        corpus=page.corpus,
        page=page.id,
        method=contender.name,
        scores={name: METRICS[name].score(found, gold) for name in plan.metrics},
        n_byte=n_byte,
        cpu_s=time.thread_time() - began if cpu_s is None else cpu_s,
        is_empty=is_empty,
        error=error,
        page_type=page.page_type,
        url=page.url,
    )


def _evaluate_parallel(
    pages: Iterable[LabelledPage], plan: Plan, n_job: int
) -> Iterator[PageResult]:
    # Both cost more to import than a small run takes.
    import multiprocessing  # noqa: PLC0415
    from concurrent.futures import Future, ProcessPoolExecutor  # noqa: PLC0415
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    # A fork would copy the locks of whatever threads the caller runs.
    context = multiprocessing.get_context("spawn")
    remaining = iter(pages)
    with ProcessPoolExecutor(n_job, mp_context=context) as pool:
        waiting: deque[Future[list[PageResult]]] = deque()

        def hand_out(count: int) -> None:
            waiting.extend(pool.submit(evaluate_page, p, plan) for p in islice(remaining, count))

        try:
            hand_out(n_job * _WAITING_PER_JOB)
            while waiting:
                yield from waiting.popleft().result()
                hand_out(1)
        except BrokenProcessPool as error:
            raise ThresherError("a process that evaluated pages died") from error
        finally:
            pool.shutdown(cancel_futures=True)


def _explain(error: Exception) -> str:
    if isinstance(error, ThresherError):
        return str(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
