"""Sources that the system does not let be read to their ends."""

from __future__ import annotations

import errno
import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from tests.batch.archives import archive, archived, page_of
from tests.batch.failing import break_file
from thresher.batch.model import Item
from thresher.batch.sources.base import Place, ReadOptions, SourceTally
from thresher.batch.sources.reading import read_source

N = 400
ERRNOS = (
    *(errno.ENOENT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.EACCES, errno.EPERM),
    *(errno.ESTALE, errno.ENODEV, errno.ENXIO, errno.ETIMEDOUT, errno.ENOTCONN, errno.EISDIR),
)


def write_lines(path: Path, pack: Callable[[bytes], bytes]) -> None:
    lines = [json.dumps({"html": page_of(number).decode()}) for number in range(N)]
    path.write_bytes(pack("\n".join(lines).encode()))


def write_table(path: Path) -> None:
    table = pa.table({"html": [page_of(n) + os.urandom(99).hex().encode() for n in range(N)]})
    parquet.write_table(table, path, row_group_size=50)


FILES: dict[str, tuple[str, Callable[[Path], object]]] = {
    "a.warc": ("warc", lambda path: path.write_bytes(b"".join(archived(range(N))))),
    "a.warc.gz": ("warc", lambda path: path.write_bytes(archive(range(N)))),
    "whole.warc.gz": (
        "warc",
        lambda path: path.write_bytes(gzip.compress(b"".join(archived(range(N))))),
    ),
    "a.warc.zst": (
        "warc",
        lambda path: path.write_bytes(b"".join(map(zstandard.compress, archived(range(N))))),
    ),
    "a.jsonl": ("jsonl", lambda path: write_lines(path, bytes)),
    "a.jsonl.gz": ("jsonl", lambda path: write_lines(path, gzip.compress)),
    "a.jsonl.zst": ("jsonl", lambda path: write_lines(path, zstandard.compress)),
    "a.parquet": ("parquet", write_table),
}


def read(path: Path, kind: str) -> tuple[dict[int, object], SourceTally]:
    tally = SourceTally()
    place = Place(kind, path.name, (str(path),), 0)
    return dict(read_source(place, ReadOptions(), tally, lambda _: False)), tally


@pytest.mark.parametrize("code", ERRNOS, ids=errno.errorcode.get)
@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_opened_is_unread(
    name: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the reason, it is no damage of the file, and no page of it is made up."""
    kind, write = FILES[name]
    write(tmp_path / name)
    break_file(monkeypatch, tmp_path / name, code)
    entries, tally = read(tmp_path / name, kind)
    assert ({}, []) == (entries, tally.damage)
    assert [f"{name}: {os.strerror(code)}"] == tally.unread


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7])
@pytest.mark.parametrize("name", FILES)
def test_reading_ends_where_the_system_fails(
    name: str, share: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pages before are those of an undisturbed reading, and nothing is taken for damage."""
    kind, write = FILES[name]
    path = tmp_path / name
    write(path)
    expected, _ = read(path, kind)
    assert N == len(expected)
    break_file(monkeypatch, path, errno.EIO, int(path.stat().st_size * share))
    entries, tally = read(path, kind)
    assert len(entries) < N
    assert entries == {position: expected[position] for position in entries}
    assert all(isinstance(entry, Item) for entry in entries.values())
    (what,) = tally.unread
    assert what.startswith(f"{name}: Input/output error")


def test_a_list_of_addresses_that_breaks_off_is_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No address after the failure is forgotten: the list is read again."""
    path = tmp_path / "a.urls"
    path.write_text("# farm\n" * 1000)
    break_file(monkeypatch, path, errno.EIO, 2000)
    entries, tally = read(path, "urls")
    assert ({}, ["a.urls: Input/output error"]) == (entries, tally.unread)
