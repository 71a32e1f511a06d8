"""Runs of methods over labelled pages, scoring what they extract."""

from __future__ import annotations

import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final, Protocol

from thresher.algorithms import Select
from thresher.errors import ThresherError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.metrics import DEFAULT_METRICS, METRICS, Score, check_metrics
from thresher.evaluation.titles import read_headings, remove_titles
from thresher.extraction import extract
from thresher.page.parse import parse

__all__ = ["Contender", "Finder", "Found", "PageResult", "Plan", "evaluate", "evaluate_page"]

_WAITING_PER_JOB: Final = 4
"""Pages submitted per job and not yet scored: enough to keep it busy, few enough to hold."""


@dataclass(frozen=True, slots=True)
class Found:
    """The text found on one page."""

    text: str
    cpu_s: float
    """Processor seconds from HTML to text."""
    is_empty: bool
    """Whether there is no main content, as far as the finder can determine."""
    error: str | None = None
    """The error, if any; the text is then empty."""
    confidence: float | None = None
    """The F1 that the finder expects to reach, 0 to 1, if it estimates it."""


class Finder(Protocol):
    """Anything that finds main content on labelled pages, under its name in tables."""

    @property
    def name(self) -> str:
        """Its name."""

    def find(self, page: LabelledPage) -> Found:
        """Find the main content; an exception counts as an error on the page."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A method with its parameters, as `extract` takes them: a finder."""

    name: str
    method: str | Select
    params: Mapping[str, object] | Any = None
    params_of: Callable[[LabelledPage], Mapping[str, object]] | None = None
    """The parameters for each page; they replace ``params``."""

    def find(self, page: LabelledPage) -> Found:
        """Run the method on the page; raises as `extract` does."""
        params = self.params_of(page) if self.params_of else self.params
        began = time.thread_time()
        document = extract(page.html, url=page.url, method=self.method, params=params)
        text = document.text
        cpu_s = time.thread_time() - began
        is_empty = not document.selection.keep.any()
        return Found(text, cpu_s, is_empty=is_empty, confidence=document.confidence)


@dataclass(frozen=True, slots=True)
class Plan:
    """The contenders and metrics of an evaluation; UsageError for an invalid plan."""

    contenders: tuple[Finder, ...]
    metrics: tuple[str, ...] = DEFAULT_METRICS
    """Names of `METRICS`."""
    without_title: bool = False
    """Remove the title from the found text and from the gold before they are compared."""

    def __post_init__(self) -> None:
        check_metrics(self.metrics)


@dataclass(frozen=True, slots=True)
class PageResult:
    """The result of one method on one page."""

    corpus: str
    page: str
    """The page's id in its corpus."""
    method: str
    scores: Mapping[str, Score] = field(hash=False)
    """By metric, in the requested order."""
    n_byte: int
    """Bytes of the HTML as UTF-8."""
    cpu_s: float
    """Processor seconds from HTML to text."""
    is_empty: bool
    """Whether the method found no main content."""
    error: str | None = None
    """The error, if any; the scores are then those of an empty text."""
    page_type: str | None = None
    url: str | None = None
    confidence: float | None = None
    """The F1 that the method expected to reach, 0 to 1, if it estimates it."""


def evaluate(pages: Iterable[LabelledPage], plan: Plan, *, n_job: int = 1) -> Iterator[PageResult]:
    """Score each contender on each page that has a text label, page by page, in order.

    With ``n_job`` above 1 pages are distributed to that many processes, which changes nothing but
    the times. Functions among the contenders must then be importable. Raises ThresherError if one
    of the processes dies.
    """
    labelled = (page for page in pages if page.text is not None)
    if n_job > 1:
        yield from _evaluate_parallel(labelled, plan, n_job)
        return
    for page in labelled:
        yield from evaluate_page(page, plan)


def evaluate_page(page: LabelledPage, plan: Plan) -> list[PageResult]:
    """Score each contender on one page; an exception of a method becomes its result's error."""
    n_byte = len(page.html.encode("utf-8", "surrogatepass"))
    titles = _read_titles(page) if plan.without_title else []
    gold = remove_titles(page.text or "", titles)
    results = []
    for contender in plan.contenders:
        found = _find(contender, page)
        text = remove_titles(found.text, titles)
        results.append(
            PageResult(
                corpus=page.corpus,
                page=page.id,
                method=contender.name,
                scores={name: METRICS[name].score(text, gold) for name in plan.metrics},
                n_byte=n_byte,
                cpu_s=found.cpu_s,
                is_empty=found.is_empty,
                error=found.error,
                page_type=page.page_type,
                url=page.url,
                confidence=found.confidence,
            )
        )
    return results


def _find(contender: Finder, page: LabelledPage) -> Found:
    began = time.thread_time()
    try:
        return contender.find(page)
    except Exception as reason:  # a page must never abort the run; the tables count it
        return Found("", time.thread_time() - began, is_empty=True, error=_explain(reason))


def _read_titles(page: LabelledPage) -> list[str]:
    """Return the label's title and the headings; none of a page that cannot be read."""
    try:
        return [page.title or "", *read_headings(parse(page.html))]
    except ThresherError:
        return [page.title or ""]


def _evaluate_parallel(
    pages: Iterable[LabelledPage], plan: Plan, n_job: int
) -> Iterator[PageResult]:
    # Both take longer to import than a small run takes.
    import multiprocessing  # noqa: PLC0415
    from concurrent.futures import Future, ProcessPoolExecutor  # noqa: PLC0415
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    # A fork would copy the locks of the caller's threads.
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
