"""The attributes of a page: entries by name, their values, and searches in these.

Most values, such as classes, occur many times, so searches read each distinct one once. Regular
expressions with many branches are slow, and most texts match none. So the texts that have one of
some plain parts in them are found first, in one pass over all of them for each part.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, repeat
from operator import add
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline, watch
from thresher.native import Steps, kernel_with
from thresher.page.names import MAX_NAME_BYTES, PackedNames, pack_between, pack_names
from thresher.page.parts import CLASS_PARTS, STYLE_PARTS, SYSTEM_PARTS, PartBits, Parts, find_parts
from thresher.page.rows import BoolArray, freeze
from thresher.page.scan import IntArray
from thresher.page.text import unescape
from thresher.support.cached import cached_lookup, cached_property

_SEPARATOR: Final = b"\0"


class TextSearch:
    """Texts without NUL, to be searched in lower case; only ASCII letters have one."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        self._texts = texts
        self._joined = _SEPARATOR.join(texts).lower()

    @cached_property
    def _stops(self) -> list[int]:
        """Where each text stops, its separator included; few searches have a hit."""
        return list(accumulate(map(add, map(len, self._texts), repeat(len(_SEPARATOR)))))

    def lower(self, index: int) -> bytes:
        """Return one of the texts in lower case."""
        return self._texts[index].lower()

    def has(self, part: bytes) -> bool:
        """Return whether any text contains a part, given in lower case."""
        return part in self._joined

    def find(self, parts: Iterable[bytes]) -> list[int]:
        """Return the indices, in order, of the texts that contain one of some lower-case parts.

        Cost: linear in all texts, times parts.
        """
        joined = self._joined
        indices: set[int] = set()
        for part in parts:
            check_deadline()
            at = joined.find(part)
            while at >= 0:
                index = bisect_right(self._stops, at)
                indices.add(index)
                at = joined.find(part, self._stops[index])
        return sorted(indices)

    def matching(self, patterns: Iterable[bytes]) -> list[int]:
        """Return the indices, in order, of the texts that match one of some patterns.

        The texts are searched as one, separated by NUL, which a pattern must not match.
        """
        indices = {
            bisect_right(self._stops, hit.start())
            for pattern in patterns
            for hit in watch(re.finditer(pattern, self._joined))
        }
        return sorted(indices)


_WORD: Final = re.compile(r"[^ \t\n\f\r]+")


class Numbered(NamedTuple):
    """Spans numbered by what they read, in order of first occurrence."""

    number: IntArray
    """The number of each span; int32[n]."""
    first: IntArray
    """The first span with each number; int32[n_distinct]."""


@dataclass(frozen=True)
class DistinctValues:
    """The distinct values of an attribute, in order of first occurrence."""

    buffer: bytes
    row: IntArray
    """The rows with the attribute, in order; int32[n]."""
    number: IntArray
    """The value of each: an index into the other fields; int32[n]."""
    start: IntArray
    """Where each value starts in the page's buffer; int32[n_distinct]."""
    stop: IntArray
    """Where it stops there; int32[n_distinct]."""

    @cached_property
    def texts(self) -> list[bytes]:
        """The values, escaped."""
        return _slice(self.buffer, self.start, self.stop)

    def text(self, number: int) -> bytes:
        """Return one of ``texts``, without the others."""
        return self.buffer[self.start[number] : self.stop[number]]

    @cached_property
    def words(self) -> dict[str, list[int]]:
        """The numbers of the values with each word, unescaped.

        Words are between ASCII white space, as in HTML; a no-break space is part of one.
        """
        numbers_of: dict[str, list[int]] = {}
        for number, text in enumerate(watch(self.texts)):
            for word in dict.fromkeys(_WORD.findall(unescape(text.decode()))):
                numbers_of.setdefault(word, []).append(number)
        return numbers_of

    def rows_with(self, numbers: list[int]) -> IntArray:
        """Return the rows with some of the values, given by number; int32[n]."""
        rows: IntArray = self.row[self.flag(numbers)] if numbers else self.row[:0]
        return rows

    def rows_with_word(self, word: str) -> IntArray:
        """Return the rows with a value that has a word, one of `words`; int32[n]."""
        return self.rows_with(self.words.get(word, []))

    def flag(self, numbers: list[int] | npt.NDArray[np.intp]) -> BoolArray:
        """Flag the elements that have one of some values, given by number; bool[n]."""
        wanted = np.zeros(self.start.size, np.bool_)
        wanted[numbers] = True
        return wanted.take(self.number)


