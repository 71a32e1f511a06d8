"""Buffer of a page's body: decoded as it arrives, and never lost.

Two modes. Whole: nothing is sent, headers included, until the page is rewritten; if it is not, the
original bytes are passed on unchanged. Early: as soon as the head of the page is complete, it is
sent, so that the browser loads style sheets and scripts while the rest arrives; if the page
is not rewritten then, the rest follows, decoded and encoded anew as the head was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from thresher.proxy.codings import BadCodingError, Decode, Encoder

TOO_LARGE: Final = "too large"
BROKEN: Final = "invalid content coding"

_BODY: Final = re.compile(rb"<body[\s>]", re.IGNORECASE)
_MAX_HEAD_BYTES: Final = 2**18
"""Bytes within which the end of the head is searched for."""
_ROOT: Final = re.compile(rb"<html[\s>]", re.IGNORECASE)
_MAX_ROOT_BYTES: Final = 4096
"""Bytes of the root's start tag that are looked at."""
_LOOKS: Final = re.compile(rb"""\s(?:class|style)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)""", re.IGNORECASE)
_LOCKED: Final = re.compile(rb"scroll|overflow|clip|open|lock|active|visible|shown", re.IGNORECASE)
"""What may lock the page's scrolling while an overlay is open, in classes and styles of the root:
with the overlay that goes too, so the root cannot be sent early."""
_META_CHARSET: Final = re.compile(
    rb"""<meta\s[^<>]*charset\s*=\s*(?:["']\s*)?utf-?8["'\s/>;]""", re.IGNORECASE
)
_BOM: Final = b"\xef\xbb\xbf"
_META_WINDOW: Final = 1024
"""Bytes that browsers scan for the charset (HTML Standard, prescan)."""


def find_head(body: bytes) -> bytes:
    """Return the bytes of a page before its body; empty if no body tag is found."""
    tag = _BODY.search(body, 0, _MAX_HEAD_BYTES)
    return body[: tag.start()] if tag else b""


def _is_locked(head: bytes) -> bool:
    """Return whether the root element may keep the page from being scrolled."""
    root = _ROOT.search(head)
    if root is None:
        return False
    stop = head.find(b">", root.start(), root.start() + _MAX_ROOT_BYTES)
    looks = _LOOKS.findall(head, root.start(), max(stop, root.start()))
    return stop < 0 or any(map(_LOCKED.search, looks))


class BufferedBody:
    """The body of one page, filled by `feed`, until `give_up` or a reader of ``body`` ends it.

    Check ``failure`` after each chunk.
    """

    def __init__(
        self,
        decode: Decode,
        max_bytes: int,
        *,
        early: bool = False,
        is_utf8: bool = False,
        encoder: Encoder | None = None,
    ) -> None:
        """``is_utf8``: declared in the headers. Early sending requires it there or in the page.

        ``encoder`` encodes all that is not sent as it came; None leaves it decoded.
        """
        self._encoder = encoder
        self._is_encoding = False
        self._decode = decode
        self._max_bytes = max_bytes
        self._wants_head = early
        self._is_utf8 = is_utf8
        self._raw: list[bytes] = []
        self._body = bytearray()
        self._pending: Iterator[bytes] = iter(())
        """Undecoded rest of the last chunk."""
        self.failure = ""
        """Reason why the page cannot be rewritten; empty while it can."""
        self.n_sent = 0
        """Bytes of the decoded body that were already sent."""

    @property
    def body(self) -> bytes:
        """The decoded body received so far."""
        return bytes(self._body)

    @property
    def is_encoded(self) -> bool:
        """Whether what is not sent as it came is encoded anew."""
        return self._encoder is not None

    @property
    def n_byte(self) -> int:
        """Bytes of the decoded body received so far."""
        return len(self._body)

    def feed(self, piece: bytes) -> bytes:
        """Add a chunk; return the bytes to send now, possibly none."""
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
        return self._encode(self._find_head(start)) if self._wants_head else b""

    def give_up(self) -> Iterator[bytes]:
        """Yield everything received and not sent: unchanged, or encoded anew after an early head.

        Exhaust the iterator; use `pass_on` for the chunks that follow.
        """
        if not self.n_sent:
            yield from self._raw
        else:
            yield self._encode(bytes(self._body[self.n_sent :]))
            with suppress(BadCodingError):
                yield from map(self._encode, self._pending)
        self.clear()

    def clear(self) -> None:
        """Release the buffers."""
        self._raw.clear()
        self._body.clear()

    def pass_on(self, piece: bytes) -> Iterator[bytes]:
        """Yield the bytes to send for a chunk, once the page is given up."""
        if not self.n_sent:
            yield piece
            return
        # What cannot be decoded is lost: the header that stated the coding is gone.
        with suppress(BadCodingError):
            yield from map(self._encode, self._decode(piece))

    def write_rest(self, body: bytes) -> bytes:
        """Return the bytes to send for the rest of a rewritten page, the end included."""
        self._is_encoding = False
        return self._encoder.finish(body) if self._encoder else body

    def finish(self) -> bytes:
        """Return the bytes that end a body that was passed on; none for one sent as it came."""
        is_open, self._is_encoding = self._is_encoding, False
        return self._encoder.finish() if is_open and self._encoder else b""

    def _encode(self, piece: bytes) -> bytes:
        if not piece or self._encoder is None:
            return piece
        self._is_encoding = True
        return self._encoder.encode(piece)

    def _find_head(self, start: int) -> bytes:
        """Return the head of the page if it is complete and can be sent."""
        if len(self._body) > _MAX_HEAD_BYTES:
            self._wants_head = False
            return b""
        # A tag may be split between two chunks.
        tag = _BODY.search(self._body, max(0, start - len(b"<body ")))
        if not tag:
            return b""
        self._wants_head = False
        head = bytes(self._body[: tag.start()])
        is_utf8 = (
            self._is_utf8 or head.startswith(_BOM) or _META_CHARSET.search(head[:_META_WINDOW])
        )
        if not head or not is_utf8 or _is_locked(head):
            return b""
        try:
            head.decode("utf-8")
        except UnicodeDecodeError:
            return b""
        self.n_sent = len(head)
        self._raw.clear()
        return head
