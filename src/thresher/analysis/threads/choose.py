"""Selection of the groups of a page that are threads, and joining of groups of one thread.

Groups are accepted in the order of the number of posts that they explain. A group inside or around
accepted posts needs an author or date and text of its own: comments on answers, a question around
both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.threads.evidence import (
    MIN_NAMELESS,
    MIN_PLAIN,
    MIN_SHARE_NAMELESS,
    RowEvidence,
)
from thresher.analysis.threads.groups import PostGroup, find_groups
from thresher.analysis.threads.markup_hints import MarkupHints
from thresher.analysis.threads.post_spans import PostSpans, median
from thresher.analysis.threads.similar_siblings import SCHEMA
from thresher.page.rows import BoolArray

__all__ = ["ThreadPosts", "choose_threads"]


MAX_TRIED: Final = 200
"""Groups examined, those that explain most posts first."""
UNEVEN_COST: Final = 2.4
"""Penalty for a group of which only some members have a date or an author: 0.6 of its value if half
of them do."""
NAMELESS_VALUE: Final = 0.5
"""Value of a group without a name of posts, relative to one with such a name."""
MIN_SHARE: Final = 0.5
"""Least share of posts with an author or a date."""
_OPENING: Final = re.compile(
    rb"question(?!s)|opening|original-?post|first-?post|starter|(?:^|[^a-z])op(?:$|[^a-z])"
    rb"|topic-?post|thread-?post|^<.*post|^#?(?:p|post|msg|message|pid|t)$|message|postcontainer"
)
"""Names of the post that others answer."""
MIN_PROSE_WORDS: Final = 3
"""Least median of a post's words outside links, names and dates."""
MIN_PROSE_NAMELESS: Final = 8
MIN_SHARE_SURE: Final = 0.9
MIN_PROSE_SHARE: Final = 0.5
"""Least share of the words of posts that are prose."""
MIN_KNOWN: Final = 0.5
"""Least share of a thread's posts in a group that adds its other members to the thread."""
MAX_TITLED: Final = 0.3
"""Most share of posts with a heading that links to another page; with more, they are teasers."""


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

    def add(self, group: PostGroup, members: npt.NDArray[np.intp]) -> None:
        """Add some members of a group."""
        self.start += group.spans.start[members].tolist()
        self.stop += group.spans.stop[members].tolist()
        self.names += [group.name] * members.size


def choose_threads(hints: MarkupHints, evidence: RowEvidence) -> list[ThreadPosts]:
    """Choose the posts of a page by thread; threads are in page order."""
    each_weighed = [_weigh(group, evidence) for group in find_groups(hints, evidence)]
    candidates = [each for each in each_weighed if each and each.value > 0]
    # Of equals the larger one, because authors are often outside the text.
    candidates.sort(
        key=lambda each: (
            -round(each.value, 3),
            -int((each.group.spans.stop - each.group.spans.start).sum()),
        )
    )
    threads: list[ThreadPosts] = []
    for weighed in candidates[:MAX_TRIED]:
        lone = weighed.group.weight > 1 and not _OPENING.search(weighed.group.name)
        if len(weighed.group.spans) > 1 or lone:
            _try(weighed, threads, hints, evidence)
    for weighed in candidates[:MAX_TRIED]:
        if len(weighed.group.spans) == 1:
            _try_opening(weighed, threads, hints, evidence)
    return sorted(threads, key=lambda thread: min(thread.start))


def _weigh(group: PostGroup, evidence: RowEvidence) -> _Weighed | None:
    own = group.spans.exclusive_sums_from_totals
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


def _try(
    weighed: _Weighed, threads: list[ThreadPosts], hints: MarkupHints, evidence: RowEvidence
) -> None:
    """Accept a group as a thread, or join it to the thread that it overlaps, if it qualifies."""
    group = weighed.group
    members = np.flatnonzero(weighed.members)
    start, stop = group.spans.start[members], group.spans.stop[members]
    touched = [thread for thread in threads if _relate(thread, start, stop).any()]
    if not touched:
        if members.size > 1 or (group.weight > 1 and _is_whole(weighed)):
            if threads and group.weight < 1 and not _is_sure(weighed):
                return
            thread = ThreadPosts()
            thread.add(group, members)
            threads.append(thread)
        return
    if len(touched) > 1 or not group.weight:
        return
    fresh = ~_relate(touched[0], start, stop)
    n_known = np.count_nonzero(~fresh)
    if fresh.any() and n_known >= max(2, MIN_KNOWN * len(touched[0].start)):
        # The same posts and more: the first is often marked differently.
        _join(weighed, touched[0], members[fresh], evidence)
    elif group.weight > 1:
        _join(weighed, touched[0], members, evidence)


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
    facts = spans.exclusive_sums_from_totals(evidence.dates + evidence.authors)
    prose = spans.exclusive_sums_from_totals(evidence.prose)
    had = PostSpans.of(np.array(thread.start), np.array(thread.stop))
    assert had is not None, "a thread is made of spans that fit"
    old = had.exclusive_sums_from_totals(evidence.prose) > 0
    old = old[np.searchsorted(had.start, spans.start).clip(max=old.size - 1)]
    if not ((facts > 0) & ((prose > 0) | ~old)).all():
        return False
    thread.add(weighed.group, members)
    return True


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
        thread = ThreadPosts()
        thread.add(group, members)
        threads.append(thread)


def _is_opening(weighed: _Weighed, hints: MarkupHints) -> bool:
    """Return whether a single post is one of a board: it must link to its author there."""
    start, stop = int(weighed.group.spans.start[0]), int(weighed.group.spans.stop[0])
    member = bool(hints.links.members[start:stop].any())
    return (
        weighed.group.name == SCHEMA
        or (weighed.group.name.startswith(b"<") and _is_whole(weighed))
        or (member and weighed.share_date > 0)
    )
