"""Reading of a page's threads: choose the posts, then read each."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from thresher.analysis.metadata.dates import find_date
from thresher.analysis.threads.bodies import own_leaves
from thresher.analysis.threads.choose import choose_threads
from thresher.analysis.threads.dates import settle_order
from thresher.analysis.threads.evidence import RowEvidence
from thresher.analysis.threads.facts import FactReader, PostFacts, find_quotes
from thresher.analysis.threads.json_ld import complete
from thresher.analysis.threads.markup_hints import MarkupHints
from thresher.analysis.threads.markup_names import ACCEPTED, ANSWER, QUESTION
from thresher.analysis.threads.model import Post, PostDate, Thread, ThreadKind
from thresher.analysis.threads.post_spans import PostSpans
from thresher.analysis.threads.reply_parents import find_parents
from thresher.analysis.threads.similar_siblings import weigh_name
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.scan import IntArray

__all__ = ["read"]

MIN_ARTICLE_WORDS: Final = 60
"""Least words before the first post if posts are comments on them."""
MIN_BLOCK_WORDS: Final = 15
"""Least words of a block that is text rather than a menu."""
_REVIEW: Final = re.compile(rb"review|testimonial")
_FORUM_TYPES: Final = frozenset(("discussionforumposting", "socialmediaposting"))
_ROOTS: Final = _FORUM_TYPES
"""Types of items that may enclose a whole thread without being a post that the others answer."""


@dataclass(frozen=True, slots=True)
class _Role:
    is_question: bool
    is_answer: bool
    accepted: bool


def read(page: Page) -> tuple[Thread, ...]:
    """Return the threads of a page in document order."""
    hints = MarkupHints(page)
    evidence = RowEvidence(hints)
    chosen = choose_threads(hints, evidence)
    if not chosen:
        return ()
    start = np.array([row for thread in chosen for row in thread.start], np.int64)
    stop = np.array([row for thread in chosen for row in thread.stop], np.int64)
    spans = PostSpans.of(start, stop)
    if spans is None:
        return ()
    post_of_row = spans.innermost(len(page))
    quoted = find_quotes(page, hints.names)
    facts = FactReader(hints, evidence.date_of, post_of_row, spans.start).read(quoted)
    leaves = own_leaves(hints, spans, post_of_row, facts, quoted)
    found = _FoundPosts(hints, spans, facts, leaves)
    place = {span: index for index, span in enumerate(zip(*_lists(spans), strict=True))}
    threads = []
    for thread in chosen:
        members = [place[span] for span in zip(thread.start, thread.stop, strict=True)]
        threads.append(_build(found, dict(zip(members, thread.names, strict=True))))
    return complete(page, sorted(threads, key=lambda thread: thread.posts[0].row))


@dataclass(frozen=True, slots=True)
class _FoundPosts:
    """All posts of a page, in the order of their spans."""

    hints: MarkupHints
    spans: PostSpans
    facts: list[PostFacts]
    leaves: list[IntArray]


def _lists(spans: PostSpans) -> tuple[list[int], list[int]]:
    return spans.start.tolist(), spans.stop.tolist()


def _build(found: _FoundPosts, names: dict[int, bytes]) -> Thread:
    """Build the thread of some posts; ``names`` are those of their groups."""
    hints, spans, facts, leaves = found.hints, found.spans, found.facts, found.leaves
    page = hints.page
    members = sorted(names)
    place = {member: index for index, member in enumerate(members)}
    start, stop = spans.start[members].tolist(), spans.stop[members].tolist()
    above = [place.get(int(spans.above[member]), -1) for member in members]
    roles = [
        _role_of(hints, row, names[member])
        for row, member in watch(zip(start, members, strict=True))
    ]
    if hints.schema.get(start[0]) in _ROOTS and len(start) > 1:
        above = [-1 if each == 0 else each for each in above]
    parents = find_parents(hints, start, stop, above)
    kind = _kind_of(hints, start, [names[member] for member in members], roles)
    if kind is ThreadKind.QA:
        question = next((i for i, role in enumerate(roles) if role.is_question), None)
        if question is not None:
            parents = [
                question if parent < 0 and index > question else parent
                for index, parent in enumerate(parents)
            ]
    depths: list[int] = []
    for parent in parents:
        depths.append(0 if parent < 0 else depths[parent] + 1)
    dates = _settle([facts[member].date for member in members])
    posts = tuple(
        Post(
            row=start[i],
            end=stop[i],
            author=facts[member].author,
            date=dates[i],
            depth=depths[i],
            parent=parents[i] if parents[i] >= 0 else None,
            score=facts[member].score,
            is_question=roles[i].is_question,
            is_answer=roles[i].is_answer,
            accepted=roles[i].accepted,
            permalink=facts[member].permalink,
            leaves=leaves[member],
            fact_rows=facts[member].rows,
        )
        for i, member in enumerate(members)
    )
    return Thread(kind, _row_around(page, start[0], max(stop)), posts)


def _settle(dates: list[PostDate | None]) -> list[PostDate | None]:
    """Resolve ambiguous dates by the other dates of the thread."""
    if all(date is None or date.iso for date in dates):
        return dates
    order = settle_order(dates)
    if order is None:
        return dates
    return [
        replace(date, iso=find_date(date.raw, order)) if date and not date.iso else date
        for date in dates
    ]


def _role_of(hints: MarkupHints, row: int, name: bytes) -> _Role:
    bits, schema = int(hints.bits[row]), hints.schema.get(row)
    if schema in ("question", "answer"):
        is_question, is_answer = schema == "question", schema == "answer"
    elif schema:
        is_question = is_answer = False
    else:
        is_question, is_answer = bool(bits & QUESTION), bool(bits & ANSWER)
    return _Role(is_question and not is_answer, is_answer, bool(bits & ACCEPTED))


def _kind_of(
    hints: MarkupHints, start: list[int], names: list[bytes], roles: list[_Role]
) -> ThreadKind:
    types = [hints.schema.get(row) for row in start]
    if any(role.is_answer for role in roles) or "question" in types:
        return ThreadKind.QA
    page = hints.page
    n_review = sum(kind in ("review", "userreview") for kind in types)
    n_review += sum(bool(_REVIEW.search(name)) for name in names)
    if 2 * n_review >= len(start):
        return ThreadKind.REVIEWS
    if any(kind in _FORUM_TYPES for kind in types) or (
        b"question" in names[0] or names[0].startswith(b"<")
    ):
        return ThreadKind.FORUM
    n_comment = sum(weigh_name(name) > 1 for name in names)
    if 2 * n_comment <= len(start):
        return ThreadKind.FORUM
    return (
        ThreadKind.COMMENTS
        if _words_before(page, start[0]) >= MIN_ARTICLE_WORDS
        else ThreadKind.FORUM
    )


def _words_before(page: Page, row: int) -> int:
    """Count the words outside links in long blocks before a row."""
    stop = int(page.leaf_offset[row])
    block = int(page.blocks.of_leaf[stop - 1]) if stop else 0
    plain = page.blocks.sums(page.leaf_words - page.leaf_link_words)[: block + 1]
    return int(plain[plain >= MIN_BLOCK_WORDS].sum())


def _row_around(page: Page, start: int, stop: int) -> int:
    """Return the innermost element around some rows."""
    row = int(page.parent[start])
    while row > 0 and page.end[row] < stop:
        row = int(page.parent[row])
    return max(row, 0)
