"""Hints from names and addresses about each row of a page: author, date, body, boilerplate.

Names are those of classes, ids, properties, relations and custom elements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.threads.names import (
    AUTHOR,
    AUTHOR_OR_DATE,
    AUTHOR_OR_DATE_PARTS,
    BOILERPLATE,
    DATE,
    MAX_NAME_BYTES,
    MAYBE_AUTHOR,
    NAME,
    PROPERTY_PARTS,
    Bits,
    RowNames,
    author_or_date_bits,
    part_bits,
    property_bits,
    read_row_names,
)
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.attributes import Attributes, DistinctValues
from thresher.page.parts import PartBits, Parts, find_parts
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, UNRENDERED, flags_of
from thresher.support.cached import cached_property

_MAX_BYTES: Final = 500
"""Bytes read of one address; what follows is not read."""
_PROFILE: Final = re.compile(
    rb"(?:^|/)(?:@[\w.-]+$|(?:users?|members?|profiles?|people|u|authors?|account|persons?)[/.]"
    rb"/*[^/?#])"
    rb"|user\?id=|/user/|member\.php|profile\.php|viewprofile|action=profile|space-uid|showuser="
    rb"|[?&](?:uid|userid|user_id|member|memberid)=|mod=space|profile\.aspx|/members?/|userinfo"
)
"""Addresses of pages about a person, on many boards."""
_MEMBER: Final = re.compile(
    rb"member\.php|memberlist\.php|viewprofile|action=profile|space-uid|showuser=|/members/"
    rb"|profile\.php|mod=space|(?:^|/)u/[^/?#]+|user\?id=|[?&]uid="
)
"""Those of boards only."""
_POST: Final = re.compile(rb"#[a-z_-]*\d+$|/post-?\d+$|[?&]p(?:ost)?id=\d+")
"""Addresses of one post among others."""
_PERSON_PARTS: Final = Parts(
    *(b"user", b"uid=", b"-uid", b"/u/", b"/u.", b'"u/', b'"u.', b"member", b"mod=space"),
    *(b"profile", b"people", b"person", b"author", b"account", b"@"),
)
"""All addresses of persons have one of these in them, with the quote before; most have none."""
_POST_PARTS: Final = Parts(b"/post", b"pid=", b"postid=", b"#")
"""All addresses of posts have one of these in them."""
_PARTS: Final = Parts(*_PERSON_PARTS.texts, *_POST_PARTS.texts)
_OF_PERSONS: Final = _PARTS.bits(*_PERSON_PARTS.texts)
_OF_POSTS: Final = _PARTS.bits(*_POST_PARTS.texts)
_LINK: Final = CODE_OF["a"]


@dataclass(frozen=True)
class LinkAddresses:
    """The addresses of one page's links; each distinct one is searched once."""

    page: Page

    @cached_property
    def profiles(self) -> BoolArray:
        """Flags of links to a page about a person; bool[n_row]."""
        return self._flag_matches(_PROFILE, self._of_persons)

    @cached_property
    def members(self) -> BoolArray:
        """Flags of links to a member of a board; bool[n_row]."""
        return self._flag_matches(_MEMBER, self._of_persons)

    @cached_property
    def posts(self) -> BoolArray:
        """Flags of links to a numbered post, such as #p123; bool[n_row]."""
        return self._flag_matches(_POST, self._find(_OF_POSTS))

    @property
    def without_fragment(self) -> BoolArray:
        """Flags of links whose address has no fragment; bool[n_row]."""
        texts = self._values.texts
        return self._flag(
            [index for index, text in enumerate(texts) if b"#" not in text[:_MAX_BYTES]]
        )

    @property
    def _values(self) -> DistinctValues:
        return self.page.attributes.distinct("href")

    @cached_property
    def _of_persons(self) -> dict[int, bytes]:
        return self._find(_OF_PERSONS)

    def _find(self, bits: np.uint64) -> dict[int, bytes]:
        """Find the addresses with one of some parts, in lower case; by index into the values."""
        values, indices = self._values, (self._parts & bits).nonzero()[0]
        start, stop = values.start.take(indices), values.stop.take(indices)
        spans = zip(start.tolist(), np.minimum(stop, start + _MAX_BYTES).tolist(), strict=True)
        texts = [values.buffer[first:last].lower() for first, last in spans]
        return dict(zip(indices.tolist(), texts, strict=True))

    @cached_property
    def _parts(self) -> PartBits:
        start, stop = self._values.start, self._values.stop
        stop = np.minimum(stop, start + _MAX_BYTES)
        return find_parts(self.page.buffer, start - len('"'), stop, _PARTS)

    def _flag_matches(self, pattern: re.Pattern[bytes], addresses: dict[int, bytes]) -> BoolArray:
        search = pattern.search
        return self._flag([index for index, text in watch(addresses.items()) if search(text)])

    def _flag(self, addresses: list[int]) -> BoolArray:
        flags = np.zeros(len(self.page), np.bool_)
        if addresses:
            row = self._values.rows_with(addresses)
            flags[row] = self.page.tag.take(row) == _LINK
        return flags


