"""Rows that are alike and may be the posts of a thread, and how much speaks for each group.

Alike are rows of one tag that share a name, but for numbers in it, or a parent. A group without
nesting is taken to the highest elements that hold one member each, so that `div.text` and
`td.author` of the same posts lead to the same group; and where heads and bodies of posts stand side
by side, a post reaches to the next head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page import Page
from thresher.scan import IntArray
from thresher.tags import CODE_OF, REPLACED, flags_of
from thresher.threads.marks import Marks
from thresher.threads.owners import Spans
from thresher.threads.wording import split_name

__all__ = ["Evidence", "Group", "find_groups", "weigh"]

MAX_CLIMB: Final = 8
"""Levels that a member is taken up at most."""
PART_WEIGHT: Final = 0.75
"""The most that a name speaks for posts when it is that of a part of each."""
MAX_NAMES: Final = 16
"""Names read of one class."""
MIN_SIBLINGS: Final = 3
"""Children of one tag that a parent must have to be alike without a name."""
SCHEMA: Final = b"schema"
"""The name of the group of all schema.org posts."""

_STRONG: Final = re.compile(
    rb"(?:^|[^a-z])(?:comment|cmt|reply|replies|answer|shreddit-comment|u-comment|comtr|kommentar"
    rb"|comentario|commentaire|commento)s?(?:$|[^a-z])|^comment|comment$|^<[a-z-]*-post$"
)
_LIKELY: Final = re.compile(
    rb"(?:^|[^a-z])(?:posts?|postbit\w*|post-?container|posting|message|msg|review|question|h-entry"
    rb"|h-cite|forum-?post|topic-?post|postrow|post-?wrapper|post-?wrap|discussion|timeline-?item"
    rb"|postcontainer|response|thing|athing|pid|plhin|crawler-?post|post-?block)(?:$|[^a-z])"
    rb"|^post|postbit|message"
)
_AROUND: Final = re.compile(
    rb"list|container$|wrapper$|area|form|section|count|number|button|component|icon|-circle"
    rb"|^fa-|link|add-|quick|respond|title|header|heading|empty|loading|show-|toggle"
)
"""Words in the names of what is around posts, or of their parts."""
_REVIEW: Final = re.compile(rb"review|testimonial|rating")
_DIGITS: Final = re.compile(rb"\d+")
_ID: Final = re.compile(rb"^([a-zA-Z][a-zA-Z_-]*?)[_-]?(?:\d[\w-]*|[0-9a-f-]{8,})$")
_SIBLINGS: Final = flags_of("article blockquote dd div dl dt li section table tbody td tr")
_WHOLE: Final = flags_of("body form head html main select")
"""Elements that hold more than a post, or less."""
_HEADING: Final = flags_of("h1 h2 h3 h4 h5 h6")
_A: Final = CODE_OF["a"]


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that may be posts."""

    name: bytes
    spans: Spans
    weight: float
    """What its name says: 3 for schema.org, 1.5, 0.75, or 0 for nothing."""

    @property
    def is_review(self) -> bool:
        """Whether its name is that of reviews."""
        return bool(_REVIEW.search(self.name))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the rows of a page say, ready to be summed up over spans; int64[n_row + 1] each."""

    dates: npt.NDArray[np.int64]
    authors: npt.NDArray[np.int64]
    prose: npt.NDArray[np.int64]
    """Words outside of links, names and dates."""
    words: npt.NDArray[np.int64]
    """Those and the words of links."""
    pictures: npt.NDArray[np.int64]
    titles: npt.NDArray[np.int64]
    """Headings that lead to another page."""
    boards: npt.NDArray[np.int64]
    """Links to members of a board, and to posts by their number."""


def gather(marks: Marks, moments: IntArray) -> Evidence:
    """Gather the evidence of a page; ``moments`` are the rows that say a date."""
    page = marks.page
    dates = np.zeros(len(page), np.bool_)
    dates[moments] = True
    authors = marks.authors & ~page.below(marks.authors)
    shown = ~marks.shadows
    words = np.diff(page.word_offset) * shown * ~page.within(dates | authors)
    prose = words * ~page.in_link
    authors[marks.signed] = True
    return Evidence(
        dates=_totals(dates & shown),
        authors=_totals(authors),
        prose=_totals(prose),
        words=_totals(words),
        pictures=_totals(REPLACED[page.tag] & shown),
        titles=_totals(_leading_headings(marks)),
        boards=_totals(marks.member_links | marks.post_links),
    )


def _leading_headings(marks: Marks) -> npt.NDArray[np.bool_]:
    page = marks.page
    heading = _HEADING[page.tag]
    attributes = page.attributes
    entries = attributes.named("href")
    entries = entries[page.tag[attributes.row[entries]] == _A]
    # An address with a fragment is that of a post in its thread.
    flags = np.zeros(len(page), np.bool_)
    for entry in watch(entries.tolist()):
        start, stop = int(attributes.start[entry]), int(attributes.stop[entry])
        flags[attributes.row[entry]] = attributes.buffer.find(b"#", start, stop) < 0
    flags &= ~marks.profile_links & ~page.within(marks.authors)
    around = page.within(flags)[np.flatnonzero(heading)]
    leads = page.subtree_sums(flags)[heading] > 0
    found = np.zeros(len(page), np.bool_)
    found[np.flatnonzero(heading)[leads | around]] = True
    return found


def find_groups(marks: Marks, evidence: Evidence) -> list[Group]:
    """Find the groups of a page that have any evidence, each once."""
    page = marks.page
    facts = evidence.dates + evidence.authors
    seen: dict[bytes, Group] = {}
    for name, alike in watch(_alike(marks)):
        rows = alike[~marks.shadows[alike] & ~_WHOLE[page.tag[alike]]]
        weight = weigh(name)
        has_facts = facts[page.end[rows]] > facts[rows]
        if not rows.size or (not weight and 2 * np.count_nonzero(has_facts) < rows.size):
            continue
        spans = Spans.of(rows, page.end[rows])
        if spans is None:
            continue
        if not spans.is_nested and len(spans) > 1:
            climbed = _climb(page, rows)
            spans = _reach(page, evidence, climbed)
            if (climbed != rows).any():
                weight = min(weight, PART_WEIGHT)
        if spans is not None:
            key = spans.start.tobytes() + spans.stop.tobytes()
            if key not in seen or seen[key].weight < weight:
                seen[key] = Group(name, spans, weight)
    return list(seen.values())


def weigh(name: bytes) -> float:
    """Say how much a name speaks for posts."""
    if name == SCHEMA:
        return 3.0
    name = split_name(name)
    if _AROUND.search(name):
        return 0.0
    return 1.5 if _STRONG.search(name) else 0.75 if _LIKELY.search(name) else 0.0


def _alike(marks: Marks) -> Iterator[tuple[bytes, npt.NDArray[np.int64]]]:
    """Yield names and the rows that share each, in order."""
    page = marks.page
    if marks.schema:
        yield SCHEMA, np.array(sorted(marks.schema), np.int64)
    rows_of: dict[tuple[int, bytes], list[int]] = {}
    stems: dict[bytes, tuple[bytes, ...]] = {}
    for row, values in watch(marks.names.items()):
        for value in values:
            if value not in stems:
                stems[value] = _stems_of(value)
            for stem in stems[value]:
                rows = rows_of.setdefault((int(page.tag[row]), stem), [])
                if not rows or rows[-1] != row:
                    rows.append(row)
    for row in np.flatnonzero(page.tag == CODE_OF["article"]).tolist():
        rows_of.setdefault((int(page.tag[row]), b"article"), []).append(row)
    for (_, stem), rows in rows_of.items():
        if len(rows) > 1 or weigh(stem):
            yield stem, np.array(sorted(rows), np.int64)
    yield from _siblings(page)


def _stems_of(value: bytes) -> tuple[bytes, ...]:
    """Return the names in a value, without their numbers."""
    if value.startswith(b"<"):
        return (value,)
    if value.startswith(b"#"):
        found = _ID.match(value[1:])
        return (b"#" + found[1],) if found else ()
    names = (_DIGITS.sub(b"", name).rstrip(b"-_") for name in value.split()[:MAX_NAMES])
    return tuple(dict.fromkeys(name for name in names if name))


def _siblings(page: Page) -> Iterator[tuple[bytes, npt.NDArray[np.int64]]]:
    rows = np.flatnonzero(_SIBLINGS[page.tag])
    if not rows.size:
        return
    key = page.parent[rows].astype(np.int64) * 1000 + page.tag[rows]
    order = np.argsort(key, kind="stable")
    cuts = np.flatnonzero(np.diff(key[order])) + 1
    for part in np.split(rows[order], cuts):
        if part.size >= MIN_SIBLINGS:
            yield b"", part.astype(np.int64)


def _climb(page: Page, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Take members up to the highest elements that hold one each, as far as most of them go."""
    members = rows
    for _ in range(MAX_CLIMB):
        parent = page.parent[rows]
        held = np.searchsorted(members, page.end[parent]) - np.searchsorted(members, parent)
        alone = (parent >= 0) & (held == 1)
        if 2 * np.count_nonzero(alone) < rows.size:
            break
        rows = np.where(alone, parent, rows)
    return rows


def _reach(page: Page, evidence: Evidence, rows: npt.NDArray[np.int64]) -> Spans | None:
    """Let each member reach to the next one beside it, where the text stands between them."""
    stop = page.end[rows].astype(np.int64)
    beside = page.parent[rows[1:]] == page.parent[rows[:-1]]
    between = evidence.prose[rows[1:]] - evidence.prose[stop[:-1]]
    inside = evidence.prose[stop] - evidence.prose[rows]
    if beside.any() and 2 * np.count_nonzero(beside) >= beside.size:
        gap, own = np.median(between[beside]), np.median(inside)
        if gap >= MIN_GAP_WORDS and gap > own:
            stop[:-1][beside] = rows[1:][beside]
            stop[-1] = _last_stop(page, rows)
    return Spans.of(rows, stop)


MIN_GAP_WORDS: Final = 3
"""Words between members from which on those are heads, and what is between is theirs."""


def _last_stop(page: Page, rows: npt.NDArray[np.int64]) -> int:
    """Say how far the last member reaches: over as many siblings as the one before has."""
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
"""Siblings that the last member reaches over at most."""


def _totals(values: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
    total = np.zeros(values.size + 1, np.int64)
    np.cumsum(values, out=total[1:])
    return total
