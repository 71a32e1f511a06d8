"""Hints from names and addresses about each row of a page: author, date, body, boilerplate.

Names are those of classes, ids, properties, relations and custom elements. Most occur many times on
a page, so each value is searched once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.threads.addresses import LinkAddresses
from thresher.analysis.threads.markup_names import (
    AUTHOR,
    AUTHOR_OR_DATE,
    AUTHOR_OR_DATE_PARTS,
    BOILERPLATE,
    DATE,
    MAYBE_AUTHOR,
    NAME,
    PROPERTIES,
    bits_of,
)
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import find_parts_in
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, OTHER, TEXT, UNRENDERED, flags_of
from thresher.support.cached import cached_property

__all__ = ["AUTHOR_ATTRIBUTES", "MarkupHints", "MarkupNames"]

Bits = npt.NDArray[np.uint16]

_MAX_NAME_BYTES: Final = 500
"""Bytes read of one value; longer ones are not real names."""
AUTHOR_ATTRIBUTES: Final = ("author", "data-author", "data-username")
"""Attributes by which posts name their author."""
_CONTROLS: Final = flags_of("button input label legend nav option select textarea")

SCHEMA_TYPES: Final = frozenset(
    (
        "comment usercomments answer question discussionforumposting socialmediaposting review"
        " userreview"
    ).split()
)
"""Schema.org types of posts, in lower case."""


MAX_AUTHOR_CHARS: Final = 60
"""Longest text of an element that may be an author's name, in characters without spaces."""


class MarkupNames(NamedTuple):
    """The distinct values of classes and ids, and names of custom elements."""

    values: list[bytes]
    """Classes unchanged; ids with a # prefix, names of elements with a < prefix."""
    row: IntArray
    """The row of each entry, one entry for each value of a row; int32[n_entry].

    The entries of a row are adjacent: first rows with a class, then those with only an id.
    """
    value: IntArray
    """The value of each entry: an index into ``values``; int32[n_entry]."""


