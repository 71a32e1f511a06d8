"""What names and addresses say of each row of a page: an author, a date, a body, chaff.

Names are those of classes, ids, properties, relations and custom elements. Most occur many times
on a page, so each value is searched once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page import Page
from thresher.tags import CODE_OF, OTHER, TEXT, UNRENDERED, flags_of
from thresher.threads.wording import (
    AUTHOR,
    CHAFF,
    DATE,
    NAME,
    PROPERTIES,
    WRITER,
    bits_of,
)

__all__ = ["AUTHOR_ATTRIBUTES", "Marks"]

BoolArray = npt.NDArray[np.bool_]

_MAX_NAME_BYTES: Final = 500
"""Bytes read of one value; longer ones are style sheets in disguise."""
_HREF_PROFILE: Final = re.compile(
    rb"(?:^|/)(?:@[\w.-]+$|(?:users?|members?|profiles?|people|u|authors?|account|persons?)[/.]"
    rb"[^?#]*[^/?#])"
    rb"|user\?id=|/user/|member\.php|profile\.php|viewprofile|action=profile|space-uid|showuser="
    rb"|[?&](?:uid|userid|user_id|member|memberid)=|mod=space|profile\.aspx|/members?/|userinfo"
)
"""Addresses of pages about a person, in the manner of many boards."""
_HREF_MEMBER: Final = re.compile(
    rb"member\.php|memberlist\.php|viewprofile|action=profile|space-uid|showuser=|/members/"
    rb"|profile\.php|mod=space|(?:^|/)u/[^/?#]+|user\?id=|[?&]uid="
)
"""Those of boards only."""
_HREF_POST: Final = re.compile(rb"#[a-z_-]*\d+$|/post-?\d+$|[?&]p(?:ost)?id=\d+")
"""Addresses of one post among others."""
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
"""Longest text of an element that is taken for an author's name, in characters but spaces."""


@dataclass(frozen=True)
class Marks:
    """The marks of one page; views are computed at most once."""

    page: Page

    @cached_property
    def names(self) -> dict[int, list[bytes]]:
        """Row → the values of its class and id, and its name where that is a custom element's."""
        found: dict[int, list[bytes]] = {}
        attributes = self.page.attributes
        for name in ("class", "id"):
            entries = attributes.named(name)
            for row, start, stop in zip(
                attributes.row[entries].tolist(),
                attributes.start[entries].tolist(),
                attributes.stop[entries].tolist(),
                strict=True,
            ):
                value = attributes.buffer[start : min(stop, start + _MAX_NAME_BYTES)]
                found.setdefault(row, []).append(value if name == "class" else b"#" + value)
        for row in watch(np.flatnonzero(self.page.tag == OTHER).tolist()):
            name = self.page.name(row)
            if "-" in name:
                found.setdefault(row, []).append(b"<" + name.encode()[:_MAX_NAME_BYTES])
        return found

    @cached_property
    def classes(self) -> dict[int, str]:
        """Row → class."""
        return self.page.attributes.values("class")

    @cached_property
    def properties(self) -> dict[int, str]:
        """Row → itemprop."""
        return self.page.attributes.values("itemprop")

    @cached_property
    def bits(self) -> npt.NDArray[np.uint16]:
        """What is said of each row; uint16[n_row]."""
        bits = np.zeros(len(self.page), np.uint16)
        known: dict[bytes, int] = {}
        for row, values in watch(self.names.items()):
            for value in values:
                if value not in known:
                    known[value] = bits_of(value)
                bits[row] |= np.uint16(known[value])
        attributes = self.page.attributes
        for name in ("itemprop", "rel"):
            for entry in watch(attributes.named(name).tolist()):
                value = attributes.buffer[attributes.start[entry] : attributes.stop[entry]]
                for word in value[:_MAX_NAME_BYTES].lower().split():
                    bits[attributes.row[entry]] |= np.uint16(PROPERTIES.get(word, 0))
        bits[self.page.tag == CODE_OF["time"]] |= np.uint16(DATE)
        bits[attributes.row[attributes.named("datetime")]] |= np.uint16(DATE)
        bits[_CONTROLS[self.page.tag]] |= np.uint16(CHAFF)
        bits[self.page.tag == TEXT] = 0
        return bits

    def marked(self, bit: int) -> BoolArray:
        """Flag the rows with one of these bits; bool[n_row]."""
        flags: BoolArray = (self.bits & np.uint16(bit)) != 0
        return flags

    @cached_property
    def schema(self) -> dict[int, str]:
        """Row → schema.org type in lower case, of the items that are posts."""
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
    def profile_links(self) -> BoolArray:
        """Flags links to pages about a person; bool[n_row]."""
        return self._links_to(_HREF_PROFILE)

    @cached_property
    def member_links(self) -> BoolArray:
        """Flags links to pages about a member of a board; bool[n_row]."""
        return self._links_to(_HREF_MEMBER)

    @cached_property
    def post_links(self) -> BoolArray:
        """Flags links to a numbered place, such as #p123; bool[n_row]."""
        return self._links_to(_HREF_POST)

    def _links_to(self, pattern: re.Pattern[bytes]) -> BoolArray:
        flags = np.zeros(len(self.page), np.bool_)
        attributes = self.page.attributes
        entries = attributes.named("href")
        entries = entries[self.page.tag[attributes.row[entries]] == CODE_OF["a"]]
        for entry in watch(entries.tolist()):
            start, stop = int(attributes.start[entry]), int(attributes.stop[entry])
            value = attributes.buffer[start : min(stop, start + _MAX_NAME_BYTES)].lower()
            flags[attributes.row[entry]] = bool(pattern.search(value))
        return flags

    @cached_property
    def authors(self) -> BoolArray:
        """Flags short elements with words that may name an author; bool[n_row]."""
        page = self.page
        chars = page.char_offset[page.end] - page.char_offset[:-1]
        short = (chars > 0) & (chars <= MAX_AUTHOR_CHARS)
        flags = (self.marked(NAME | AUTHOR | WRITER) | self.profile_links) & short
        flags &= ~self.shadows
        return flags

    @cached_property
    def shadows(self) -> BoolArray:
        """Flags what is never shown as it stands: templates, heads, scripts; bool[n_row]."""
        hides = UNRENDERED[self.page.tag] | (self.page.tag == CODE_OF["template"])
        shadows: BoolArray = self.page.within(hides)
        return shadows
