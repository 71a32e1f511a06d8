"""The groups of similar rows that are threads, and joining of groups of one thread.

Where heads and bodies of posts are siblings, a post extends to the next head. Groups are accepted
in the order of the number of posts that they explain. A group inside or around accepted posts needs
an author or date and text of its own: comments on answers, a question around both.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from thresher.analysis.threads.evidence import (
    MIN_NAMELESS,
    MIN_PLAIN,
    MIN_SHARE_NAMELESS,
    RowEvidence,
    find_candidates,
)
from thresher.analysis.threads.hints import MarkupHints
from thresher.analysis.threads.post_spans import PostSpans, median
from thresher.analysis.threads.siblings import (
    SCHEMA,
    GroupMembers,
    find_namesakes,
    find_siblings,
    raise_groups,
)
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of

_Rows = npt.NDArray[np.int64]

MIN_GAP_WORDS: Final = 3
"""Minimum median words between members that are heads of the posts between them."""
MAX_BESIDE: Final = 16
"""Maximum siblings that the last member extends over."""
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
    for members in _find_candidates(hints, evidence):
        name, weight, rows, raised, is_beside = members
        few = rows.size < MIN_PLAIN
        if not rows.size or (weight < 1 and few and evidence.is_plain):
            continue
        if is_beside:
            if raised[0] != rows[0] or (raised != rows).any():
                weight = min(weight, PART_WEIGHT)
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
    """Return whether enough of some spans have facts: half of posts, nearly all without a name."""
    if weight:
        return 2 * _count_with(evidence.possible_facts, start, stop) >= start.size
    n_fact = min(_count_with(total, start, stop) for total in (evidence.dates, evidence.authors))
    return n_fact >= MIN_NAMELESS and n_fact / start.size >= MIN_SHARE_NAMELESS / 2


def _count_with(total: _Rows, start: npt.NDArray[np.integer], stop: npt.NDArray[np.integer]) -> int:
    """Count the spans with any of what is given as totals before each row."""
    return int(np.count_nonzero(total.take(stop) > total.take(start)))


def _flag_members(hints: MarkupHints) -> BoolArray:
    """Flag the rows that may be posts or their parts: none inside formulas, drawings and so on."""
    page = hints.page
    others: BoolArray = hints.unrendered | _WHOLE.take(page.tag)
    holding = page.leaves[page.end.take(page.leaves) > page.leaves + 1]
    if holding.size:
        others |= page.below(page.flag(holding))
    return ~others


def _may_begin(group: PostGroup, hints: MarkupHints, evidence: RowEvidence) -> bool:
    """Return whether a group may begin a thread: a single post only with author and date."""
    if len(group.spans) > 1 or group.name == SCHEMA:
        return True
    start, stop = int(group.spans.start[0]), int(group.spans.stop[0])
    leaf_start, leaf_stop = hints.page.leaf_offset[[start, stop]].tolist()
    rows, leaves = find_candidates(hints)  # reading their dates takes long
    is_dated = bisect_left(rows, start) < bisect_left(rows, stop) or (
        bisect_left(leaves, leaf_start) < bisect_left(leaves, leaf_stop)
    )
    return is_dated and bool(
        evidence.authors[stop] > evidence.authors[start] or hints.links.members[start:stop].any()
    )


def _find_candidates(hints: MarkupHints, evidence: RowEvidence) -> Iterator[GroupMembers]:
    """Yield the members of the groups that may be posts."""
    page = hints.page
    if not evidence.may_be_nameless:
        named = find_namesakes(hints, of_posts=True)
        small = (named.weights < 1) & (named.stop - named.start < MIN_PLAIN)
        if small.any() and evidence.is_plain:
            named = named.flagged(~small)
        if named.names:
            yield from raise_groups(page, named, _flag_members(hints))
        return
    member = _flag_members(hints)
    facts = evidence.dates + evidence.authors
    has_facts = member & (facts[page.end] > facts[:-1])
    for similar in (find_namesakes(hints), find_siblings(page)):
        n_member, n_fact = similar.count(member), similar.count(has_facts)
        many = (similar.stop - similar.start >= similar.min_rows) & (2 * n_fact >= n_member)
        flags = (n_member > 0) & ((similar.weights > 0) | many)
        yield from raise_groups(page, similar.flagged(flags), member)


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


# -- choice ----------------------------------------------------------------------------------------

MAX_TRIED: Final = 200
"""Groups examined, those that explain most posts first."""
UNEVEN_COST: Final = 2.4
"""Penalty for a group of which only some members have a date or an author: 0.6 of its value if half
of them do."""
NAMELESS_VALUE: Final = 0.5
"""Value of a group without a name of posts, relative to one with such a name."""
MIN_SHARE: Final = 0.5
"""Minimum share of posts with an author or a date."""
_OPENING: Final = re.compile(
    rb"question(?!s)|opening|original-?post|first-?post|starter|(?:^|[^a-z])op(?:$|[^a-z])"
    rb"|topic-?post|thread-?post|^<.*post|^#?(?:p|post|msg|message|pid|t)$|message|postcontainer"
)
"""Names of the post that others answer."""
MIN_PROSE_WORDS: Final = 3
"""Minimum median of a post's words outside links, names and dates."""
MIN_PROSE_NAMELESS: Final = 8
MIN_SHARE_SURE: Final = 0.9
MIN_PROSE_SHARE: Final = 0.5
"""Minimum share of the words of posts that are prose."""
MIN_KNOWN: Final = 0.5
"""Minimum share of a thread's posts in a group that adds its other members to the thread."""
MAX_TITLED: Final = 0.3
"""Maximum share of posts with a heading that links to another page; with more, they are teasers."""


