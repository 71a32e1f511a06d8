"""Groups of similar rows, and their members raised to the posts around them.

Similar rows have one tag, and a common parent or a common name without its digits. Members are
raised to the highest ancestors with one member each, so that `div.text` and `td.author` of the same
posts lead to the same rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.threads.hints import MarkupHints
from thresher.analysis.threads.names import RowNames, split_name
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import Parts
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import NAMES, flags_of
from thresher.support.bounded_cache import bounded_cache

_Rows = npt.NDArray[np.int64]

MAX_NAMES: Final = 16
MIN_NAMESAKES: Final = 2
"""Minimum rows of a group with a shared name, unless it is a name of posts."""
MIN_SIBLINGS: Final = 3
"""Minimum children of one tag and parent that form a group without a name."""
SCHEMA: Final = b"schema"
"""The name of the group of all schema.org posts."""
_STRONG: Final = re.compile(
    rb"(?:^|[^a-z])(?:comment|cmt|reply|replies|answer|shreddit-comment|u-comment|comtr|kommentar"
    rb"|comentario|commentaire|commento)s?(?:$|[^a-z])|^comment|comment$|^<[a-z-]*-post$"
)
_LIKELY: Final = re.compile(
    rb"(?:^|[^a-z])(?:posts?|post-?container|posting|message|msg|review|question|h-entry"
    rb"|h-cite|forum-?post|topic-?post|postrow|post-?wrapper|post-?wrap|discussion|timeline-?item"
    rb"|postcontainer|response|thing|athing|pid|plhin|crawler-?post|post-?block)(?:$|[^a-z])"
    rb"|^post|postbit|message"
)
_POST_PARTS: Final = Parts(
    *(
        b"coment comment comtr kommentar cmt repl answer post message msg review question"
        b" entry cite discussion timeline response thing pid plhin"
    ).split(),
)
"""Every name that matches one of these has one of these parts in it; most names have none."""
_AROUND: Final = re.compile(
    rb"list|container$|wrapper$|area|form|section|count|number|button|component|icon|-circle"
    rb"|^fa-|link|add-|quick|respond|title|header|heading|empty|loading|show-|toggle"
)
"""Words in the names of containers of posts, or of their parts."""
_MAX_WEIGHED: Final = 8192
"""Size of the cache of name weights; a page has some hundred names."""
_DIGITS: Final = b"0123456789"
_ID: Final = re.compile(rb"^([a-zA-Z][a-zA-Z_-]*?)[_-]?(?:\d[\w-]*|[0-9a-f-]{8,64})$")
_SIBLINGS: Final = flags_of("article blockquote dd div dl dt li section table tbody td tr")
_ARTICLE: Final = b"article"
_ARTICLES: Final = flags_of("article")


@dataclass(frozen=True, slots=True)
class RowGroups:
    """Groups of rows: group g is ``rows[start[g]:stop[g]]``, in order."""

    rows: _Rows
    start: _Rows
    stop: _Rows
    names: list[bytes]
    """The name of each group."""
    weights: npt.NDArray[np.float64]
    """The weights of the names, see `weigh_name`; float64[n_group]."""
    min_rows: int
    """Minimum rows of a group whose name has no weight."""

    def count(self, row_flags: BoolArray) -> _Rows:
        """Count the flagged rows of each group; int64[n_group]."""
        total = sum_before(row_flags.take(self.rows))
        counts: _Rows = total.take(self.stop) - total.take(self.start)
        return counts

    def flagged(self, groups: BoolArray) -> RowGroups:
        """Return the flagged groups."""
        names = [self.names[group] for group in groups.nonzero()[0].tolist()]
        start, stop = self.start[groups], self.stop[groups]
        return RowGroups(self.rows, start, stop, names, self.weights[groups], self.min_rows)


_NO_ROWS: Final = np.zeros(0, np.int64)
_NO_GROUPS: Final = RowGroups(_NO_ROWS, _NO_ROWS, _NO_ROWS, [], np.zeros(0), MIN_NAMESAKES)


def find_namesakes(hints: MarkupHints, *, of_posts: bool = False) -> RowGroups:
    """Group the rows that share a name, in page order, schema.org posts first.

    A row with several names is in several groups. With ``of_posts``, only those with a name of
    posts are grouped, at less cost, because most names are of other things.
    """
    page, named = hints.page, hints.names
    posts = named.find(_POST_PARTS)
    values = posts if of_posts else np.arange(named.start.size)
    find_stems = _post_stems_of if of_posts else _stems_of
    texts = zip(values.tolist(), named.texts(values), strict=True)
    stems_of = {value: find_stems(text) for value, text in watch(texts)}
    place: dict[bytes, int] = {}
    stems = [place.setdefault(stem, len(place)) for own in stems_of.values() for stem in own]
    if of_posts and not stems and not hints.schema:
        return _NO_GROUPS  # as on most pages

    size = np.zeros(named.start.size, np.int64)
    size[values] = list(map(len, stems_of.values()))
    entry = _order_entries(named, size.take(named.value).nonzero()[0], len(page))
    value = named.value.take(entry)
    count = size.take(value)
    first = ((size.cumsum() - size).take(value) - (count.cumsum() - count)).repeat(count)
    stem = np.array(stems, np.int64)[np.arange(first.size) + first]
    row = named.row.take(entry).repeat(count).astype(np.int64)
    if not of_posts:
        articles = page.rows_of(_ARTICLES)
        article = place.setdefault(_ARTICLE, len(place))
        row, stem = np.append(row, articles), np.append(stem, np.full(articles.size, article))
    group_stem, stop, rows = _group(page, row, stem)
    names = list(place)
    names = [names[number] for number in group_stem.tolist()]
    # Those of schema.org have any tag.
    if hints.schema:
        schema = np.array(sorted(hints.schema), np.int64)
        rows, stop = np.append(schema, rows), np.append(0, stop) + schema.size
        names.insert(0, SCHEMA)
    # Most values have no part of a name of posts.
    weighed = {stem for value in posts.tolist() for stem in stems_of[value]} | {SCHEMA}
    weights = np.array([weigh_name(name) if name in weighed else 0.0 for name in names])
    return RowGroups(rows, np.append(0, stop)[:-1], stop, names, weights, MIN_NAMESAKES)


def _group(page: Page, row: _Rows, stem: _Rows) -> tuple[_Rows, _Rows, _Rows]:
    """Group rows by tag and stem, in the order in which the groups first occur.

    ``row`` and the numbers ``stem`` are pairs, of which some may be the same. Returns for each
    group the number of its stem, and where it stops; and the rows of all.
    """
    n_row = len(page)
    key = stem * len(NAMES) + page.tag.take(row)
    keyed, occurs = np.unique(key * n_row + row, return_index=True)
    key = keyed // n_row
    start, stop = _find_runs(key)
    if not start.size:
        return start, stop, keyed
    order = np.minimum.reduceat(occurs, start).argsort()
    start, stop = start.take(order), stop.take(order)
    rows = [keyed[first:last] % n_row for first, last in zip(start, stop, strict=True)]
    return key.take(start) // len(NAMES), (stop - start).cumsum(), np.concatenate(rows)


def _order_entries(named: RowNames, entry: _Rows, n_row: int) -> _Rows:
    """Order entries by the first entry of their row, so that those of a row are together."""
    begins = np.zeros(n_row, np.int64)
    begins[named.row[::-1]] = np.arange(named.row.size)[::-1]
    return entry.take(begins.take(named.row.take(entry)).argsort(kind="stable"))


def find_siblings(page: Page) -> RowGroups:
    """Group the rows that share a parent."""
    rows = np.flatnonzero(_SIBLINGS[page.tag])
    key = page.parent[rows].astype(np.int64) * len(NAMES) + page.tag[rows]
    order = np.argsort(key, kind="stable")
    start, stop = _find_runs(key.take(order))
    names, weights = [b""] * start.size, np.zeros(start.size)
    return RowGroups(rows[order], start, stop, names, weights, MIN_SIBLINGS)


def _find_runs(key: _Rows) -> tuple[_Rows, _Rows]:
    """Return where each run of equal keys starts and stops; int64[n_run] each."""
    edges = (key[1:] != key[:-1]).nonzero()[0] + 1
    start = np.append(0, edges)[: key.size]
    return start, np.append(edges, key.size)[: start.size]


@bounded_cache(_MAX_WEIGHED)
def weigh_name(name: bytes) -> float:
    """Return the weight of a name as evidence for posts."""
    if name == SCHEMA:
        return 3.0
    name = split_name(name)
    if not any(part in name for part in _POST_PARTS.texts) or _AROUND.search(name):
        return 0.0
    return 1.5 if _STRONG.search(name) else 0.75 if _LIKELY.search(name) else 0.0


@bounded_cache(_MAX_WEIGHED)
def _post_stems_of(value: bytes) -> tuple[bytes, ...]:
    return tuple(filter(weigh_name, _stems_of(value)))


@bounded_cache(_MAX_WEIGHED)
def _stems_of(value: bytes) -> tuple[bytes, ...]:
    """Return the names in a value without their digits."""
    if value.startswith(b"<"):
        return (value,)
    if value.startswith(b"#"):
        match = _ID.match(value[1:])
        return (b"#" + match[1],) if match else ()
    names = [name.translate(None, _DIGITS).rstrip(b"-_") for name in value.split()[:MAX_NAMES]]
    return tuple(dict.fromkeys(filter(None, names)))


# -- raising ---------------------------------------------------------------------------------------

MAX_LEVELS_UP: Final = 8


class GroupMembers(NamedTuple):
    """The members of one group, with its name and the weight of that."""

    name: bytes
    weight: float
    rows: _Rows
    raised: _Rows
    """Where they are raised to; the rows themselves unless they are beside each other."""
    is_beside: bool
    """True for several members of which none is inside another."""


def raise_groups(page: Page, groups: RowGroups, member: BoolArray) -> Iterator[GroupMembers]:
    """Yield the members of each group, which are its flagged rows, raised."""
    columns = (groups.weights.tolist(), groups.start.tolist(), groups.stop.tolist())
    for name, weight, first, last in watch(zip(groups.names, *columns, strict=True)):
        members = groups.rows[first:last]
        members = members[member[members]]
        is_beside = members.size > 1 and bool((page.end[members[:-1]] <= members[1:]).all())
        raised = _raise_members(page, members) if is_beside else members
        yield GroupMembers(name, weight, members, raised, is_beside)


def _raise_members(page: Page, rows: _Rows) -> _Rows:
    """Raise members to the highest ancestors with one member each, as far as most of them go."""
    members = rows
    for _ in range(MAX_LEVELS_UP):
        parent = page.parent.take(rows)
        held = members.searchsorted(page.end.take(parent)) - members.searchsorted(parent)
        alone = (parent >= 0) & (held == 1)
        if 2 * np.count_nonzero(alone) < rows.size:
            break
        rows = np.where(alone, parent, rows)
    return rows
