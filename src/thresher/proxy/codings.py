"""Incremental decoders and encoders of content codings (RFC 9110, 8.4.1)."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol

Decode = Callable[[bytes], Iterator[bytes]]
"""Chunk of the encoded body → chunks of the body; an empty chunk ends it."""

_PIECE_BYTES: Final = 2**16
"""Bytes of output per step, so that a decompression bomb is detected early."""
_BROTLI_INPUT_BYTES: Final = 2**9
"""Bytes of input per step, for decoders whose output cannot be limited."""
_ZSTD_WINDOW: Final = 2**23
"""Bytes, RFC 8878's recommended limit."""


class BadCodingError(Exception):
    """A body is not in the coding that its header states."""


def decoder_of(content_encoding: str) -> Decode | None:
    """Return the decoder of a coding; None if it is unknown or a combination of several."""
    name = content_encoding.strip().lower()
    if name in ("", "identity"):
        return _pass
    make = _DECODERS.get(name)
    return make() if make else None


def _pass(piece: bytes) -> Iterator[bytes]:
    yield piece


def _make_gzip() -> Decode:
    return _inflate(lambda first: 16 + zlib.MAX_WBITS)


def _make_deflate() -> Decode:
    # Some servers omit the zlib wrapper, whose first byte has 8 in its low nibble.
    return _inflate(lambda first: zlib.MAX_WBITS if first & 0x0F == 8 else -zlib.MAX_WBITS)


def _inflate(choose_bits: Callable[[int], int]) -> Decode:
    state: dict[str, Any] = {}

    def decode(piece: bytes) -> Iterator[bytes]:
        try:
            while piece:
                inflater = state.get("inflater")
                if inflater is None:
                    inflater = state["inflater"] = zlib.decompressobj(choose_bits(piece[0]))
                yield inflater.decompress(piece, _PIECE_BYTES)
                while inflater.unconsumed_tail:
                    yield inflater.decompress(inflater.unconsumed_tail, _PIECE_BYTES)
                # RFC 1952: several members may follow each other; anything else is padding.
                piece = inflater.unused_data
                if not piece:
                    return
                if piece[:2] != b"\x1f\x8b":
                    return
                del state["inflater"]
        except zlib.error as error:
            raise BadCodingError(str(error)) from error

    return decode


def _make_brotli() -> Decode:
    import brotli  # noqa: PLC0415

    decompressor = brotli.Decompressor()

    def decode(piece: bytes) -> Iterator[bytes]:
        try:
            for start in range(0, len(piece), _BROTLI_INPUT_BYTES):
                yield decompressor.process(piece[start : start + _BROTLI_INPUT_BYTES])
        except brotli.error as error:
            raise BadCodingError(str(error)) from error

    return decode


def _make_zstd() -> Decode:
    import zstandard  # noqa: PLC0415

    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()

    def decode(piece: bytes) -> Iterator[bytes]:
        try:
            for start in range(0, len(piece), _BROTLI_INPUT_BYTES):
                yield decompressor.decompress(piece[start : start + _BROTLI_INPUT_BYTES])
        except zstandard.ZstdError as error:
            raise BadCodingError(str(error)) from error

    return decode


_DECODERS: Final[Mapping[str, Callable[[], Decode]]] = {
    "gzip": _make_gzip,
    "x-gzip": _make_gzip,
    "deflate": _make_deflate,
    "br": _make_brotli,
    "zstd": _make_zstd,
}


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