@dataclass(frozen=True, slots=True)
class _Weighed:
    group: PostGroup
    members: BoolArray
    """Whether each member is a post."""
    share_date: float
    share_author: float
    titled: float
    value: float


@dataclass(slots=True)
class ThreadPosts:
    """The posts of one thread: spans, and the names of their groups."""

    start: list[int] = field(default_factory=list)
    stop: list[int] = field(default_factory=list)
    names: list[bytes] = field(default_factory=list)

    def add(self, group: PostGroup, members: npt.NDArray[np.intp]) -> Self:
        """Add some members of a group."""
        self.start += group.spans.start[members].tolist()
        self.stop += group.spans.stop[members].tolist()
        self.names += [group.name] * members.size
        return self


def choose_threads(hints: MarkupHints, evidence: RowEvidence) -> list[ThreadPosts]:
    """Choose the posts of a page by thread; threads are in page order."""
    groups = (_weigh(group, evidence) for group in find_groups(hints, evidence))
    candidates = [weighed for weighed in groups if weighed and weighed.value > 0]
    # Of equals the larger one, because authors are often outside the text.
    candidates.sort(
        key=lambda candidate: (
            -round(candidate.value, 3),
            -int((candidate.group.spans.stop - candidate.group.spans.start).sum()),
        )
    )
    threads: list[ThreadPosts] = []
    for weighed in candidates[:MAX_TRIED]:
        lone = weighed.group.weight > 1 and not _OPENING.search(weighed.group.name)
        if len(weighed.group.spans) > 1 or lone:
            _try(weighed, threads, evidence)
    for weighed in candidates[:MAX_TRIED]:
        if len(weighed.group.spans) == 1:
            _try_opening(weighed, threads, hints, evidence)
    return sorted(threads, key=lambda thread: min(thread.start))


def _weigh(group: PostGroup, evidence: RowEvidence) -> _Weighed | None:
    own = group.spans.exclusive_sums
    dates, authors, prose, words = own(evidence.facts_and_words)
    facts = (dates > 0) | (authors > 0)
    good = (prose > 0) & facts
    n_good = int(np.count_nonzero(good))
    if not n_good:
        return None
    share_date, share_author = _share(dates[good]), _share(authors[good])
    nameless = not group.weight
    passes = (
        n_good * 2 >= good.size
        and (max if not nameless else min)(share_date, share_author)
        >= (MIN_SHARE_NAMELESS if nameless else MIN_SHARE)
        and (not nameless or n_good >= MIN_NAMELESS)
        and median(prose[good]) >= _least_prose(group.weight)
        and prose[good].sum() >= MIN_PROSE_SHARE * words[good].sum()
    )
    if passes and group.weight < 1 and n_good < MIN_PLAIN:
        share_board = _share(own(evidence.boards)[good])
        both = min(share_date, share_author)
        passes = share_board >= MIN_SHARE or (group.is_review and both >= MIN_SHARE_SURE)
        sure = max(both, min(share_date, share_board))
        passes &= n_good >= MIN_NAMELESS or sure >= MIN_SHARE_SURE
    is_stated = group.name == SCHEMA
    if not passes and not is_stated:
        return None
    titled = _share(own(evidence.titles)[good])
    if titled > MAX_TITLED and group.weight < 1 and not is_stated:
        return None
    value = n_good * (1 + share_date + share_author + group.weight)
    # A member with many dates contains several posts.
    value /= 1 + max(0.0, median(dates[good]) - 2)
    # Members that alternate are half posts: the author in one, the text in the next.
    value *= _evenness(share_date) * _evenness(share_author)
    value *= (n_good / good.size) ** 2 if group.weight < 1 else 1
    value *= 1 if group.weight else NAMELESS_VALUE
    # A post can be one word, a picture or a quote if its siblings are posts.
    shows = words + own(evidence.pictures) > 0
    members = facts & shows if group.weight else good
    return _Weighed(group, members, share_date, share_author, titled, value)


def _share(counts: npt.NDArray[np.int64]) -> float:
    """Return the share of counts that are not 0; there is at least one, and none is negative."""
    return int(np.count_nonzero(counts)) / counts.size


def _least_prose(weight: float) -> int:
    if weight > 1:
        return 1
    return MIN_PROSE_WORDS if weight else MIN_PROSE_NAMELESS


