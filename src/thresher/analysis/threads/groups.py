"""Groups of similar rows that may be the posts of a thread.

The members of a group without nesting are raised to the highest ancestors with one member each, so
that `div.text` and `td.author` of the same posts lead to the same group; where heads and bodies of
posts are siblings, a post extends to the next head.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.threads.dates import find_candidates
from thresher.analysis.threads.evidence import (
    MIN_NAMELESS,
    MIN_PLAIN,
    MIN_SHARE_NAMELESS,
    RowEvidence,
)
from thresher.analysis.threads.markup_hints import MarkupHints
from thresher.analysis.threads.post_spans import PostSpans, median
from thresher.analysis.threads.raising import GroupMembers, raise_groups
from thresher.analysis.threads.similar_siblings import (
    SCHEMA,
    RowGroups,
    find_namesakes,
    find_post_namesakes,
    find_siblings,
)
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of

__all__ = ["PostGroup", "find_groups"]

_Rows = npt.NDArray[np.int64]

PART_WEIGHT: Final = 0.75
"""Largest weight of a name that is that of a part of each post."""

_REVIEW: Final = re.compile(rb"review|testimonial|rating")
_WHOLE: Final = flags_of("body form head html main select")
"""Elements that are never a post: larger or smaller."""


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


def find_groups(hints: MarkupHints, evidence: RowEvidence) -> list[PostGroup]:
    """Return the groups of a page with evidence, each once; none if none begins a thread."""
    page = hints.page
    seen: dict[bytes, PostGroup] = {}
    extended: dict[bytes, PostSpans | None] = {}
    for name, name_weight, members in _find_candidates(hints, evidence):
        weight, rows, raised = name_weight, members.rows, members.raised
        few = rows.size < MIN_PLAIN
        if not rows.size or (weight < 1 and few and evidence.is_plain):
            continue
        if members.is_beside:
            if raised[0] != rows[0] or (raised != rows).any():
                weight = min(name_weight, PART_WEIGHT)
                if few and name != SCHEMA and evidence.is_plain:
                    continue
            # Many names of parts lead to the same posts.
            reached = raised.tobytes()
            if reached not in extended:
                stop = np.append(raised[1:], page.end[page.parent[raised[-1]]])
                if name != SCHEMA and not _may_be_posts(evidence, weight, raised, stop):
                    continue
                extended[reached] = _extend_to_siblings(page, evidence, raised)
            spans = extended[reached]
        else:
            stop = page.end[rows]
            if name != SCHEMA and not _may_be_posts(evidence, weight, rows, stop):
                continue
            spans = PostSpans.of(rows, stop)
        if spans is not None:
            key = spans.start.tobytes() + spans.stop.tobytes()
            if key not in seen or seen[key].weight < weight:
                seen[key] = PostGroup(name, spans, weight)
    groups = list(seen.values())
    return groups if any(_may_begin(group, hints, evidence) for group in groups) else []


def _may_be_posts(
    evidence: RowEvidence,
    weight: float,
    start: npt.NDArray[np.integer],
    stop: npt.NDArray[np.integer],
) -> bool:
    """Return whether enough of some spans have facts: half of posts do, nearly all without a name.

    This is found at less cost than all that is asked of posts.
    """
    if weight:
        return 2 * _count_with(evidence.possible_facts, start, stop) >= start.size
    n_fact = min(_count_with(each, start, stop) for each in (evidence.dates, evidence.authors))
    return n_fact >= MIN_NAMELESS and n_fact / start.size >= MIN_SHARE_NAMELESS / 2


def _count_with(total: _Rows, start: npt.NDArray[np.integer], stop: npt.NDArray[np.integer]) -> int:
    """Count the spans with any of what is given as totals before each row."""
    return int(np.count_nonzero(total.take(stop) > total.take(start)))


def _flag_members(hints: MarkupHints) -> BoolArray:
    """Flag the rows that may be posts, or parts of them.

    Rows inside formulas, drawings and the like, which have no text of their own, may not.
    """
    page = hints.page
    others: BoolArray = hints.unrendered | _WHOLE.take(page.tag)
    holding = page.leaves[page.end.take(page.leaves) > page.leaves + 1]
    if holding.size:
        flags = np.zeros(len(page), np.bool_)
        flags[holding] = True
        others |= page.below(flags)
    return ~others


def _may_begin(group: PostGroup, hints: MarkupHints, evidence: RowEvidence) -> bool:
    """Return whether a group may begin a thread: a single post does only with author and date.

    What may be a date suffices here, because reading the dates of a page takes long.
    """
    if len(group.spans) > 1 or group.name == SCHEMA:
        return True
    start, stop = int(group.spans.start[0]), int(group.spans.stop[0])
    leaf_start, leaf_stop = hints.page.leaf_offset[[start, stop]].tolist()
    dates = find_candidates(hints)
    is_dated = bisect_left(dates.rows, start) < bisect_left(dates.rows, stop) or (
        bisect_left(dates.leaves, leaf_start) < bisect_left(dates.leaves, leaf_stop)
    )
    return is_dated and bool(
        evidence.authors[stop] > evidence.authors[start] or hints.links.members[start:stop].any()
    )


def _find_candidates(
    hints: MarkupHints, evidence: RowEvidence
) -> Iterator[tuple[bytes, float, GroupMembers]]:
    """Yield name, weight and members of the groups that may be posts."""
    page = hints.page
    if not evidence.may_be_nameless:
        named = find_post_namesakes(hints)
        small = (named.weights < 1) & (named.stop - named.start < MIN_PLAIN)
        if small.any() and evidence.is_plain:
            named = named.flagged(~small)
        if named.names:
            yield from _raise(page, named, _flag_members(hints))
        return
    member = _flag_members(hints)
    facts = evidence.dates + evidence.authors
    has_facts = member & (facts[page.end] > facts[:-1])
    for similar in (find_namesakes(hints), find_siblings(page)):
        n_member, n_fact = similar.count(member), similar.count(has_facts)
        many = (similar.stop - similar.start >= similar.min_rows) & (2 * n_fact >= n_member)
        flags = (n_member > 0) & ((similar.weights > 0) | many)
        yield from _raise(page, similar.flagged(flags), member)


def _raise(
    page: Page, groups: RowGroups, member: BoolArray
) -> Iterator[tuple[bytes, float, GroupMembers]]:
    members = watch(raise_groups(page, groups, member))
    yield from zip(groups.names, groups.weights.tolist(), members, strict=True)


def _extend_to_siblings(
    page: Page, evidence: RowEvidence, rows: npt.NDArray[np.int64]
) -> PostSpans | None:
    """Extend each member to its next sibling member if the text is between them."""
    stop = page.end[rows].astype(np.int64)
    parent = page.parent.take(rows)
    beside = parent[1:] == parent[:-1]
    n_beside = int(np.count_nonzero(beside))
    if n_beside and 2 * n_beside >= beside.size:
        prose = evidence.prose
        between = prose[rows[1:]] - prose[stop[:-1]]
        gap, own = median(between[beside]), median(prose[stop] - prose[rows])
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
