"""Extraction of one archive."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the extra batch is not installed")
pytest.importorskip("fastwarc", reason="the extra batch is not installed")

from tests.batch.archived import response, write_warc
from tests.batch.misbehaving import GOOD, misbehave
from thresher.batch.archives import extract_archive
from thresher.batch.guard import Guard
from thresher.batch.model import Record, Settings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="worker processes need POSIX")

PAGES = [response(f"https://example.org/{n}", GOOD) for n in range(3)]


def extract(path: str) -> list[Record]:
    """Extract an archive with its own guard."""
    settings = Settings(metadata=False)
    with Guard(settings, work=misbehave) as guard:
        return list(extract_archive(path, settings, guard=guard))


@pytest.mark.parametrize("prefix", ["", "file://"])
def test_every_page_of_an_archive_is_a_record(tmp_path: Path, prefix: str) -> None:
    """A local path and a URI give the same records, even with a page that crashes."""
    pages = [*PAGES, response("https://example.org/3", "segfault:")]
    path = prefix + write_warc(tmp_path / "a.warc.gz", pages)
    records = extract(path)
    assert [f"https://example.org/{n}" for n in range(4)] == [record.url for record in records]
    assert {path} == {record.source for record in records}
    assert [False, False, False, True] == [record.error is not None for record in records]


def test_damage_is_a_record(tmp_path: Path) -> None:
    """The pages before a truncation are extracted, and a record reports it."""
    path = Path(write_warc(tmp_path / "a.warc.gz", PAGES))
    path.write_bytes(path.read_bytes()[:-40])
    records = extract(str(path))
    assert ["https://example.org/0", "https://example.org/1"] == [
        record.url for record in records if record.error is None
    ]
    assert any(record.id == f"{path}#damage-1" for record in records)
    assert all((record.error or "InputError").startswith("InputError") for record in records)


@pytest.mark.parametrize("prefix", ["", "file://", "nowhere://"])
def test_an_archive_that_is_not_there_is_a_record(tmp_path: Path, prefix: str) -> None:
    """An archive that cannot be opened gives an error record, not an exception."""
    path = f"{prefix}{tmp_path}/gone.warc.gz"
    (record,) = extract(path)
    assert (f"{path}#damage-1", path) == (record.id, record.source)
    assert (record.error or "").startswith("InputError: ")
