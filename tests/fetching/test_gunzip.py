"""Incremental decompression of gzip, with detection of truncation."""

from __future__ import annotations

import gzip
import random
import zlib

import pytest

from thresher.fetching.session import Gunzip

TEXT = random.Random(3).randbytes(5000) + bytes(200_000)
PACKED = gzip.compress(TEXT)


def feed(packed: bytes, size: int, piece_bytes: int = 1000) -> tuple[bytes, bool]:
    gunzip, out = Gunzip(piece_bytes), b""
    for at in range(0, len(packed), size):
        for piece in gunzip.feed(packed[at : at + size]):
            assert 0 < len(piece) <= piece_bytes
            out += piece
    return out, gunzip.is_cut


@pytest.mark.parametrize("size", [1, 7, 100_000])
@pytest.mark.parametrize("piece_bytes", [1, 1000, 205_000, 300_000])
def test_answer_is_whole_in_pieces(size: int, piece_bytes: int) -> None:
    """The output is complete for any split of the input and any piece size."""
    text = TEXT[:5300] if piece_bytes == 1 else TEXT
    assert (text, False) == feed(gzip.compress(text), size, piece_bytes)


@pytest.mark.parametrize("behind", [b"", b"\0", b"\0" * 100, b"some more"])
def test_members_are_concatenated(behind: bytes) -> None:
    """Several members are concatenated, and trailing data is ignored."""
    assert (b"ab" * 10, False) == feed(gzip.compress(b"ab" * 5) * 2 + behind, 3)


@pytest.mark.parametrize("left", [1, 9, 12, len(PACKED) // 2, len(PACKED) - 9, len(PACKED) - 1])
def test_truncation_is_detected(left: int) -> None:
    """Truncation is detected in the header, the data and the checksum."""
    out, is_cut = feed(PACKED[:left], 500)
    assert is_cut
    assert TEXT.startswith(out)


def test_nothing_is_not_cut_and_other_data_is_an_error() -> None:
    """An empty response is empty; data that is not gzip is an error."""
    assert (b"", False) == feed(b"", 1)
    with pytest.raises(zlib.error):
        feed(b"<html>no gzip", 3)
