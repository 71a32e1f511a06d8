"""Runs of methods over labelled pages, scoring what they extract.

Titles can be removed before texts are compared, since labels disagree on whether they are content:
the share of labels that begin with the title ranges from none in one corpus to nine in ten in
another (both of news), so a score with it depends more on the label's policy than on the method.
"""

from __future__ import annotations

import re
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from thresher.algorithms import Select
from thresher.errors import ThresherError
from thresher.evaluation.block_losses import (
    BlockGold,
    BlockLosses,
    count_losses,
    flag_kept,
    flag_shown,
    read_role_gold,
    read_text_gold,
)
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.metrics import DEFAULT_METRICS, METRICS, Score, check_metrics
from thresher.evaluation.role_labels.labels import RoleLabel, RoleLabels, label_of
from thresher.extraction import extract_request, select
from thresher.page import Page
from thresher.page.parse import parse
from thresher.page.rows import BoolArray
from thresher.request import SelectRequest
from thresher.roles import NO_ROLE, ROLES

_WAITING_PER_JOB: Final = 4
"""Pages submitted per job and not yet scored: enough to keep it busy, few enough to hold."""
MAX_TITLE_CHARS: Final = 300
"""Characters, white space included. A longer "title" is a heading that was never closed."""
_WORD_CHAR: Final = re.compile(r"\w")


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
    kept: BoolArray | None = field(default=None, compare=False)
    """The blocks that are kept, if the finder knows blocks; bool[n_block]."""


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
        document = extract_request(page.html, SelectRequest(self.method, params), url=page.url)
        text = document.text
        cpu_s = time.thread_time() - began
        is_empty = not document.selection.keep.any()
        kept = flag_kept(document.selection)
        return Found(text, cpu_s, is_empty=is_empty, confidence=document.confidence, kept=kept)


@dataclass(frozen=True, slots=True)
class Plan:
    """The contenders and metrics of an evaluation; UsageError for an invalid plan."""

    contenders: tuple[Finder, ...]
    metrics: tuple[str, ...] = DEFAULT_METRICS
    """Names of `METRICS`."""
    without_title: bool = False
    """Remove the title from the found text and from the gold before they are compared."""
    by_blocks: bool = False
    """Also count holes, foreign words and perfect pages."""

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
    losses: BlockLosses | None = None
    """What was lost and kept wrongly, if the plan asks for it and the page can be aligned."""


def evaluate(
    pages: Iterable[LabelledPage], plan: Plan, *, labels: RoleLabels | None = None, n_job: int = 1
) -> Iterator[PageResult]:
    """Score each contender on each page that has a text label, page by page, in order.

    If the plan counts by blocks, ``labels`` are role labels: they say which blocks are titles,
    bylines and dates, and a page without a text label is scored by its labelled blocks.

    With ``n_job`` above 1 pages are distributed to that many processes, which changes nothing but
    the times. Functions among the contenders must then be importable. Raises ThresherError if one
    of the processes dies.
    """
    role_labels = labels or {}
    labelled = (
        (page, role_labels.get((page.corpus, page.id), ()))
        for page in pages
        if page.text is not None or (plan.by_blocks and (page.corpus, page.id) in role_labels)
    )
    if n_job > 1:
        yield from _evaluate_parallel(labelled, plan, n_job)
        return
    for page, readings in labelled:
        yield from evaluate_page(page, plan, readings)


def evaluate_page(
    page: LabelledPage, plan: Plan, readings: Sequence[RoleLabel] = ()
) -> list[PageResult]:
    """Score each contender on one page; an exception of a method becomes its result's error.

    ``readings`` are the role labels of the page. Nothing is returned for a page without a text
    whose blocks are no longer those that were labelled.
    """
    by_blocks = _read_block_gold(page, readings) if plan.by_blocks else None
    if page.text is None:
        if by_blocks is None:
            return []
        page = replace(page, text=by_blocks.text)
    n_byte = len(page.html.encode("utf-8", "surrogatepass"))
    titles = _read_titles(page) if plan.without_title else []
    gold = remove_titles(page.text or "", titles)
    results = []
    for contender in plan.contenders:
        finding = _find(contender, page)
        text = remove_titles(finding.text, titles)
        results.append(
            PageResult(
                corpus=page.corpus,
                page=page.id,
                method=contender.name,
                scores={name: METRICS[name].score(text, gold) for name in plan.metrics},
                n_byte=n_byte,
                cpu_s=finding.cpu_s,
                is_empty=finding.is_empty,
                error=finding.error,
                page_type=page.page_type,
                url=page.url,
                confidence=finding.confidence,
                losses=_count_losses(by_blocks, finding, page.text or "") if by_blocks else None,
            )
        )
    return results


