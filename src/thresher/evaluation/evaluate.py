"""Runs of methods over labelled pages, scoring what they extract.

Titles can be removed before texts are compared, since labels disagree on whether they are content:
the share of labels that begin with the title ranges from none in one corpus to nine in ten in
another (both of news), so a score with it depends more on the label's policy than on the method.

A word F1 of .95 hides whether one sentence is missing in the middle of a story or a date at its
end. So the blocks of a page are judged one by one: a *gold* block is content by the labels, a
*lost* one is gold and not kept, a *hole* is a lost block between two kept gold ones, *foreign*
words are those of kept blocks that are no content. A page is *perfect* without lost blocks and
foreign words. Titles, bylines and dates count neither as lost nor as foreign, and are left out of
both sides of the word F1 given there.
"""

from __future__ import annotations

import re
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from thresher.algorithms import Select
from thresher.errors import ThresherError
from thresher.evaluation.alignment import Alignment, align_blocks
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.metrics import DEFAULT_METRICS, METRICS, Score, check_metrics, score_bags
from thresher.evaluation.role_labels.labels import RoleLabel, RoleLabels, label_of
from thresher.evaluation.tokens import split_words
from thresher.extraction import extract_request, select
from thresher.page import Page
from thresher.page.parse import parse
from thresher.page.rows import BoolArray
from thresher.request import SelectRequest
from thresher.roles import NO_ROLE, ROLES
from thresher.selection import Selection

_ASIDE: Final = ("title", "byline", "date")
"""Roles that are content in some corpora and not in others."""
_CONTENT: Final = ("body", "table", "code")
_DISPUTED: Final = ("caption",)
"""Content if what it belongs to is; labels by role count it neither as lost nor as foreign."""
_THREADS: Final = ("forum", "qa")
"""Kinds of page on which comments are content."""
_MIN_SHARE: Final = 0.5
"""Share of a block's tokens from which it counts as gold, or as kept."""


@dataclass(frozen=True, slots=True, eq=False)
class BlockGold:
    """The blocks of a page as its label has them; arrays have an entry a block."""

    page: Page
    is_gold: BoolArray
    is_judged: BoolArray
    """False for blocks that count neither as lost nor as foreign: titles, bylines, dates, second
    copies of the content, and blocks without words."""
    is_aside: BoolArray
    """Titles, bylines and dates."""
    roles: Sequence[str]
    """Role of each block: labelled, or predicted."""
    is_exact: bool
    """Whether the blocks were labelled, rather than aligned with a text."""

    @property
    def text(self) -> str:
        """The text of the gold blocks."""
        blocks = np.flatnonzero(self.is_gold).tolist()
        return "\n".join(self.page.block_text(block) for block in blocks)


@dataclass(frozen=True, slots=True)
class BlockLosses:
    """What one method lost and kept wrongly on one page."""

    n_gold: int
    """Gold blocks."""
    n_lost: int
    n_hole: int
    n_gold_word: int
    n_foreign_word: int
    word: Score
    """Word F1 with titles, bylines and dates off both sides."""
    lost_words: Mapping[str, int] = field(hash=False)
    """Words of lost blocks by role."""
    foreign_words: Mapping[str, int] = field(hash=False)

    @property
    def is_perfect(self) -> bool:
        """Whether nothing is lost and nothing foreign is kept."""
        return not self.n_lost and not self.n_foreign_word


@dataclass(frozen=True, slots=True)
class BlockMeans:
    """The losses of one method over the pages of a corpus."""

    method: str
    n_page: int
    hole_pages: float
    """Share of pages with at least one hole."""
    lost_blocks: float
    """Share of gold blocks that are lost."""
    foreign_words: float
    """Foreign words per gold word, over all pages together."""
    perfect_pages: float
    """Share of pages without lost blocks and foreign words."""
    word_f1: float
    lost_by_role: Mapping[str, int] = field(hash=False)
    foreign_by_role: Mapping[str, int] = field(hash=False)


def read_text_gold(page: Page, gold: str, roles: Sequence[str]) -> BlockGold | None:
    """Align a gold text with the blocks of its page; None if they are too long for that."""
    alignment = align_blocks(page, gold)
    if alignment is None:
        return None
    is_aside = np.isin(np.array(roles, str), _ASIDE)
    is_judged = ~is_aside & ~alignment.is_copy & (alignment.tokens > 0)
    return BlockGold(page, _flag_matched(alignment), is_judged, is_aside, roles, is_exact=False)


