"""Members of compressed files, whole and damaged."""

from __future__ import annotations

import gzip
from pathlib import Path

import zstandard
from hypothesis import given
from hypothesis import strategies as st

from thresher.batch.sources.base import SourceTally
from thresher.batch.sources.members import Members, sniff_codec

PIECES = st.lists(st.binary(max_size=3000), max_size=5)


def contents_of(path: Path, codec: str) -> tuple[list[bytes], SourceTally]:
    tally = SourceTally()
    contents = []
    with path.open("rb") as file:
        members = Members(file, codec, tally, name="a")
        while members.next_member():
            pieces = []
            while piece := members.read(1000):
                pieces.append(piece)
            contents.append(b"".join(pieces))
    return contents, tally


@given(PIECES)
def test_members_are_what_was_compressed(tmp_path_factory, pieces: list[bytes]) -> None:  # type: ignore[no-untyped-def]
    """Each member is decompressed correctly, even an empty one, with both codecs."""
    path = tmp_path_factory.mktemp("members") / "a"
    for codec, compress in (("gzip", gzip.compress), ("zstd", zstandard.compress)):
        path.write_bytes(b"".join(map(compress, pieces)))
        contents, tally = contents_of(path, codec)
        assert (pieces, []) == (contents, tally.damage)


@given(PIECES, st.integers(0, 15_000))
def test_truncation_leaves_intact_members(tmp_path_factory, pieces: list[bytes], cut: int) -> None:  # type: ignore[no-untyped-def]
    """All members before a truncation are intact, and a truncation within a member is noted."""
    path = tmp_path_factory.mktemp("members") / "a"
    members = list(map(gzip.compress, pieces))
    path.write_bytes(b"".join(members)[:cut])
    sizes = [len(b"".join(members[:n])) for n in range(len(members) + 1)]
    n_whole = sum(size <= cut for size in sizes[1:])
    contents, tally = contents_of(path, "gzip")
    assert pieces[:n_whole] == contents[:n_whole]
    assert (cut in sizes or cut > sizes[-1]) == (not tally.damage)


def test_a_member_may_be_left_half_read(tmp_path: Path) -> None:
    """The next member is read from its start, however little of this one was read."""
    path = tmp_path / "a"
    path.write_bytes(gzip.compress(b"rye" * 9999) + gzip.compress(b"oats"))
    with path.open("rb") as file:
        members = Members(file, "gzip", SourceTally(), name="a")
        assert members.next_member()
        assert b"rye" == members.read(3)
        assert 3 == members.tell()
        assert members.next_member()
        assert b"oats" == members.read(9)
        assert not members.next_member()


def test_codecs_are_detected_by_first_bytes(tmp_path: Path) -> None:
    """Compression is detected by content, not by file name."""
    for content, codec in (
        (gzip.compress(b"a", mtime=0), "gzip"),
        (zstandard.compress(b"a"), "zstd"),
        (b"plain", None),
        (b"", None),
    ):
        (tmp_path / "a").write_bytes(content)
        with (tmp_path / "a").open("rb") as file:
            assert codec == sniff_codec(file)
            assert content == file.read()
