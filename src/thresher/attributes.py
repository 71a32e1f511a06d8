"""Where every attribute of a page is: spans into the canonical buffer, found without a loop.

In canonical HTML an attribute is one space, the name, `="`, the value with `"` escaped, and `"`.
So inside a tag quotes alternate between opening and closing. A name may hold a stray quote
(`<a href="x"">`, `<a="x">`); such tags show it by a quote out of place and are read one at a time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from html import unescape
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.names import Words, words_between, words_of
from thresher.scan import IntArray

__all__ = ["Attributes", "find_attributes", "read_attributes"]

_QUOTE, _EQUALS, _SPACE, _GT = b'"= >'
_ATTRIBUTE: Final = re.compile(rb' (=?[^ =>]*)="([^"]*)"')


@dataclass(frozen=True)
class Attributes:
    """One entry an attribute, sorted by place; int32[n_attribute] each.

    ``row`` is the element's row; ``name_start`` and ``start:stop``, the value, are offsets into
    the buffer. Values are still escaped there.
    """

    buffer: bytes
    row: IntArray
    name_start: IntArray
    start: IntArray
    stop: IntArray

    def named(self, name: str) -> npt.NDArray[np.intp]:
        """Return the entries whose attribute has this name, in order.

        ValueError for a name of more than `thresher.names.MAX_NAME_BYTES`.
        """
        wanted = _words_of(name)
        entries = np.flatnonzero(self._names.low == wanted.low)
        same: npt.NDArray[np.bool_] = self._names.high.take(entries) == wanted.high
        return entries[same]

    @cached_property
    def _names(self) -> Words:
        return words_between(self.buffer, self.name_start, self.start - len('="'))

    def matching(self, name: str, *patterns: bytes) -> npt.NDArray[np.intp]:
        """Return the entries of this name in whose value a regular expression matches.

        Values are still escaped, and ASCII letters lower-case; a pattern must not match NUL.
        """
        entries = self.named(name)
        spans = zip(self.start[entries].tolist(), self.stop[entries].tolist(), strict=True)
        values = b"\0".join([self.buffer[start:stop] for start, stop in spans]).lower()
        hits = [hit.start() for pattern in patterns for hit in re.finditer(pattern, values)]
        ends = np.cumsum(self.stop[entries] - self.start[entries] + 1)
        return entries[np.unique(np.searchsorted(ends, hits, side="right"))]

    def value(self, entry: int) -> str:
        """Return the value of one entry, unescaped."""
        return unescape(self.buffer[self.start[entry] : self.stop[entry]].decode())

    def values(self, name: str) -> dict[int, str]:
        """Return row → value for every element that has the attribute."""
        return {int(self.row[entry]): self.value(entry) for entry in self.named(name).tolist()}


_words_of: Final = cache(words_of)
"""The few names that are ever asked for, each packed once."""


def read_attributes(markup: bytes) -> dict[str, str]:
    """Read the attributes of one canonical start tag, in order; the first of a name wins."""
    found: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(markup):
        found.setdefault(name.decode(), unescape(value.decode()))
    return found


def find_attributes(buffer: bytes, row: IntArray, start: IntArray, stop: IntArray) -> Attributes:
    """Find the attributes of the start tags at ``start:stop``, which belong to ``row``."""
    raw = np.frombuffer(buffer, np.uint8)
    quote = np.flatnonzero(raw == _QUOTE)
    tag = np.searchsorted(start, quote, side="right") - 1
    inside = quote < stop[tag]
    quote, tag = quote[inside], tag[inside]

    count = np.bincount(tag, minlength=start.size)
    first = np.cumsum(count) - count
    closes = ((np.arange(quote.size) - first[tag]) & 1).astype(np.bool_)
    after = raw[quote + 1]
    fits = np.where(closes, (after == _SPACE) | (after == _GT), raw[quote - 1] == _EQUALS)
    # A tag's name ends at its first space; a quote before that is part of the name.
    head = np.flatnonzero(np.diff(tag, prepend=-1))
    begun = tag[head]
    space = np.append(np.flatnonzero(raw == _SPACE), raw.size)
    name_stop = space[np.searchsorted(space, start[begun])]
    is_bad = (count & 1).astype(np.bool_)
    is_bad[tag[~fits]] = True
    is_bad[begun[name_stop > quote[head]]] = True
    bad = np.flatnonzero(is_bad)
    if bad.size:
        fine = ~is_bad[tag]
        quote, tag, closes = quote[fine], tag[fine], closes[fine]

    opening, closing, tag = quote[~closes], quote[closes], tag[~closes]
    # A name starts behind the value before it; the first of a tag behind the tag's name.
    name_start = np.empty(opening.size, np.int64)
    name_start[1:] = closing[:-1] + 2
    name_start[np.flatnonzero(np.diff(tag, prepend=-1))] = name_stop[~is_bad[begun]] + 1
    columns = np.stack((row[tag], name_start, opening + 1, closing))
    if bad.size:
        columns = np.concatenate((columns, _read_each(buffer, bad, row, start, stop)), axis=1)
        columns = columns[:, np.argsort(columns[1], kind="stable")]
    columns = columns.astype(np.int32)
    columns.setflags(write=False)
    return Attributes(buffer, *columns)


def _read_each(
    buffer: bytes, tags: npt.NDArray[np.intp], row: IntArray, start: IntArray, stop: IntArray
) -> npt.NDArray[np.int64]:
    """Find the attributes of these tags one by one; int64[4, n] as in `Attributes`."""
    found = [
        (int(row[i]), match.start(1), match.start(2), match.end(2))
        for i in tags.tolist()
        for match in _ATTRIBUTE.finditer(buffer, int(start[i]), int(stop[i]))
    ]
    return np.array(found, np.int64).reshape(-1, 4).T
