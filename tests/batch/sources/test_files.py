"""Compressed files, lines, and a disk that fails."""

from __future__ import annotations

import errno
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.batch.failing import break_file
from tests.batch.sources.reading import read
from thresher.batch.model import Item
from thresher.batch.sources.base import ReadOptions, SourceTally, Unreadable, open_source
from thresher.batch.sources.files import Members, sniff_codec

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


LINES = [json.dumps({"html": f"<p>rye {n}", "url": f"http://farm.example/{n}"}) for n in range(50)]
CONTENT = "\n".join(LINES).encode()
CODECS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "zstd": zstandard.compress,
}


@pytest.mark.parametrize("codec", CODECS)
def test_a_line_is_a_page(codec: str, tmp_path: Path) -> None:
    """Lines are read in order, with any compression, also without a final line break."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(CODECS[codec](CONTENT))
    entries, tally = read("jsonl", path, {1})
    assert [0, *range(2, 50)] == list(entries)
    assert Item("50", "<p>rye 49", "http://farm.example/49") == entries[49]
    assert (50, path.stat().st_size, []) == (tally.n_entry, tally.n_byte, tally.damage)


def test_a_bad_line_is_an_error_of_its_own(tmp_path: Path) -> None:
    """Lines that are not objects, or too long, are numbered errors; blank lines are skipped."""
    lines = [b'{"html": "<p>a"}', b"{", b"", b"[1]", b'{"html": "%s"}' % (b"a" * 9000)]
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join([*lines, b'{"html": "<p>b"}']))
    entries, tally = read("jsonl", path, (), ReadOptions(max_bytes=1000))
    assert ["1", "2", "4", "5", "6"] == [entry.id for entry in entries.values()]
    assert [1, 2, 3] == [n for n, entry in entries.items() if isinstance(entry, Unreadable)]
    assert (5, {"blank line": 1}) == (tally.n_entry, tally.skipped)


@pytest.mark.parametrize("codec", ["gzip", "zstd"])
def test_truncation_is_detected(codec: str, tmp_path: Path) -> None:
    """The complete lines of a truncated file are read, and the truncation is noted."""
    noise = [json.dumps({"html": str(hash((n, "rye")) ** 9)}).encode() for n in range(4000)]
    path = tmp_path / "a.jsonl"
    zipped = CODECS[codec](b"\n".join(noise))
    path.write_bytes(zipped[: len(zipped) // 2])
    entries, tally = read("jsonl", path)
    assert 1 == len(tally.damage)
    assert "it ends within" in tally.damage[0]
    assert 0 < len(entries) < 4000
    assert all(isinstance(entry, Item) for entry in entries.values())


def test_a_file_is_read_as_any_other(tmp_path: Path) -> None:
    """It can be read, sought and asked for its number, and the tally stays as it was."""
    (tmp_path / "a").write_bytes(b"rye and oats")
    tally = SourceTally()
    with open_source(tmp_path / "a", tally) as file:
        assert b"rye" == file.read(3)
        assert 4 == file.seek(4)
        assert b"and oats" == file.read()
        assert file.fileno() > 2
    assert SourceTally() == tally


@pytest.mark.parametrize("after_bytes", [None, 0, 600])
def test_an_error_of_the_system_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after_bytes: int | None
) -> None:
    """The tally knows of it even if who reads the file takes it for something else."""
    (tmp_path / "a").write_bytes(b"rye " * 1000)
    break_file(monkeypatch, tmp_path / "a", errno.EIO, after_bytes)
    tally = SourceTally()
    with pytest.raises(OSError, match="Input/output"), open_source(tmp_path / "a", tally) as file:
        file.read()
    assert tally.failure is not None
    assert errno.EIO == tally.failure.errno
