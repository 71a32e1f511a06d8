"""Decoding of an archived HTTP body as a browser would: unchunked and decompressed.

Archives store responses as sent, but some store the original headers of decoded bodies. So a body
that is not encoded as its headers say is returned unchanged.
"""

from __future__ import annotations

import io
import re
import zlib
from typing import Any, Final

__all__ = ["decode_body"]

_CHUNK_LINE: Final = re.compile(rb"(?:\r?\n)?([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?\r?\n")
"""Size line of a chunk (RFC 9112, 7.1), after the end of the previous one."""
_PIECE_BYTES: Final = 65536
_ZLIB_BITS: Final = (47, -15)
"""Window bits: gzip or zlib by header detection; raw deflate, which some servers send."""


def decode_body(raw: bytes, transfer: str, content: str, max_bytes: int) -> bytes:
    """Undo the Transfer-Encoding and the Content-Encoding of a body, given as header values.

    At most ``max_bytes`` are returned; of a truncated or corrupt body, the part before the error.
    """
    from fastwarc import stream_io

    body = raw
    if "chunked" in transfer.lower():
        body = _join_chunks(body) or body
    # The last coding of the list was applied last (RFC 9110, 8.4).
    for coding in reversed([name.strip().lower() for name in content.split(",")]):
        match coding:
            case "gzip" | "x-gzip" | "deflate":
                body = _inflate(body, max_bytes)
            case "br":
                body = _read(stream_io.BrotliReader, body, max_bytes)
            case "zstd":
                body = _read(stream_io.ZstdReader, body, max_bytes)
    return body[:max_bytes]


def _join_chunks(body: bytes) -> bytes:
    # fastwarc's reader returns nothing for a truncated body, and does not support extensions.
    chunks, at = [], 0
    while (line := _CHUNK_LINE.match(body, at)) and (size := int(line[1], 16)):
        chunks.append(body[line.end() : line.end() + size])
        at = line.end() + size
    return b"".join(chunks)


def _inflate(body: bytes, max_bytes: int) -> bytes:
    for bits in _ZLIB_BITS:
        decoder = zlib.decompressobj(wbits=bits)
        try:
            return decoder.decompress(body, max_bytes)
        except zlib.error:
            # One call returns all or nothing, so the intact part is decoded in small steps.
            found = _inflate_part(body, bits, max_bytes)
            if found:
                return found
    return body


def _inflate_part(body: bytes, bits: int, max_bytes: int) -> bytes:
    decoder, out = zlib.decompressobj(wbits=bits), b""
    try:
        for at in range(0, len(body), 256):
            out += decoder.decompress(body[at : at + 256], max_bytes - len(out) or 1)
            if len(out) >= max_bytes:
                break
    except zlib.error:
        pass
    return out


def _read(make: Any, body: bytes, max_bytes: int) -> bytes:
    pieces, n_byte = [], 0
    try:
        reader = make(io.BytesIO(body))
        while n_byte < max_bytes and (piece := reader.read(_PIECE_BYTES)):
            pieces.append(piece)
            n_byte += len(piece)
    except OSError:
        pass
    return b"".join(pieces) or body
