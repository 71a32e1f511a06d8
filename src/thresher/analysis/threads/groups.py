"""Groups of similar rows that may be the posts of a thread, and the evidence for each.

The members of a group without nesting are raised to the highest ancestors with one member each, so
that `div.text` and `td.author` of the same posts lead to the same group; where heads and bodies of
posts are siblings, a post extends to the next head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.threads.dates import find_dates
from thresher.analysis.threads.markup_hints import MarkupHints
from thresher.analysis.threads.model import PostDate
from thresher.analysis.threads.post_spans import PostSpans, median
from thresher.analysis.threads.similar_siblings import find_namesakes, find_siblings
from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import REPLACED, flags_of
from thresher.support.cached import cached_property

__all__ = ["MIN_NAMELESS", "PostGroup", "RowEvidence", "find_groups"]

_Rows = npt.NDArray[np.int64]

MAX_LEVELS_UP: Final = 8
"""Most levels that a member is raised."""
PART_WEIGHT: Final = 0.75
"""Largest weight of a name that is that of a part of each post."""
MIN_NAMELESS: Final = 3
"""Least posts of a group whose name has no weight; nearly all need author and date."""

_REVIEW: Final = re.compile(rb"review|testimonial|rating")
_WHOLE: Final = flags_of("body form head html main select")
"""Elements that are never a post: larger or smaller."""
_HEADING: Final = flags_of("h1 h2 h3 h4 h5 h6")


@dataclass(frozen=True, slots=True)
class PostGroup:
    """Rows that may be posts."""

    name: bytes
    spans: PostSpans
    weight: float
    """Weight of its name: 3 for schema.org, 1.5, 0.75, or 0."""

    @property
    def is_review(self) -> bool:
        """True if the group has a name of reviews."""
        return bool(_REVIEW.search(self.name))


@dataclass(frozen=True)
class RowEvidence:
    """Evidence for posts as totals before each row, to be summed over spans; int64[n_row + 1] each.

    Computed on demand: few pages have groups that need all of it.
    """

    hints: MarkupHints
    language: str | None
    """The language that the page declares, for reading its dates."""

    @cached_property
    def date_of(self) -> dict[int, PostDate]:
        """The rows that state a date, in order."""
        return find_dates(self.hints, self.language)

    @cached_property
    def dates(self) -> _Rows:
        """Dates that are shown."""
        return sum_before(self._dated & ~self.hints.unrendered)

    @cached_property
    def authors(self) -> _Rows:
        """Elements that may name an author, and rows that name one in an attribute."""
        authors = self._signing.copy()
        authors[self.hints.signed] = True
        return sum_before(authors)

    @cached_property
    def prose(self) -> _Rows:
        """Words outside links, names and dates."""
        return sum_before(self._words * ~self.hints.page.in_link)

    @cached_property
    def words(self) -> _Rows:
        """Words outside names and dates."""
        return sum_before(self._words)

    @cached_property
    def pictures(self) -> _Rows:
        """Replaced elements that are shown."""
        return sum_before(REPLACED[self.hints.page.tag] & ~self.hints.unrendered)

    @cached_property
    def titles(self) -> _Rows:
        """Headings that link to another page."""
        return sum_before(_leading_headings(self.hints))

    @cached_property
    def boards(self) -> _Rows:
        """Links to members of a board, and to posts by their number."""
        return sum_before(self.hints.links.members | self.hints.links.posts)

    @cached_property
    def _dated(self) -> BoolArray:
        flags = np.zeros(len(self.hints.page), np.bool_)
        flags[list(self.date_of)] = True
        return flags

    @cached_property
    def _signing(self) -> BoolArray:
        authors = self.hints.authors
        return authors & ~self.hints.page.below(authors)

    @cached_property
    def _words(self) -> _Rows:
        page = self.hints.page
        fact_rows = page.within(self._dated | self._signing)
        words: _Rows = np.diff(page.words_before) * ~self.hints.unrendered * ~fact_rows
        return words


def _leading_headings(hints: MarkupHints) -> BoolArray:
    page = hints.page
    heading = _HEADING[page.tag]
    # An address with a fragment leads to a post in its thread.
    flags = hints.links.without_fragment
    flags &= ~hints.links.profiles & ~page.within(hints.authors)
    around = page.within(flags)[np.flatnonzero(heading)]
    leads = page.subtree_sums(flags)[heading] > 0
    found = np.zeros(len(page), np.bool_)
    found[np.flatnonzero(heading)[leads | around]] = True
    return found


def find_groups(hints: MarkupHints, evidence: RowEvidence) -> list[PostGroup]:
    """Return the groups of a page that have any evidence, each once."""
    page = hints.page
    member = ~hints.unrendered & ~_WHOLE[page.tag]
    seen: dict[bytes, PostGroup] = {}
    for name, name_weight, similar in _find_candidates(hints, evidence, member):
        weight = name_weight
        rows = similar[member[similar]]
        spans = PostSpans.of(rows, page.end[rows])
        if spans is None:
            continue
        if not spans.is_nested and len(spans) > 1:
            raised = _raise_members(page, rows)
            spans = _extend_to_siblings(page, evidence, raised)
            if (raised != rows).any():
                weight = min(name_weight, PART_WEIGHT)
        if spans is not None:
            key = spans.start.tobytes() + spans.stop.tobytes()
            if key not in seen or seen[key].weight < weight:
                seen[key] = PostGroup(name, spans, weight)
    return list(seen.values())


def _find_candidates(
    hints: MarkupHints, evidence: RowEvidence, member: BoolArray
) -> Iterator[tuple[bytes, float, _Rows]]:
    """Yield name, weight and rows of the groups that may be posts."""
    page = hints.page
    # Nearly all posts of a group without a weighted name need both, which few pages have. Finding
    # the dates takes long.
    nameless = bool(evidence.authors[-1] >= MIN_NAMELESS and evidence.dates[-1] >= MIN_NAMELESS)
    groups = [find_namesakes(hints, only_posts=not nameless)]
    if not nameless and not groups[0].names:
        return
    facts = evidence.dates + evidence.authors
    has_facts = member & (facts[page.end] > facts[:-1])
    for similar in [*groups, find_siblings(page)] if nameless else groups:
        n_member, n_fact = similar.count(member), similar.count(has_facts)
        many = (similar.stop - similar.start >= similar.min_rows) & (2 * n_fact >= n_member)
        yield from similar.flagged((n_member > 0) & ((similar.weights > 0) | many))


def _raise_members(page: Page, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Raise members to the highest ancestors with one member each, as far as most of them go."""
    members = rows
    for _ in range(MAX_LEVELS_UP):
        parent = page.parent[rows]
        held = np.searchsorted(members, page.end[parent]) - np.searchsorted(members, parent)
        alone = (parent >= 0) & (held == 1)
        if 2 * np.count_nonzero(alone) < rows.size:
            break
        rows = np.where(alone, parent, rows)
    return rows


