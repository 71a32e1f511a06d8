"""Parts of one archive."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the extra batch is not installed")
pytest.importorskip("fastwarc", reason="the extra batch is not installed")
pytest.importorskip("zstandard", reason="the extra batch is not installed")

import zstandard

from tests.batch.archives import response, spans_of
from tests.batch.misbehaving import GOOD
from tests.batch.stores import open_store
from thresher.batch.guard import Guard
from thresher.batch.model import Record, Settings
from thresher.batch.splitting import part_name, split_archive, split_name
from thresher.batch.table import extract_archive, write_archive
from thresher.errors import UsageError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="worker processes need POSIX")

SETTINGS = Settings(metadata=False)
N_PAGE = 30
PAGES = [response(f"https://example.org/{n}", GOOD * (1 + n % 4)) for n in range(N_PAGE)]
PART_BYTES = 1500
"""Bytes of some members, or of two records."""


ARCHIVES = {
    "a.warc": b"".join(PAGES),
    "a.warc.gz": b"".join(map(gzip.compress, PAGES)),
    "a.warc.zst": b"".join(map(zstandard.compress, PAGES)),
    "whole.warc.gz": gzip.compress(b"".join(PAGES)),
}


def write(folder: Path, name: str = "a.warc.gz") -> str:
    """Write an archive; return its path."""
    path = folder / name
    path.write_bytes(ARCHIVES[name])
    return str(path)


def extract(*names: str) -> list[Record]:
    """Extract archives or parts, with one guard."""
    with Guard(SETTINGS) as guard:
        return [record for name in names for record in extract_archive(name, SETTINGS, guard=guard)]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.warc.zst"])
def test_parts_have_the_pages_of_the_archive(tmp_path: Path, name: str) -> None:
    """All parts together have each page once, in order, with the archive as its source."""
    path = write(tmp_path, name)
    parts = split_archive(path, PART_BYTES)
    assert 3 <= len(parts) <= N_PAGE
    records = extract(*parts)
    assert [f"<https://example.org/{n}>" for n in range(N_PAGE)] == [each.id for each in records]
    assert {path} == {record.source for record in records}
    assert {None} == {record.error for record in records}


def test_an_archive_compressed_as_a_whole_stays_whole(tmp_path: Path) -> None:
    """It has one member, so nothing else can be read by itself; neither is a small archive cut."""
    path = write(tmp_path, "whole.warc.gz")
    assert [path] == split_archive(path, 100)
    assert [path] == split_archive(path)


@pytest.mark.parametrize("part_bytes", [1, 200, 1000, 10**6])
def test_the_bytes_of_parts_are_those_of_the_archive(tmp_path: Path, part_bytes: int) -> None:
    """Whatever their size, parts begin where the one before ends, and the last at the end."""
    path = write(tmp_path)
    size = Path(path).stat().st_size
    spans = [(split_name(part)[1] or ((0, size),))[0] for part in split_archive(path, part_bytes)]
    assert [0, *(end for _, end in spans[:-1])] == [first for first, _ in spans]
    assert size == spans[-1][1]
    assert min(N_PAGE, size // part_bytes + 1) >= len(spans)


def test_damage_is_in_one_part(tmp_path: Path) -> None:
    """A damaged member costs its page, wherever the cuts fall, and its part is named."""
    path = Path(write(tmp_path))
    members = [gzip.compress(page) for page in PAGES]
    members[10] = members[10][:60] + b"chaff" + members[10][65:]
    path.write_bytes(b"".join(members))
    for part_bytes in (1, 300, PART_BYTES):
        records = extract(*split_archive(str(path), part_bytes))
        good = [record.url for record in records if record.error is None]
        assert [f"https://example.org/{n}" for n in range(N_PAGE) if n != 10] == good
        damage = [record.id for record in records if "#damage-" in record.id]
        assert 1 == len(damage) and damage[0].startswith(f"{path}#bytes=")


def test_a_part_of_a_remote_archive_has_a_file_of_its_own(tmp_path: Path) -> None:
    """Parts are found and read in a store, and each is written to its file once."""
    local = Path(write(tmp_path))
    with open_store("barn") as store, Guard(SETTINGS) as guard:
        parts = split_archive(store.put("barn/a.warc.gz", local.read_bytes()), PART_BYTES)
        for is_new in (True, False):
            reports = [
                write_archive(part, str(tmp_path / "out"), SETTINGS, guard=guard) for part in parts
            ]
            assert {is_new} == {report.is_new for report in reports}
        assert N_PAGE == sum(report.n_record for report in reports)
        assert len(parts) == len({report.file for report in reports}) >= 3


def test_some_members_are_a_part(tmp_path: Path) -> None:
    """Records whose places an index of a crawl says are extracted alone, in order."""
    path = write(tmp_path)
    spans = spans_of(PAGES)
    part = part_name(path, [spans[n] for n in (20, 3, 4)])
    assert f"{path}#bytes={spans[3][0]}-{spans[4][1]},{spans[20][0]}-{spans[20][1]}" == part
    records = extract(part)
    assert [f"https://example.org/{n}" for n in (3, 4, 20)] == [record.url for record in records]
    with pytest.raises(UsageError, match="one member"):
        part_name(path, [])


def test_a_part_has_a_byte(tmp_path: Path) -> None:
    """Parts of no bytes raise UsageError; an archive that is not there raises OSError."""
    with pytest.raises(UsageError, match="part_bytes"):
        split_archive(write(tmp_path), 0)
    with pytest.raises(FileNotFoundError):
        split_archive(str(tmp_path / "gone.warc.gz"))
