"""Incremental encoders of content codings (RFC 9110, 8.4.1), for pages that came in one.

Levels are those at which a page takes a few milliseconds: what the proxy sends is not stored.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

__all__ = ["Encoder", "encoder_of"]

_GZIP_LEVEL: Final = 4
_BROTLI_QUALITY: Final = 4
_ZSTD_LEVEL: Final = 3
_GZIP_BITS: Final = 16 + zlib.MAX_WBITS


class Encoder(Protocol):
    """Encoder of one body."""

    def encode(self, piece: bytes) -> bytes:
        """Encode a piece, so that a client can decode everything up to its end."""

    def finish(self, piece: bytes = b"") -> bytes:
        """Encode the last piece, and end the body."""


def encoder_of(content_encoding: str) -> Encoder | None:
    """Return the encoder of a coding; None for none, an unknown one and a combination."""
    make = _ENCODERS.get(content_encoding.strip().lower())
    return make() if make else None


class _Zlib:
    def __init__(self, bits: int) -> None:
        self._deflater = zlib.compressobj(_GZIP_LEVEL, wbits=bits)

    def encode(self, piece: bytes) -> bytes:
        return self._deflater.compress(piece) + self._deflater.flush(zlib.Z_SYNC_FLUSH)

    def finish(self, piece: bytes = b"") -> bytes:
        return self._deflater.compress(piece) + self._deflater.flush()


class _Brotli:
    def __init__(self) -> None:
        import brotli  # noqa: PLC0415

        self._compressor: Any = brotli.Compressor(quality=_BROTLI_QUALITY)

    def encode(self, piece: bytes) -> bytes:
        encoded: bytes = self._compressor.process(piece) + self._compressor.flush()
        return encoded

    def finish(self, piece: bytes = b"") -> bytes:
        encoded: bytes = self._compressor.process(piece) + self._compressor.finish()
        return encoded


class _Zstd:
    def __init__(self) -> None:
        import zstandard  # noqa: PLC0415

        self._compressor = zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compressobj()
        self._block = zstandard.COMPRESSOBJ_FLUSH_BLOCK

    def encode(self, piece: bytes) -> bytes:
        return self._compressor.compress(piece) + self._compressor.flush(self._block)

    def finish(self, piece: bytes = b"") -> bytes:
        return self._compressor.compress(piece) + self._compressor.flush()


_ENCODERS: Final[Mapping[str, Callable[[], Encoder]]] = {
    "gzip": lambda: _Zlib(_GZIP_BITS),
    "x-gzip": lambda: _Zlib(_GZIP_BITS),
    "deflate": lambda: _Zlib(zlib.MAX_WBITS),
    "br": _Brotli,
    "zstd": _Zstd,
}