def _extend_to_siblings(
    page: Page, evidence: RowEvidence, rows: npt.NDArray[np.int64]
) -> PostSpans | None:
    """Extend each member to its next sibling member if the text is between them."""
    stop = page.end[rows].astype(np.int64)
    beside = page.parent[rows[1:]] == page.parent[rows[:-1]]
    between = evidence.prose[rows[1:]] - evidence.prose[stop[:-1]]
    inside = evidence.prose[stop] - evidence.prose[rows]
    if beside.any() and 2 * np.count_nonzero(beside) >= beside.size:
        gap, own = median(between[beside]), median(inside)
        if gap >= MIN_GAP_WORDS and gap > own:
            stop[:-1][beside] = rows[1:][beside]
            stop[-1] = _last_stop(page, rows)
    return PostSpans.of(rows, stop)


MIN_GAP_WORDS: Final = 3
"""Least median words between members that are heads of the posts between them."""


def _last_stop(page: Page, rows: npt.NDArray[np.int64]) -> int:
    """Return where the last member stops: after as many siblings as the member before it."""
    before, last = rows[-2:].tolist()
    limit = int(page.end[page.parent[last]])
    stop = int(page.end[last])
    if page.parent[before] != page.parent[last]:
        return stop
    beside = int(page.end[before])
    for _ in range(MAX_BESIDE):
        if beside >= last or stop >= limit:
            break
        beside, stop = int(page.end[beside]), int(page.end[stop])
    return stop


MAX_BESIDE: Final = 16
"""Most siblings that the last member extends over."""
