"""Content codings (RFC 9110, 8.4.1) undone piece by piece, as the body of a page comes in."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

__all__ = ["BadCodingError", "Decode", "decoder_of"]

Decode = Callable[[bytes], Iterator[bytes]]
"""A piece of the coded body → pieces of the body; an empty one ends it."""

_PIECE_BYTES: Final = 2**16
"""Of output that a decoder is asked for at once, so that a bomb is seen while it goes off."""
_BROTLI_INPUT_BYTES: Final = 2**9
"""The same for one that cannot be asked for less: pieces of input."""
_ZSTD_WINDOW: Final = 2**23
"""Bytes, RFC 8878's recommended limit."""


class BadCodingError(Exception):
    """A body is not in the coding that its header names."""


def decoder_of(content_encoding: str) -> Decode | None:
    """Return what undoes a coding; None for one that is not known, or several."""
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
    # Some servers send it without the zlib wrapper, whose first byte has 8 in its low half.
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
                # RFC 1952: members may follow each other; what else follows is padding.
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