def _slice(buffer: bytes, start: IntArray, stop: IntArray) -> list[bytes]:
    """Return the parts ``start:stop`` of a buffer."""
    spans = zip(start.tolist(), stop.tolist(), strict=True)
    return [buffer[first:last] for first, last in spans]


def _number_by_step(
    steps: Steps, buffer: bytes, start: IntArray, stop: IntArray
) -> Numbered | None:
    # A table twice as large as needed has few collisions.
    numbered = steps.number_spans(buffer, start, stop, 2 << int(start.size).bit_length())
    return None if numbered is None else Numbered(*numbered)


@kernel_with(_number_by_step)
def number_spans(buffer: bytes, start: IntArray, stop: IntArray) -> Numbered:
    """Number spans of a buffer by what they read, in order of first occurrence."""
    number_of: dict[bytes, int] = {}
    parts = _slice(buffer, start, stop)
    number = [number_of.setdefault(part, len(number_of)) for part in parts]
    numbers = np.array(number, np.int32)
    return Numbered(numbers, np.unique(numbers, return_index=True)[1].astype(np.int32))


COMMON_NAMES: Final = tuple(
    "class href id type name content rel value property role lang itemprop itemscope"
    " itemtype datetime dir http-equiv author data-tex data-math data-math-style data-latex"
    " data-author data-callout data-username data-panel-type aria-expanded download style"
    " hidden aria-hidden open data-align data-cfemail aria-controls data-target"
    " data-bs-target data-toggle data-bs-toggle onclick shadowrootmode shadowroot srcdoc"
    " target epub:type src action start aria-checked data-checked data-list data-task-state"
    " data-adblockkey data-page-no component width videoid data-video-id data-youtube-id".split()
)
"""Names that the blocks, the metadata or an output of most pages ask for, those first that are on
most elements. Finding all at once takes about as long as finding four."""
_ATTRIBUTE: Final = re.compile(r' (=?[^ =>]*)="([^"]*)"')


class _Names(NamedTuple):
    """Some names, also in UTF-8 one after the other, and where each stops there."""

    each: tuple[str, ...]
    joined: bytes
    stop: IntArray


def _join_names(*names: str) -> _Names:
    parts = [name.encode() for name in names]
    return _Names(names, b"".join(parts), np.array([*accumulate(map(len, parts))], np.int32))


