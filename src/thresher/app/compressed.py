"""Middleware for request bodies that are compressed with gzip (RFC 9110, RFC 1952).

It stands before `thresher.app.forms.LimitBody`, which thus limits what comes out of a body.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thresher.app.problems import answer

__all__ = ["Decompress"]

_GZIP: Final = frozenset(("gzip", "x-gzip"))
_GZIP_BITS: Final = zlib.MAX_WBITS | 16
"""Window of zlib, with the bit that stands for the format gzip."""
_PIECE_BYTES: Final = 2**16
"""Bytes that are decompressed at a time: a small body may be a very large page."""
_OF_THE_BODY: Final = frozenset((b"content-encoding", b"content-length"))
"""Headers that are not those of the decompressed body."""


class Decompress:
    """Passes compressed bodies on as plain ones."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject codings other than gzip with 415; raise 400 while reading what is not gzip."""
        coding = "" if scope["type"] != "http" else _coding_of(Headers(scope=scope))
        if coding in ("", "identity"):
            await self._app(scope, receive, send)
        elif coding in _GZIP:
            kept = [header for header in scope["headers"] if header[0] not in _OF_THE_BODY]
            messages = _decompress(receive)
            await self._app({**scope, "headers": kept}, messages.__anext__, send)
        else:
            offered = {"Accept-Encoding": "gzip"}
            error = HTTPException(415, "send the body as it is, or as gzip", offered)
            await answer(Request(scope), error)(scope, receive, send)


def _coding_of(headers: Headers) -> str:
    return headers.get("content-encoding", "").strip().lower()


async def _decompress(receive: Receive) -> AsyncIterator[Message]:
    """Yield the messages of a body, decompressed, and then those that follow it."""
    body = _GzipBody()
    has_more = True
    while has_more:
        message = await receive()
        if message["type"] != "http.request":
            yield message
            continue
        try:
            for piece in body.feed(message.get("body", b"")):
                yield {"type": "http.request", "body": piece, "more_body": True}
        except zlib.error:
            raise HTTPException(400, "the body is not gzip, as it is said to be") from None
        has_more = message.get("more_body", False)
    if not body.is_whole:
        raise HTTPException(400, "the gzip body is cut off")
    yield {"type": "http.request", "body": b"", "more_body": False}
    while True:
        yield await receive()


class _GzipBody:
    """Body of one or more gzip members, fed in parts."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(_GZIP_BITS)
        self.is_whole = True
        """Whether the body may end here."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield what can be decompressed with this part; raise zlib.error where it is not gzip."""
        is_full = False
        while data or is_full:
            if self._member.eof:
                self._member = zlib.decompressobj(_GZIP_BITS)
            piece = self._member.decompress(data, _PIECE_BYTES)
            if piece:
                yield piece
            is_full = len(piece) == _PIECE_BYTES and not self._member.eof
            data = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            self.is_whole = self._member.eof