# -- hints -----------------------------------------------------------------------------------------

AUTHOR_ATTRIBUTES: Final = ("author", "data-author", "data-username")
"""Attributes by which posts name their author."""
_BITS_OF_TAG: Final = np.where(
    flags_of("button input label legend nav option select textarea"), BOILERPLATE, 0
).astype(np.uint16)
"""The bits of rows by their tag; uint16[n_code]."""
_BITS_OF_TAG[CODE_OF["time"]] = DATE
_HIDES: Final = UNRENDERED | flags_of("template")

SCHEMA_TYPES: Final = frozenset(
    (
        "comment usercomments answer question discussionforumposting socialmediaposting review"
        " userreview"
    ).split()
)
"""Schema.org types of posts, in lower case."""


MAX_AUTHOR_CHARS: Final = 60
"""Longest text of an element that may be an author's name, in characters without spaces."""


@dataclass(frozen=True)
class MarkupHints:
    """The hints of one page; computed on demand, at most once."""

    page: Page

    @cached_property
    def names(self) -> RowNames:
        """The names of the page's elements."""
        return read_row_names(self.page)

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
        every = np.arange(self.names.start.size)
        return self._author_or_date | self._read_bits(~np.uint16(AUTHOR_OR_DATE), part_bits, every)

    @cached_property
    def _author_or_date(self) -> Bits:
        # Most names have no part of one of an author or a date.
        values, attributes = self.names.find(AUTHOR_OR_DATE_PARTS), self.page.attributes
        bits = self._read_bits(np.uint16(AUTHOR_OR_DATE), author_or_date_bits, values)
        bits[attributes.rows_named("datetime")] |= DATE
        return bits

    def _read_bits(
        self, wanted: np.uint16, bits_of: Callable[[bytes], int], values: npt.NDArray[np.intp]
    ) -> Bits:
        """Read the wanted bits, which the names with some values may have."""
        names = self.names
        of_value = np.zeros(names.start.size, np.uint16)
        of_value[values] = [bits_of(text) for text in watch(names.texts(values))]
        bits: Bits = (_BITS_OF_TAG & wanted).take(self.page.tag)
        np.bitwise_or.at(bits, names.row, of_value.take(names.value))
        for name in ("itemprop", "rel"):
            for row, text in watch(_find_properties(self.page.attributes, name)):
                bits[row] |= property_bits(text) & wanted
        return bits

    def marked(self, bit: int) -> BoolArray:
        """Flag the rows with one of these bits; bool[n_row]."""
        bits = self.bits if bit & ~AUTHOR_OR_DATE else self._author_or_date
        flags: BoolArray = (bits & np.uint16(bit)) != 0
        return flags

    @cached_property
    def schema(self) -> dict[int, str]:
        """Row → schema.org type in lower case, for items that are posts."""
        kinds: dict[int, str] = {}
        if not self.page.attributes.named("itemtype").size:
            return kinds
        for row, value in self.page.attributes.values("itemtype").items():
            kind = value.strip().rstrip("/").rpartition("/")[2].lower()
            if kind in SCHEMA_TYPES:
                kinds[row] = kind
        return kinds

    @cached_property
    def signed(self) -> list[int]:
        """The rows that name their author in an attribute, in order."""
        attributes = self.page.attributes
        entries = attributes.named(*AUTHOR_ATTRIBUTES)
        if not entries.size:
            return []
        rows = attributes.row[entries[attributes.stop[entries] > attributes.start[entries]]]
        signed: list[int] = np.unique(rows[self.page.tag[rows] != CODE_OF["meta"]]).tolist()
        return signed

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
        return self.page.within(_HIDES.take(self.page.tag))


def _find_properties(attributes: Attributes, name: str) -> Iterator[tuple[int, bytes]]:
    """Yield row and value of the attributes that may state schema.org properties of posts."""
    entries = attributes.named(name)
    if not entries.size:
        return
    start, stop = attributes.start.take(entries), attributes.stop.take(entries)
    stop = np.minimum(stop, start + MAX_NAME_BYTES)
    indices = find_parts(attributes.buffer, start, stop, PROPERTY_PARTS).nonzero()[0]
    rows = attributes.row.take(entries.take(indices)).tolist()
    spans = zip(start.take(indices).tolist(), stop.take(indices).tolist(), strict=True)
    yield from zip(rows, (attributes.buffer[first:last] for first, last in spans), strict=True)
