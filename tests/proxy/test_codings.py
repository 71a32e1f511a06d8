"""Incremental decoders and encoders of content codings."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.proxy.codings import BadCodingError, decoder_of, encoder_of

TEXT = b"The mill stood by the weir. " * 500


def _raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def _brotli(data: bytes) -> bytes:
    return bytes(pytest.importorskip("brotli").compress(data))


def _zstd(data: bytes) -> bytes:
    return bytes(pytest.importorskip("zstandard").ZstdCompressor().compress(data))


CASES: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "none": ("", bytes),
    "identity": ("identity", bytes),
    "gzip": ("gzip", gzip.compress),
    "two members": ("GZIP", lambda data: gzip.compress(data[:99]) + gzip.compress(data[99:])),
    "padding": ("x-gzip", lambda data: gzip.compress(data) + b"\0\0\0"),
    "zlib": ("deflate", zlib.compress),
    "raw deflate": ("deflate", _raw_deflate),
    "brotli": ("br", _brotli),
    "zstd": ("zstd", _zstd),
}


@pytest.mark.parametrize("case", CASES)
@given(size=st.integers(1, 5000))
def test_pieces(case: str, size: int) -> None:
    """Chunks of any size are decoded to the same body."""
    name, pack = CASES[case]
    coded = pack(TEXT)
    decode = decoder_of(name)
    assert decode
    pieces = [coded[start : start + size] for start in range(0, len(coded), size)]
    assert TEXT == b"".join(b"".join(decode(piece)) for piece in pieces)


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_broken_bodies(name: str) -> None:
    """Invalid bodies raise an error, bombs come in small pieces, unknown codings have no coder."""
    if name in ("br", "zstd"):
        pytest.importorskip({"br": "brotli", "zstd": "zstandard"}[name])
    decode, bombed = decoder_of(name), decoder_of("gzip")
    assert decode and bombed
    with pytest.raises(BadCodingError):
        list(decode(b"\xff\xff this is no such thing" * 20))
    assert 2**16 == max(len(piece) for piece in bombed(gzip.compress(b"\0" * 2**24)))
    for unknown in (f"{name}, br", "compress", "aes128gcm"):
        assert decoder_of(unknown) is None
        assert encoder_of(unknown) is None
    assert encoder_of("") is None is encoder_of("identity")


PIECES = (b"<head>" * 500, b"", b"<body>" * 500, b"end")


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "deflate", "br", "zstd"])
def test_each_piece_can_be_decoded_at_once(coding: str) -> None:
    """A client decodes every piece as soon as it arrives, and the end is right."""
    if coding in ("br", "zstd"):
        pytest.importorskip({"br": "brotli", "zstd": "zstandard"}[coding])
    encoder, decode = encoder_of(f" {coding.upper()} "), decoder_of(coding)
    assert encoder
    assert decode
    for piece in PIECES:
        encoded = encoder.encode(piece)
        assert piece == b"".join(decode(encoded))
        assert len(encoded) < max(100, len(piece) // 4)
    assert b"last" == b"".join(decode(encoder.finish(b"last")))