def _read_block_gold(page: LabelledPage, readings: Sequence[RoleLabel]) -> BlockGold | None:
    try:
        table = parse(page.html, url=page.url)
    except ThresherError:
        return None
    label = label_of({(page.corpus, page.id): tuple(readings)}, page, len(table.blocks))
    if page.text is None:
        return read_role_gold(table, label) if label else None
    codes = label.roles if label else _predict_roles(table)
    roles = [ROLES[code] if code != NO_ROLE else "other" for code in codes.tolist()]
    return read_text_gold(table, page.text, roles)


def _predict_roles(page: Page) -> npt.NDArray[np.int8]:
    """Return the roles that the default method predicts: here they set titles and such aside."""
    roles = select(page).role_code
    return np.full(len(page.blocks), NO_ROLE, np.int8) if roles is None else roles


def _count_losses(gold: BlockGold, found: Found, gold_text: str) -> BlockLosses | None:
    """Count by the kept blocks where both sides know blocks, else by the text that was found."""
    kept = found.kept
    # A page that was completed from its scripts has other blocks than its label.
    if not gold.is_exact or kept is None or kept.size != len(gold.page.blocks):
        kept = flag_shown(gold.page, found.text)
    return None if kept is None else count_losses(gold, kept, found.text, gold_text)


def _find(contender: Finder, page: LabelledPage) -> Found:
    began = time.thread_time()
    try:
        return contender.find(page)
    except Exception as reason:  # a page must never abort the run; the tables count it
        return Found("", time.thread_time() - began, is_empty=True, error=_explain(reason))


def _read_titles(page: LabelledPage) -> list[str]:
    try:
        return [page.title or "", *read_headings(parse(page.html))]
    except ThresherError:
        return [page.title or ""]


def _evaluate_parallel(
    pages: Iterable[tuple[LabelledPage, Sequence[RoleLabel]]], plan: Plan, n_job: int
) -> Iterator[PageResult]:
    # Both take longer to import than a small run takes.
    import multiprocessing
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    # A fork would copy the locks of the caller's threads.
    context = multiprocessing.get_context("spawn")
    remaining = iter(pages)
    with ProcessPoolExecutor(n_job, mp_context=context) as pool:
        waiting: deque[Future[list[PageResult]]] = deque()

        def hand_out(count: int) -> None:
            waiting.extend(
                pool.submit(evaluate_page, page, plan, readings)
                for page, readings in islice(remaining, count)
            )

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


def read_headings(page: Page) -> list[str]:
    """Return the texts of a page's level-one headings."""
    return [page.text_of(row) for row in page.tagged(["h1"]).nonzero()[0].tolist()]


def remove_titles(text: str, titles: Iterable[str]) -> str:
    """Remove from a text the first line that is a title, or the title at its very start.

    This is done once for each distinct title, ignoring letter case, white space and punctuation.
    Titles longer than `MAX_TITLE_CHARS` are ignored.
    """
    letters = {
        "".join(_WORD_CHAR.findall(title)).casefold(): title
        for title in titles
        if len(title) <= MAX_TITLE_CHARS
    }
    for title in letters.values():
        text = _remove_title(text, title)
    return text


def _remove_title(text: str, title: str) -> str:
    chars = [re.escape(char) for char in _WORD_CHAR.findall(title)]
    if not chars:
        return text
    # Possessive: what is matched between two letters is never given back, so a search is linear.
    spelled = r"[^\w\n]*+" + r"\W*+".join(chars) + r"(?!\w)[^\w\n]*+"
    flags = re.IGNORECASE | re.MULTILINE
    match = re.search(f"^{spelled}$", text, flags) or re.match(rf"\s*+{spelled}", text, flags)
    return text[: match.start()] + text[match.end() :] if match else text
