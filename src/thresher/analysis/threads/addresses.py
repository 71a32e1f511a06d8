"""Addresses of a page's links that lead to persons, to members of a board or to its posts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.attributes import DistinctValues
from thresher.page.parts import PartBits, Parts, find_parts
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF
from thresher.support.cached import cached_property

__all__ = ["LinkAddresses"]

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
        """The addresses that may lead to a person, by index into the values."""
        return self._find(_OF_PERSONS)

    def _find(self, bits: np.uint64) -> dict[int, bytes]:
        """Find the addresses with one of some parts, in lower case; by index into the values."""
        values, found = self._values, (self._parts & bits).nonzero()[0]
        start, stop = values.start.take(found), values.stop.take(found)
        spans = zip(start.tolist(), np.minimum(stop, start + _MAX_BYTES).tolist(), strict=True)
        texts = [values.buffer[first:last].lower() for first, last in spans]
        return dict(zip(found.tolist(), texts, strict=True))

    @cached_property
    def _parts(self) -> PartBits:
        """The bits of `_PARTS` in each address."""
        start, stop = self._values.start, self._values.stop
        stop = np.minimum(stop, start + _MAX_BYTES)
        return find_parts(self.page.buffer, start - len('"'), stop, _PARTS)

    def _flag_matches(self, pattern: re.Pattern[bytes], addresses: dict[int, bytes]) -> BoolArray:
        search = pattern.search
        return self._flag([index for index, text in watch(addresses.items()) if search(text)])

    def _flag(self, addresses: list[int]) -> BoolArray:
        """Flag the links with some addresses."""
        flags = np.zeros(len(self.page), np.bool_)
        if addresses:
            row = self._values.rows_with(addresses)
            flags[row] = self.page.tag.take(row) == _LINK
        return flags