def read_role_gold(page: Page, label: RoleLabel) -> BlockGold:
    """Tell from the labelled roles which blocks are content.

    Body, tables and code are, and in threads what others wrote. `NO_ROLE` does not occur.
    """
    roles = [ROLES[code] for code in label.roles.tolist() if code != NO_ROLE]
    content = (*_CONTENT, *(("comment",) if label.kind in _THREADS else ()))
    names = np.array(roles, str)
    is_gold: BoolArray = np.isin(names, content)
    is_judged = ~np.isin(names, (*_ASIDE, *_DISPUTED)) & (_count_words(page) > 0)
    return BlockGold(page, is_gold, is_judged, np.isin(names, _ASIDE), roles, is_exact=True)


def flag_kept(selection: Selection) -> BoolArray:
    """Flag the blocks of which a selection keeps at least half of the words; bool[n_block]."""
    page = selection.page
    kept = page.blocks.sums(np.where(selection.keep, page.leaf_words, 0))
    kept_blocks: BoolArray = (kept > 0) & (kept >= _MIN_SHARE * _count_words(page))
    return kept_blocks


def flag_shown(page: Page, text: str) -> BoolArray | None:
    """Flag the blocks that an extracted text shows; None if they are too long to align."""
    alignment = align_blocks(page, text)
    return None if alignment is None else _flag_matched(alignment)


def count_losses(gold: BlockGold, kept: BoolArray, text: str, gold_text: str) -> BlockLosses:
    """Count what is lost and foreign where some blocks are kept; ``text`` is what they read."""
    words = _count_words(gold.page)
    is_gold = gold.is_gold & gold.is_judged
    lost = is_gold & ~kept
    foreign = kept & ~gold.is_gold & gold.is_judged
    there = np.flatnonzero(is_gold & kept)
    inside = np.zeros(kept.size, np.bool_)
    if there.size:
        inside[there[0] : there[-1]] = True
    return BlockLosses(
        n_gold=int(is_gold.sum()),
        n_lost=int(lost.sum()),
        n_hole=int((lost & inside).sum()),
        n_gold_word=int(words[is_gold].sum()),
        n_foreign_word=int(words[foreign].sum()),
        word=score_bags(_without(text, gold, kept), _without(gold_text, gold, gold.is_gold)),
        lost_words=_sum_by_role(gold, lost),
        foreign_words=_sum_by_role(gold, foreign),
    )


def average_losses(method: str, losses: Sequence[BlockLosses]) -> BlockMeans:
    """Average the losses of one method over pages, at least one."""
    n_page = len(losses)
    n_gold_word = max(sum(one.n_gold_word for one in losses), 1)
    return BlockMeans(
        method=method,
        n_page=n_page,
        hole_pages=sum(one.n_hole > 0 for one in losses) / n_page,
        lost_blocks=sum(one.n_lost for one in losses) / max(sum(one.n_gold for one in losses), 1),
        foreign_words=sum(one.n_foreign_word for one in losses) / n_gold_word,
        perfect_pages=sum(one.is_perfect for one in losses) / n_page,
        word_f1=sum(one.word.f1 for one in losses) / n_page,
        lost_by_role=_add(one.lost_words for one in losses),
        foreign_by_role=_add(one.foreign_words for one in losses),
    )


def _flag_matched(alignment: Alignment) -> BoolArray:
    matched: BoolArray = (alignment.share >= _MIN_SHARE) & (alignment.tokens > 0)
    return matched


def _count_words(page: Page) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return page.blocks.sums(page.leaf_words)


def _without(text: str, gold: BlockGold, shown: BoolArray) -> list[str]:
    """Return the words of a text less those of the titles, bylines and dates that it shows."""
    words = Counter(split_words(text.lower()))
    for block in np.flatnonzero(gold.is_aside & shown).tolist():
        words -= Counter(split_words(gold.page.block_text(block).lower()))
    return list(words.elements())


def _sum_by_role(gold: BlockGold, flags: BoolArray) -> dict[str, int]:
    words = _count_words(gold.page)
    sums: Counter[str] = Counter()
    for block in np.flatnonzero(flags).tolist():
        sums[gold.roles[block]] += int(words[block])
    return dict(sums)


def _add(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(total.most_common())


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