def _evenness(share: float) -> float:
    return 1 - UNEVEN_COST * share * (1 - share)


def _try(weighed: _Weighed, threads: list[ThreadPosts], evidence: RowEvidence) -> None:
    """Accept a group as a thread, or join it to the thread that it overlaps, if it qualifies."""
    group = weighed.group
    members = np.flatnonzero(weighed.members)
    start, stop = group.spans.start[members], group.spans.stop[members]
    touched = [thread for thread in threads if _relate(thread, start, stop).any()]
    if not touched:
        if members.size > 1 or (group.weight > 1 and _is_whole(weighed)):
            if threads and group.weight < 1 and not _is_sure(weighed):
                return
            threads.append(ThreadPosts().add(group, members))
        return
    if len(touched) > 1 or not group.weight:
        return
    fresh = ~_relate(touched[0], start, stop)
    n_known = np.count_nonzero(~fresh)
    # The same posts and more: the first is often marked differently.
    extends = fresh.any() and n_known >= max(2, MIN_KNOWN * len(touched[0].start))
    are_others = group.weight > 1 and (not extends or _holds_several(touched[0], start, stop))
    if are_others and _join(weighed, touched[0], members, evidence):
        return
    if extends:
        _join(weighed, touched[0], members[fresh], evidence)


def _is_sure(weighed: _Weighed) -> bool:
    """Return whether a group can be a thread beside another; lists of threads look similar."""
    return weighed.titled == 0 and min(weighed.share_date, weighed.share_author) >= MIN_SHARE_SURE


def _is_whole(weighed: _Weighed) -> bool:
    return weighed.share_date > 0 and weighed.share_author > 0


def _join(
    weighed: _Weighed, thread: ThreadPosts, members: npt.NDArray[np.intp], evidence: RowEvidence
) -> bool:
    """Add members to a thread, unless a post of it would lose its facts or its prose."""
    start = np.array(thread.start + weighed.group.spans.start[members].tolist())
    stop = np.array(thread.stop + weighed.group.spans.stop[members].tolist())
    spans = PostSpans.of(start, stop)
    if spans is None:
        return False
    facts = spans.exclusive_sums(evidence.dates + evidence.authors)
    prose = spans.exclusive_sums(evidence.prose)
    had = PostSpans.of(np.array(thread.start), np.array(thread.stop))
    assert had is not None, "a thread is made of spans that fit"
    old = had.exclusive_sums(evidence.prose) > 0
    old = old[np.searchsorted(had.start, spans.start).clip(max=old.size - 1)]
    fits = bool(((facts > 0) & ((prose > 0) | ~old)).all())
    if fits:
        thread.add(weighed.group, members)
    return fits


def _holds_several(
    thread: ThreadPosts, start: npt.NDArray[np.int64], stop: npt.NDArray[np.int64]
) -> bool:
    """Return whether a span is around two posts of a thread, and so not the same as one."""
    first = np.sort(thread.start)
    return bool((first.searchsorted(stop) - first.searchsorted(start) > 1).any())


def _relate(
    thread: ThreadPosts, start: npt.NDArray[np.int64], stop: npt.NDArray[np.int64]
) -> BoolArray:
    """Flag the spans that overlap posts of a thread."""
    first = np.array(sorted(thread.start))
    order = np.argsort(thread.start, kind="stable")
    last = np.maximum.accumulate(np.array(thread.stop)[order])
    begun = np.searchsorted(first, stop)
    reaches = last[np.maximum(begun - 1, 0)]
    return (begun > 0) & (reaches > start)


def _try_opening(
    weighed: _Weighed, threads: list[ThreadPosts], hints: MarkupHints, evidence: RowEvidence
) -> None:
    """Accept a single post before or around a thread as the one that it answers."""
    group = weighed.group
    if not group.weight or (group.name != SCHEMA and not _OPENING.search(group.name)):
        return
    start, stop = int(group.spans.start[0]), int(group.spans.stop[0])
    touched = [
        thread for thread in threads if _relate(thread, np.array([start]), np.array([stop])).any()
    ]
    members = np.array([0])
    if len(touched) == 1:
        if group.weight > 1 or group.name == SCHEMA:
            _join(weighed, touched[0], members, evidence)
        return
    behind = [thread for thread in threads if min(thread.start) >= stop]
    if touched or not _is_opening(weighed, hints):
        return
    if behind:
        nearest = min(behind, key=lambda thread: min(thread.start))
        _join(weighed, nearest, members, evidence)
    else:
        threads.append(ThreadPosts().add(group, members))


def _is_opening(weighed: _Weighed, hints: MarkupHints) -> bool:
    """Return whether a single post is one of a board: it must link to its author there."""
    start, stop = int(weighed.group.spans.start[0]), int(weighed.group.spans.stop[0])
    member = bool(hints.links.members[start:stop].any())
    return (
        weighed.group.name == SCHEMA
        or (weighed.group.name.startswith(b"<") and _is_whole(weighed))
        or (member and weighed.share_date > 0)
    )
