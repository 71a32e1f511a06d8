"""Bodies of archived responses."""

from __future__ import annotations

import gzip
import zlib

import pytest
import zstandard

from thresher.batch.sources.http_body import decode_body

BODY = b"<p>rye and oats</p>" * 500
RAW = zlib.compressobj(wbits=-15)
DEFLATED = RAW.compress(BODY) + RAW.flush()
CHUNKED = b"10;a=b\r\n" + BODY[:16] + b"\r\n%X\r\n" % len(BODY[16:]) + BODY[16:] + b"\r\n0\r\n\r\n"

CASES = {
    "plain": (BODY, "", ""),
    "gzip": (gzip.compress(BODY), "", "gzip"),
    "x-gzip, in capitals": (gzip.compress(BODY), "", "X-GZIP"),
    "deflate with its header": (zlib.compress(BODY), "", "deflate"),
    "deflate without it": (DEFLATED, "", "deflate"),
    "zstd": (zstandard.compress(BODY), "", "zstd"),
    "twice": (gzip.compress(zlib.compress(BODY)), "", "deflate, gzip"),
    "chunked": (CHUNKED, "chunked", ""),
    "decoded already": (BODY, "chunked", "gzip"),
    "said to be brotli": (BODY, "", "br"),
    "an unknown coding": (BODY, "", "sheaf"),
}


@pytest.mark.parametrize("case", CASES)
def test_bodies_are_decoded(case: str) -> None:
    """Bodies are decoded as by a browser, even if the headers do not match."""
    raw, transfer, content = CASES[case]
    assert BODY == decode_body(raw, transfer, content, 10**6)


@pytest.mark.parametrize("case", CASES)
def test_body_is_limited(case: str) -> None:
    """No more than the limit is returned."""
    raw, transfer, content = CASES[case]
    assert BODY[:100] == decode_body(raw, transfer, content, 100)


def test_intact_part_of_truncated_body_is_kept() -> None:
    """The intact part of a truncated or corrupt body is returned."""
    noise = bytes(range(256)) * 40
    zipped = gzip.compress(noise)
    assert decode_body(zipped[:-40], "", "gzip", 10**6)
    assert noise.startswith(decode_body(zipped[:-40], "", "gzip", 10**6))
    assert BODY[:1500] == decode_body(CHUNKED[:2000], "chunked", "", 1500)