_COMMON: Final = _join_names(*COMMON_NAMES)
_NO_ENTRIES: Final = freeze(np.zeros(0, np.intp))


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
            entries = np.concatenate([self.named(name) for name in names])
            entries.sort()
            return entries
        (name,) = names
        by_name = self._by_name
        if name not in by_name:
            if len(name.encode()) > MAX_NAME_BYTES:
                raise ValueError(f"{name!r} is longer than {MAX_NAME_BYTES} bytes")
            (by_name[name],) = _find_named(self, _join_names(name))
        return by_name[name]

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
        if not entries.size:
            return entries
        if of is None:
            search = self._search_distinct(name)
            check_deadline()
            return self._with_values(name, search.matching(patterns))
        entries = entries[of[self.row.take(entries)]]
        return entries[self._search_in(entries).matching(patterns)]

    def classed(
        self, parts: np.uint64, pattern: bytes = b"", first: int = 0, stop: int | None = None
    ) -> npt.NDArray[np.intp]:
        """Return the entries of classes with one of some parts, given as bits of `CLASS_PARTS`.

        With ``pattern``, those of them that match it, as by `matching`; only those of the rows
        ``first:stop``.
        """
        if not self.class_parts & parts:
            return _NO_ENTRIES
        values = self.distinct("class")
        numbers = (self._class_parts & parts).nonzero()[0]
        if pattern and numbers.size:
            search = TextSearch([values.text(number) for number in numbers.tolist()])
            numbers = numbers[search.matching((pattern,))]
        entries = self._with_values("class", numbers)
        if stop is None or not entries.size:
            return entries
        rows = self.row.take(entries)
        ends = np.array((first, stop), rows.dtype)  # others would have all rows converted
        return entries[slice(*rows.searchsorted(ends).tolist())]

    def rows_named(self, *names: str) -> IntArray:
        """Return the rows with an attribute of one of these names, as by `named`; int32[n]."""
        return self.row.take(self.named(*names))

    def rows_matching(self, name: str, *patterns: bytes, of: BoolArray | None = None) -> IntArray:
        """Return the rows with a value that matches, as by `matching`; int32[n]."""
        return self.row.take(self.matching(name, *patterns, of=of))

    def rows_classed(
        self, parts: np.uint64, pattern: bytes = b"", first: int = 0, stop: int | None = None
    ) -> IntArray:
        """Return the rows with such classes, as by `classed`; int32[n]."""
        return self.row.take(self.classed(parts, pattern, first, stop))

    def _with_values(
        self, name: str, numbers: list[int] | npt.NDArray[np.intp]
    ) -> npt.NDArray[np.intp]:
        """Return the entries of a name with some of its distinct values, given by number."""
        if not len(numbers):
            return _NO_ENTRIES
        entries: npt.NDArray[np.intp] = self.named(name)[self.distinct(name).flag(numbers)]
        return entries

    @cached_property
    def _class_parts(self) -> PartBits:
        """The bits of `CLASS_PARTS` in each distinct class."""
        values = self.distinct("class")
        return find_parts(self.buffer, values.start, values.stop, CLASS_PARTS)

    @cached_property
    def class_parts(self) -> np.uint64:
        """The bits of `CLASS_PARTS` that any class of the page has."""
        bits: np.uint64 = np.bitwise_or.reduce(self._class_parts)
        return bits

    @cached_property
    def system_parts(self) -> np.uint64:
        """The bits of `SYSTEM_PARTS` that any class of the page has."""
        values = self.distinct("class")
        parts = find_parts(self.buffer, values.start, values.stop, SYSTEM_PARTS)
        bits: np.uint64 = np.bitwise_or.reduce(parts)
        return bits

    def styled(self, parts: np.uint64) -> npt.NDArray[np.intp]:
        """Return the entries of styles with one of some parts, given as bits of `STYLE_PARTS`."""
        entries: npt.NDArray[np.intp] = self.named("style")
        if not entries.size:
            return entries
        styled: npt.NDArray[np.intp] = entries[(self._style_parts & parts).nonzero()[0]]
        return styled

    @cached_property
    def _style_parts(self) -> PartBits:
        return self.parts_of(self.named("style"), STYLE_PARTS)

    @cached_property
    def inner_links(self) -> npt.NDArray[np.intp]:
        """The entries of `href` that lead to a place on the page, or to its top."""
        entries: npt.NDArray[np.intp] = self.named("href")
        inner: npt.NDArray[np.intp] = entries[self.first_bytes(entries) == b"#"[0]]
        return inner

    def first_bytes(self, entries: npt.NDArray[np.intp]) -> npt.NDArray[np.uint8]:
        """Return the first byte of the escaped value of each entry, a quote for an empty one."""
        return np.frombuffer(self.buffer, np.uint8).take(self.start.take(entries))

    def parts_of(self, entries: npt.NDArray[np.intp], parts: Parts) -> PartBits:
        """Find which of some parts occur in the value of each entry, as `find_parts` does."""
        return find_parts(self.buffer, self.start.take(entries), self.stop.take(entries), parts)

    @cached_lookup
    def distinct(self, name: str) -> DistinctValues:
        """Return the distinct values of this name, and which each element has; read once."""
        entries = self.named(name)
        start, stop = self.start.take(entries), self.stop.take(entries)
        number, first = number_spans(self.buffer, start, stop)
        columns = (self.row.take(entries), number, start.take(first), stop.take(first))
        return DistinctValues(self.buffer, *map(freeze, columns))

    @cached_lookup
    def _search_distinct(self, name: str) -> TextSearch:
        """Return a search of the distinct values of this name, in the order of `distinct`."""
        return TextSearch(self.distinct(name).texts)

    @cached_lookup
    def search(self, name: str) -> TextSearch:
        """Return a search of the escaped values of this name, in the order of `named`."""
        return self._search_in(self.named(name))

    def _search_in(self, entries: npt.NDArray[np.intp]) -> TextSearch:
        return TextSearch(self.escaped(entries))

    def escaped(self, entries: npt.NDArray[np.intp]) -> list[bytes]:
        """Return the values of some entries, escaped."""
        return _slice(self.buffer, self.start.take(entries), self.stop.take(entries))

    def value(self, entry: int) -> str:
        """Return the value of one entry, unescaped."""
        return unescape(self.buffer[self.start[entry] : self.stop[entry]].decode())

    @cached_lookup
    def values(self, name: str) -> dict[int, str]:
        """Return row → unescaped value for every element with the attribute.

        It is read once, because writers in place ask for some several times; not to be changed.
        """
        return self.values_of(self.named(name))

    def values_of(self, entries: npt.NDArray[np.intp]) -> dict[int, str]:
        """Return row → unescaped value for some entries, of which no two have the same row."""
        if not entries.size:
            return {}
        return dict(zip(self.row.take(entries).tolist(), self.texts_of(entries), strict=True))

    def texts_of(self, entries: npt.NDArray[np.intp]) -> list[str]:
        """Return the unescaped values of some entries."""
        if not entries.size:
            return []
        # All at once, because a page has thousands; no value contains NUL.
        text = unescape(_SEPARATOR.join(self.escaped(entries)).decode())
        return text.split(_SEPARATOR.decode())


