"""Positions of all attributes of a page, as spans of the canonical buffer.

If compiled, `find_attributes` reads the tags one by one in C (native/page/attributes.c,
docs/adr/0007); otherwise numpy finds them without a loop.

In canonical HTML an attribute is one space, the name, `="`, the value with `"` escaped, and `"`.
So inside a tag quotes alternate between opening and closing. A name may contain a stray quote
(`<a href="x"">`, `<a="x">`); such tags are recognised by the misplaced quote and read one by one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page.distinct import DistinctValues, read_values
from thresher.page.names import MAX_NAME_BYTES, PackedNames, pack_between, pack_names
from thresher.page.parts import CLASS_PARTS, find_parts
from thresher.page.references import unescape
from thresher.page.rows import BoolArray, freeze
from thresher.page.scan import IntArray
from thresher.page.tags import NAMES, OTHER, TEXT
from thresher.support.cached import cached_property
from thresher.support.text_search import TextSearch

__all__ = ["COMMON_NAMES", "Attributes", "find_attributes", "read_attributes"]

_QUOTE, _EQUALS, _SPACE, _GT = b'"= >'
_NAME_BYTES: Final = np.array([len(name) for name in NAMES], np.int32)
"""Bytes of each known tag name; 0 for other elements."""
_NAME_BYTES[OTHER] = 0
COMMON_NAMES: Final = (
    *("class", "href", "id", "type", "name", "content", "rel", "value", "property", "role", "lang"),
    *("itemprop", "itemscope", "itemtype", "datetime", "dir", "http-equiv", "author", "data-tex"),
    *("data-math", "data-latex", "data-author", "data-callout", "data-username"),
)
"""Names that the metadata or an output of most pages asks for, those first that are on most
elements. Finding all at once takes about as long as finding four."""
_SEPARATOR: Final = b"\0"
_ATTRIBUTE: Final = re.compile(rb' (=?[^ =>]*)="([^"]*)"')
_ATTRIBUTE_TEXT: Final = re.compile(_ATTRIBUTE.pattern.decode())


class _Names(NamedTuple):
    """Some names, also in UTF-8 one after the other, and where each stops there."""

    each: tuple[str, ...]
    joined: bytes
    stop: IntArray


def _join_names(*names: str) -> _Names:
    parts = [name.encode() for name in names]
    return _Names(names, b"".join(parts), np.array([*accumulate(map(len, parts))], np.int32))


_COMMON: Final = _join_names(*COMMON_NAMES)


@dataclass(frozen=True)
class Attributes:
    """One entry per attribute, in order of position; int32[n_attribute] each.

    ``row`` is the element's row; ``name_start`` and ``start:stop``, the escaped value, are offsets
    into the buffer.
    """

    buffer: bytes
    row: IntArray
    name_start: IntArray
    start: IntArray
    stop: IntArray

    def named(self, *names: str) -> npt.NDArray[np.intp]:
        """Return the entries whose attribute has one of these names, in order.

        ValueError for a name longer than `thresher.page.names.MAX_NAME_BYTES`.
        """
        if len(names) > 1:
            found = np.concatenate([self.named(name) for name in names])
            found.sort()
            return found
        (name,) = names
        if len(name.encode()) > MAX_NAME_BYTES:
            raise ValueError(f"{name!r} is longer than {MAX_NAME_BYTES} bytes")
        if name not in self._by_name:
            (self._by_name[name],) = _find_named(self, _join_names(name))
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, npt.NDArray[np.intp]]:
        """Name → its entries: of common names, and of others that were asked for."""
        return dict(zip(COMMON_NAMES, _find_named(self, _COMMON), strict=True))

    @property
    def names(self) -> PackedNames:
        """The packed names, of up to `MAX_NAME_BYTES` each; recomputed on every access."""
        return pack_between(self.buffer, self.name_start, self.start - len('="'))

    def matching(
        self, name: str, *patterns: bytes, of: BoolArray | None = None
    ) -> npt.NDArray[np.intp]:
        """Return the entries of this name whose value matches one of the regular expressions.

        Values are matched escaped and with ASCII letters lower-cased; a pattern must not match NUL.
        With ``of``, bool[n_row], only those of flagged rows.
        """
        entries = self.named(name)
        if of is None:
            return entries[self.search(name).matching(patterns)]
        entries = entries[of[self.row.take(entries)]]
        return entries[self._search_in(entries).matching(patterns)]

    def classed(
        self, parts: np.uint32, pattern: bytes = b"", first: int = 0, stop: int | None = None
    ) -> npt.NDArray[np.intp]:
        """Return the entries of classes with one of some parts, given as bits of `CLASS_PARTS`.

        With ``pattern``, those of them that match it, as by `matching`; only those of the rows
        ``first:stop``.
        """
        entries = self.named("class")[(self._class_parts & parts).nonzero()[0]]
        if stop is not None and entries.size:
            rows = self.row.take(entries)
            entries = entries[slice(*rows.searchsorted((first, stop)).tolist())]
        if not pattern or not entries.size:
            return entries
        return entries[self._search_in(entries).matching((pattern,))]

    @cached_property
    def _class_parts(self) -> npt.NDArray[np.uint32]:
        """The bits of `CLASS_PARTS` in each class, in the order of `named`."""
        entries = self.named("class")
        spans = self.start.take(entries), self.stop.take(entries)
        return find_parts(self.buffer, *spans, CLASS_PARTS)

    def distinct(self, name: str) -> DistinctValues:
        """Return the distinct values of this name, and which each element has; read once."""
        if name not in self._distinct_by_name:
            found = read_values(self.buffer, self.row, self.start, self.stop, self.named(name))
            self._distinct_by_name[name] = found
        return self._distinct_by_name[name]

    @cached_property
    def _distinct_by_name(self) -> dict[str, DistinctValues]:
        return {}

    def search(self, name: str) -> TextSearch:
        """Return a search of the escaped values of this name, in the order of `named`."""
        if name not in self._searches:
            self._searches[name] = self._search_in(self.named(name))
        return self._searches[name]

    @cached_property
    def _searches(self) -> dict[str, TextSearch]:
        return {}

    def _search_in(self, entries: npt.NDArray[np.intp]) -> TextSearch:
        spans = zip(
            self.start.take(entries).tolist(), self.stop.take(entries).tolist(), strict=True
        )
        return TextSearch([self.buffer[start:stop] for start, stop in spans])

    def value(self, entry: int) -> str:
        """Return the value of one entry, unescaped."""
        return unescape(self.buffer[self.start[entry] : self.stop[entry]].decode())

    def values(self, name: str) -> dict[int, str]:
        """Return row → unescaped value for every element with the attribute.

        It is read once; not to be changed.
        """
        if name not in self._values_by_name:
            self._values_by_name[name] = self.values_of(self.named(name))
        return self._values_by_name[name]

    @cached_property
    def _values_by_name(self) -> dict[str, dict[int, str]]:
        """Name → the values that were asked for; writers in place ask for some several times."""
        return {}

    def values_of(self, entries: npt.NDArray[np.intp]) -> dict[int, str]:
        """Return row → unescaped value for some entries, of which no two have the same row."""
        return dict(zip(self.row.take(entries).tolist(), self.texts_of(entries), strict=True))

    def texts_of(self, entries: npt.NDArray[np.intp]) -> list[str]:
        """Return the unescaped values of some entries."""
        if not entries.size:
            return []
        spans = zip(
            self.start.take(entries).tolist(), self.stop.take(entries).tolist(), strict=True
        )
        buffer = self.buffer
        # All at once, because a page has thousands; no value contains NUL.
        text = unescape(_SEPARATOR.join([buffer[start:stop] for start, stop in spans]).decode())
        return text.split(_SEPARATOR.decode())


def read_attributes(markup: bytes) -> dict[str, str]:
    """Read the attributes of one canonical start tag, in order; the first of a name wins."""
    text = markup.decode()
    pairs: list[tuple[str, str]] = _ATTRIBUTE_TEXT.findall(text)
    if "&" in text:
        pairs = [(name, unescape(value)) for name, value in pairs]
    found = dict(pairs)
    if len(found) < len(pairs):
        first = dict(reversed(pairs))
        found = {name: first[name] for name in found}
    return found


def _find_named_by_step(
    steps: Steps, attributes: Attributes, names: _Names
) -> list[npt.NDArray[np.intp]] | None:
    columns = attributes.name_start, attributes.start
    found = steps.find_named(attributes.buffer, *columns, names.joined, names.stop)
    if found is None:
        return None
    entries = freeze(found[0].copy())  # the room for those of other names is given back
    stops = found[1].cumsum().tolist()
    return [entries[start:stop] for start, stop in zip((0, *stops), stops, strict=False)]


@kernel_with(_find_named_by_step)
def _find_named(attributes: Attributes, names: _Names) -> list[npt.NDArray[np.intp]]:
    """Find the entries of each of some different names; read-only."""
    n_byte_each = attributes.start - attributes.name_start - len('="')
    found = []
    for name in names.each:
        n_byte = len(name.encode())
        entries: npt.NDArray[np.intp] = (n_byte_each == n_byte).nonzero()[0]
        start = attributes.name_start.take(entries)
        words = pack_between(attributes.buffer, start, start + n_byte)
        packed = pack_names(name)
        same: npt.NDArray[np.bool_] = words.low == packed.low
        same &= words.high == packed.high
        found.append(freeze(entries[same]))
    return found


def _find_attributes_by_step(
    steps: Steps, buffer: bytes, tag: npt.NDArray[np.int16], start: IntArray, stop: IntArray
) -> Attributes | None:
    n_room = steps.count_attributes_at_most(buffer) or 0
    found = steps.find_attributes(buffer, tag, start, stop, _NAME_BYTES, n_room)
    return None if found is None else Attributes(buffer, *freeze(found))


@kernel_with(_find_attributes_by_step)
def find_attributes(
    buffer: bytes, tag: npt.NDArray[np.int16], start: IntArray, stop: IntArray
) -> Attributes:
    """Find the attributes of all elements, given each row's tag code and start tag."""
    row = (tag != TEXT).nonzero()[0].astype(np.int32)
    name, start, stop = tag.take(row), start.take(row), stop.take(row)
    raw = np.frombuffer(buffer, np.uint8)
    quote = (raw == _QUOTE).nonzero()[0].astype(np.int32)
    owner = start.searchsorted(quote, side="right") - 1
    inside = (quote < stop.take(owner)).nonzero()[0]
    quote, owner = quote.take(inside), owner.take(inside)

    count = np.bincount(owner, minlength=start.size)
    begun = count.nonzero()[0]
    first = count.cumsum() - count
    head = first.take(begun)
    closes = ((np.arange(quote.size) - first.take(owner)) & 1).astype(np.bool_)
    after = raw.take(quote + 1)
    fits = np.where(closes, (after == _SPACE) | (after == _GT), raw.take(quote - 1) == _EQUALS)
    # A tag's name ends at its first space; a quote before that is part of the name.
    name_stop = _end_names(raw, name.take(begun), start.take(begun))
    is_bad = (count & 1).astype(np.bool_)
    is_bad[owner[~fits]] = True
    is_bad[begun[name_stop > quote.take(head)]] = True
    bad = is_bad.nonzero()[0]
    if bad.size:
        fine = ~is_bad.take(owner)
        quote, owner, closes = quote[fine], owner[fine], closes[fine]
        count[bad] = 0
        name_stop = name_stop[~is_bad.take(begun)]
        begun = count.nonzero()[0]
        head = (count.cumsum() - count).take(begun)

    # In the remaining tags every second quote opens a value.
    columns = np.empty((4, quote.size // 2), np.int32)
    columns[0] = row.take(owner[::2])
    columns[2] = quote[::2]
    columns[2] += 1
    columns[3] = quote[1::2]
    # A name starts after the previous value; the first one after the tag name.
    columns[1, 1:] = columns[3, :-1]
    columns[1] += len('" ')
    columns[1, head // 2] = name_stop + 1
    if bad.size:
        columns = np.concatenate((columns, _read_each(buffer, bad, row, start, stop)), axis=1)
        columns = columns[:, columns[1].argsort(kind="stable")]
    columns.setflags(write=False)
    return Attributes(buffer, *columns)


def _end_names(
    raw: npt.NDArray[np.uint8], name: npt.NDArray[np.int16], start: IntArray
) -> IntArray:
    """Return the end of each tag name."""
    stop = start + _NAME_BYTES.take(name) + 1
    others = (name == OTHER).nonzero()[0]
    if others.size:
        space = np.append((raw == _SPACE).nonzero()[0], raw.size)
        stop[others] = space.take(space.searchsorted(start.take(others)))
    return stop


def _read_each(
    buffer: bytes, tags: npt.NDArray[np.intp], row: IntArray, start: IntArray, stop: IntArray
) -> IntArray:
    """Find the attributes of these tags one by one; int32[4, n] as in `Attributes`."""
    found = [
        (int(row[i]), match.start(1), match.start(2), match.end(2))
        for i in tags.tolist()
        for match in _ATTRIBUTE.finditer(buffer, int(start[i]), int(stop[i]))
    ]
    return np.array(found, np.int32).reshape(-1, 4).T