@dataclass(frozen=True)
class MarkupHints:
    """The hints of one page; computed on demand, at most once."""

    page: Page

    @cached_property
    def names(self) -> MarkupNames:
        """The names of the page's elements."""
        rows: list[npt.NDArray[np.integer]] = []
        numbers: list[IntArray] = []
        values: list[bytes] = []
        for attribute, sign in (("class", b""), ("id", b"#")):
            found = self.page.attributes.distinct(attribute)
            rows.append(found.row)
            numbers.append(found.number + np.int32(len(values)))
            values += [sign + text[:_MAX_NAME_BYTES] for text in found.texts]
        others = np.flatnonzero(self.page.tag == OTHER)
        custom = [b"<" + each.encode()[:_MAX_NAME_BYTES] for each in self.page.names(others)]
        place: dict[bytes, int] = {}
        number = [place.setdefault(each, len(place)) for each in custom]
        is_custom = np.array([b"-" in each for each in custom], np.bool_)
        rows.append(others[is_custom])
        numbers.append(np.array(number, np.int32)[is_custom] + np.int32(len(values)))
        values += place
        row, value = np.concatenate(rows).astype(np.int32), np.concatenate(numbers)
        first = np.zeros(len(self.page), np.int32)
        first[row[::-1]] = np.arange(row.size)[::-1]
        order = np.argsort(first[row], kind="stable")
        return MarkupNames(values, row[order], value[order])

    def _read_values(self, entries: npt.NDArray[np.intp]) -> list[bytes]:
        """Return the first bytes of the values of some attributes."""
        attributes = self.page.attributes
        start = attributes.start[entries]
        stop = np.minimum(attributes.stop[entries], start + _MAX_NAME_BYTES)
        spans = zip(start.tolist(), stop.tolist(), strict=True)
        return [attributes.buffer[first:last] for first, last in spans]

    @cached_property
    def classes(self) -> dict[int, str]:
        """Row → class."""
        return self.page.attributes.values("class")

    @cached_property
    def properties(self) -> dict[int, str]:
        """Row → itemprop."""
        return self.page.attributes.values("itemprop")

    @cached_property
    def bits(self) -> Bits:
        """The bits of each row; uint16[n_row]."""
        return self._author_or_date | self._read_bits(author_or_date=False)

    @cached_property
    def _author_or_date(self) -> Bits:
        """The bits of each row that are in `AUTHOR_OR_DATE`."""
        return self._read_bits(author_or_date=True)

    def _read_bits(self, *, author_or_date: bool) -> Bits:
        page, names, attributes = self.page, self.names, self.page.attributes
        bits = np.zeros(len(page), np.uint16)
        of_value = np.zeros(len(names.values), np.uint16)
        every: Iterable[int] = range(len(names.values))
        if author_or_date:
            every = np.flatnonzero(find_parts_in(names.values, AUTHOR_OR_DATE_PARTS)).tolist()
        for index in watch(every):
            of_value[index] = bits_of(names.values[index], author_or_date=author_or_date)
        np.bitwise_or.at(bits, names.row, of_value[names.value])
        for name in ("itemprop", "rel"):
            entries = attributes.named(name)
            values = zip(attributes.row[entries].tolist(), self._read_values(entries), strict=True)
            for row, value in watch(values):
                for word in value.lower().split():
                    if word in PROPERTIES:
                        bits[row] |= np.uint16(PROPERTIES[word])
        bits[page.tag == CODE_OF["time"]] |= np.uint16(DATE)
        bits[attributes.row[attributes.named("datetime")]] |= np.uint16(DATE)
        bits[_CONTROLS[page.tag]] |= np.uint16(BOILERPLATE)
        bits[page.tag == TEXT] = 0
        return bits & np.uint16(AUTHOR_OR_DATE if author_or_date else ~AUTHOR_OR_DATE & 0xFFFF)

    def marked(self, bit: int) -> BoolArray:
        """Flag the rows with one of these bits; bool[n_row]."""
        bits = self.bits if bit & ~AUTHOR_OR_DATE else self._author_or_date
        flags: BoolArray = (bits & np.uint16(bit)) != 0
        return flags

    @cached_property
    def schema(self) -> dict[int, str]:
        """Row → schema.org type in lower case, for items that are posts."""
        found = {}
        for row, value in self.page.attributes.values("itemtype").items():
            kind = value.strip().rstrip("/").rpartition("/")[2].lower()
            if kind in SCHEMA_TYPES:
                found[row] = kind
        return found

    @cached_property
    def signed(self) -> list[int]:
        """The rows that name their author in an attribute, in order."""
        attributes = self.page.attributes
        entries = np.concatenate([attributes.named(name) for name in AUTHOR_ATTRIBUTES])
        rows = attributes.row[entries[attributes.stop[entries] > attributes.start[entries]]]
        found: list[int] = np.unique(rows[self.page.tag[rows] != CODE_OF["meta"]]).tolist()
        return found

    @cached_property
    def links(self) -> LinkAddresses:
        """The addresses of the page's links."""
        return LinkAddresses(self.page)

    @cached_property
    def authors(self) -> BoolArray:
        """Flags of short elements that may name an author; bool[n_row]."""
        page = self.page
        chars = page.chars_before[page.end] - page.chars_before[:-1]
        short = (chars > 0) & (chars <= MAX_AUTHOR_CHARS)
        flags = (self.marked(NAME | AUTHOR | MAYBE_AUTHOR) | self.links.profiles) & short
        flags &= ~self.unrendered
        return flags

    @cached_property
    def unrendered(self) -> BoolArray:
        """Flags of rows that are never rendered: templates, heads, scripts; bool[n_row]."""
        hides = UNRENDERED[self.page.tag] | (self.page.tag == CODE_OF["template"])
        unrendered: BoolArray = self.page.within(hides)
        return unrendered