def whole(pattern: bytes) -> bytes:
    """Make a pattern of `Attributes.matching` match only a whole trimmed value.

    There all values are searched as one text, separated by NUL.
    """
    return rb"(?<![^\0])\s*(?:" + pattern + rb")\s*(?![^\0])"


def read_attributes(markup: bytes) -> dict[str, str]:
    """Read the attributes of one canonical start tag, in order; the first of a name wins."""
    text = markup.decode()
    pairs: list[tuple[str, str]] = _ATTRIBUTE.findall(text)
    if "&" in text:
        pairs = [(name, unescape(value)) for name, value in pairs]
    attributes = dict(pairs)
    if len(attributes) < len(pairs):
        first = dict(reversed(pairs))
        attributes = {name: first[name] for name in attributes}
    return attributes


def _find_named_by_step(
    steps: Steps, attributes: Attributes, names: _Names
) -> list[npt.NDArray[np.intp]] | None:
    columns = attributes.name_start, attributes.start
    named = steps.find_named(attributes.buffer, *columns, names.joined, names.stop)
    if named is None:
        return None
    entries = freeze(named[0].copy())  # the room for those of other names is given back
    stops = named[1].cumsum().tolist()
    return [
        entries[start:stop] if stop > start else _NO_ENTRIES
        for start, stop in zip((0, *stops), stops, strict=False)
    ]


@kernel_with(_find_named_by_step)
def _find_named(attributes: Attributes, names: _Names) -> list[npt.NDArray[np.intp]]:
    """Find the entries of each of some different names; read-only."""
    n_byte_each = attributes.start - attributes.name_start - len('="')
    named = []
    for name in names.each:
        n_byte = len(name.encode())
        entries: npt.NDArray[np.intp] = (n_byte_each == n_byte).nonzero()[0]
        start = attributes.name_start.take(entries)
        words = pack_between(attributes.buffer, start, start + n_byte)
        packed = pack_names(name)
        same: npt.NDArray[np.bool_] = words.low == packed.low
        same &= words.high == packed.high
        named.append(freeze(entries[same]))
    return named
