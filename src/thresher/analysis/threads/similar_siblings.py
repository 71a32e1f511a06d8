"""Groups of similar rows: of one tag, with a common parent or a common name without its digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.threads.markup_hints import MarkupHints
from thresher.analysis.threads.markup_names import split_name
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import Parts, find_parts_in
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, NAMES, flags_of
from thresher.support.bounded_cache import bounded_cache

__all__ = ["SCHEMA", "RowGroups", "find_namesakes", "find_siblings", "weigh_name"]

_Rows = npt.NDArray[np.int64]

MAX_NAMES: Final = 16
"""Names read of one class."""
MIN_NAMESAKES: Final = 2
"""Least rows of a group with a shared name, unless it is a name of posts."""
MIN_SIBLINGS: Final = 3
"""Least children of one tag and parent that form a group without a name."""
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
    *(b"coment", b"comment", b"comtr", b"kommentar", b"cmt", b"repl", b"answer", b"post"),
    *(b"message", b"msg", b"review", b"question", b"entry", b"cite", b"discussion"),
    *(b"timeline", b"response", b"thing", b"pid", b"plhin"),
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
_SEPARATOR: Final = b"\0"
_ID: Final = re.compile(rb"^([a-zA-Z][a-zA-Z_-]*?)[_-]?(?:\d[\w-]*|[0-9a-f-]{8,64})$")
_SIBLINGS: Final = flags_of("article blockquote dd div dl dt li section table tbody td tr")
_ARTICLE: Final = CODE_OF["article"]


@dataclass(frozen=True, slots=True)
class RowGroups:
    """Groups of rows: group g is ``rows[start[g]:start[g + 1]]``, in order."""

    rows: _Rows
    start: _Rows
    names: list[bytes]
    """The name of each group."""
    weights: npt.NDArray[np.float64]
    """The weights of the names, see `weigh_name`; float64[n_group]."""
    min_rows: int
    """Least rows of a group whose name has no weight."""

    def count(self, row_flags: BoolArray) -> _Rows:
        """Count the flagged rows of each group; int64[n_group]."""
        total = np.zeros(self.rows.size + 1, np.int64)
        np.cumsum(row_flags[self.rows], out=total[1:])
        counts: _Rows = np.diff(total[self.start])
        return counts

    def flagged(self, groups: BoolArray) -> Iterator[tuple[bytes, float, _Rows]]:
        """Yield name, weight and rows of the flagged groups."""
        for group in watch(np.flatnonzero(groups).tolist()):
            rows = self.rows[self.start[group] : self.start[group + 1]]
            yield self.names[group], float(self.weights[group]), rows


def find_namesakes(hints: MarkupHints, *, only_posts: bool) -> RowGroups:
    """Group the rows that share a name, in page order, schema.org posts first.

    A row with several names is in several groups. ``only_posts`` skips names without weight.
    """
    page, named = hints.page, hints.names
    place: dict[bytes, int] = {}
    every = range(len(named.values))
    stems: list[list[int]] = [[] for _ in every]
    for index in watch(_find_posts(named.values) if only_posts else every):
        found = _stems_of(named.values[index])
        stems[index] = [place.setdefault(stem, len(place)) for stem in found]
    article = place.setdefault(b"article", len(place))
    weight = np.array([weigh_name(stem) for stem in watch(place)])
    if only_posts:
        stems = [[stem for stem in each if weight[stem]] for each in stems]

    # One entry for each name of a row.
    size = np.array([len(each) for each in stems], np.int64)
    flat = np.array([stem for each in stems for stem in each], np.int64)
    count = size[named.value]
    row = np.repeat(named.row, count).astype(np.int64)
    first = np.repeat((np.cumsum(size) - size)[named.value] - (np.cumsum(count) - count), count)
    key = flat[np.arange(row.size) + first] * len(NAMES) + page.tag[row]
    _, once = np.unique(key * len(page) + row, return_index=True)
    once.sort()
    row, key = row[once], key[once]
    if not only_posts:
        articles = np.flatnonzero(page.tag == _ARTICLE)
        row = np.concatenate((row, articles))
        key = np.concatenate((key, np.full(articles.size, article * len(NAMES) + _ARTICLE)))

    # Those of schema.org, whose key is different from those of names.
    schema = np.array(sorted(hints.schema), np.int64)
    row, key = np.concatenate((schema, row)), np.concatenate((np.full(schema.size, -1), key))
    _, occurs, same = np.unique(key, return_index=True, return_inverse=True)
    order = np.lexsort((row, occurs[same]))
    row, key = row[order], key[order]
    start = np.flatnonzero(np.diff(key, prepend=-2))
    names, weights = [*place, SCHEMA], np.append(weight, weigh_name(SCHEMA))
    name = key[start] // len(NAMES)
    start = np.append(start, row.size)
    called = [names[each] for each in name.tolist()]
    return RowGroups(row, start, called, weights[name], MIN_NAMESAKES)


def find_siblings(page: Page) -> RowGroups:
    """Group the rows that share a parent."""
    rows = np.flatnonzero(_SIBLINGS[page.tag])
    key = page.parent[rows].astype(np.int64) * len(NAMES) + page.tag[rows]
    order = np.argsort(key, kind="stable")
    start = np.flatnonzero(np.diff(key[order], prepend=-1))
    names, weights = [b""] * start.size, np.zeros(start.size)
    return RowGroups(rows[order], np.append(start, rows.size), names, weights, MIN_SIBLINGS)


@bounded_cache(_MAX_WEIGHED)
def weigh_name(name: bytes) -> float:
    """Return the weight of a name as evidence for posts."""
    if name == SCHEMA:
        return 3.0
    name = split_name(name)
    if not any(part in name for part in _POST_PARTS.texts) or _AROUND.search(name):
        return 0.0
    return 1.5 if _STRONG.search(name) else 0.75 if _LIKELY.search(name) else 0.0


def _find_posts(values: list[bytes]) -> list[int]:
    """Return the indices of the values in which a name may have a weight."""
    bare = _SEPARATOR.join(values).translate(None, _DIGITS).split(_SEPARATOR)
    found: list[int] = np.flatnonzero(find_parts_in(bare, _POST_PARTS)).tolist()
    return found


def _stems_of(value: bytes) -> tuple[bytes, ...]:
    """Return the names in a value without their digits."""
    if value.startswith(b"<"):
        return (value,)
    if value.startswith(b"#"):
        found = _ID.match(value[1:])
        return (b"#" + found[1],) if found else ()
    names = [name.translate(None, _DIGITS).rstrip(b"-_") for name in value.split()[:MAX_NAMES]]
    return tuple(dict.fromkeys(filter(None, names)))
