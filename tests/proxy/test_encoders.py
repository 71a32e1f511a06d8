"""Encoders of content codings."""

from __future__ import annotations

import pytest

from thresher.proxy.codings import decoder_of, encoder_of

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


def test_codings_that_are_none() -> None:
    """Nothing is encoded without a coding, in an unknown one, or in several."""
    for coding in ("", "identity", "compress", "gzip, br"):
        assert encoder_of(coding) is None
