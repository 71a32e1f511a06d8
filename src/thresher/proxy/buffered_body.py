"""The body of a page while it is held back: taken in as it comes, decoded, and never lost.

Two ways to hold it. Whole: nothing is sent, headers included, until it is decided what becomes of
the page; if nothing does, what came goes on as it came, byte for byte. Early: once the head of the
page is there it is sent on decoded, so that the browser loads its style sheets and scripts while
the rest arrives; if nothing becomes of the page then, its rest follows decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from thresher.proxy.decoders import BadCodingError, Decode

__all__ = ["BROKEN", "TOO_LARGE", "BufferedBody", "find_head"]

TOO_LARGE: Final = "too large"
BROKEN: Final = "broken coding"

_BODY: Final = re.compile(rb"<body[\s>]", re.IGNORECASE)
_MAX_HEAD_BYTES: Final = 2**18
"""Bytes in which the head of a page ends; beyond them it is not looked for."""
_META_CHARSET: Final = re.compile(
    rb"""<meta\s[^<>]*charset\s*=\s*(?:["']\s*)?utf-?8["'\s/>;]""", re.IGNORECASE
)
_BOM: Final = b"\xef\xbb\xbf"
_META_WINDOW: Final = 1024
"""Bytes in which browsers look for the charset (HTML Standard, prescan)."""


def find_head(body: bytes) -> bytes:
    """Return what of a page comes before its body; nothing where that is not to be found."""
    found = _BODY.search(body, 0, _MAX_HEAD_BYTES)
    return body[: found.start()] if found else b""


class BufferedBody:
    """The body of one page: `feed` takes it in, until `give_up` or who has the ``body`` ends it.

    ``failure`` says after each piece whether something can still become of the page.
    """

    def __init__(
        self, decode: Decode, max_bytes: int, *, early: bool = False, is_utf8: bool = False
    ) -> None:
        """``is_utf8``: the headers say so. Early sending needs that, or a page that says it."""
        self._decode = decode
        self._max_bytes = max_bytes
        self._wants_head = early
        self._is_utf8 = is_utf8
        self._raw: list[bytes] = []
        self._body = bytearray()
        self._pending: Iterator[bytes] = iter(())
        """What of the last piece is not decoded yet."""
        self.failure = ""
        """Why nothing can become of the page; empty while something can."""
        self.n_sent = 0
        """Bytes of the decoded body that were sent on."""

    @property
    def body(self) -> bytes:
        """The decoded body, as far as it is there."""
        return bytes(self._body)

    @property
    def n_byte(self) -> int:
        """Bytes of it."""
        return len(self._body)

    def feed(self, piece: bytes) -> bytes:
        """Take in a piece; return what can be sent on, decoded, which may be nothing."""
        if not self.n_sent:
            self._raw.append(piece)
        start = len(self._body)
        self._pending = self._decode(piece)
        try:
            for decoded in self._pending:
                self._body += decoded
                if len(self._body) > self._max_bytes:
                    self.failure = TOO_LARGE
                    return b""
        except BadCodingError:
            self.failure = BROKEN
            return b""
        return self._find_head(start) if self._wants_head else b""

    def give_up(self) -> Iterator[bytes]:
        """Yield all that came and was not sent: as it came, or decoded after an early head.

        From then on `pass_on` has the pieces that follow. Iterate it to its end.
        """
        if not self.n_sent:
            yield from self._raw
        else:
            yield bytes(self._body[self.n_sent :])
            with suppress(BadCodingError):
                yield from self._pending
        self.clear()

    def clear(self) -> None:
        """Let go of what is held."""
        self._raw.clear()
        self._body.clear()

    def pass_on(self, piece: bytes) -> Iterator[bytes]:
        """Yield what a piece is sent on as, once the page is given up."""
        if not self.n_sent:
            yield piece
            return
        with suppress(BadCodingError):  # nothing can be made of it, and no header says so any more
            yield from self._decode(piece)

    def _find_head(self, start: int) -> bytes:
        """Return the head of the page, once it is there and can be sent."""
        if len(self._body) > _MAX_HEAD_BYTES:
            self._wants_head = False
            return b""
        # A tag may be cut between two pieces.
        found = _BODY.search(self._body, max(0, start - len(b"<body ")))
        if not found:
            return b""
        self._wants_head = False
        head = bytes(self._body[: found.start()])
        if not head or not self._says_utf8(head):
            return b""
        try:
            head.decode("utf-8")
        except UnicodeDecodeError:
            return b""
        self.n_sent = len(head)
        self._raw.clear()
        return head

    def _says_utf8(self, head: bytes) -> bool:
        if self._is_utf8 or head.startswith(_BOM):
            return True
        return bool(_META_CHARSET.search(head[:_META_WINDOW]))
