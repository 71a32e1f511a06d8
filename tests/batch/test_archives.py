"""Extraction of one archive."""

from __future__ import annotations

import errno
import sys
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the extra batch is not installed")
pytest.importorskip("fastwarc", reason="the extra batch is not installed")

from pyarrow import parquet

from tests.batch.archives import response, write_warc
from tests.batch.failing import break_file
from tests.batch.misbehaving import GOOD, misbehave
from tests.batch.stores import open_store
from thresher.batch.guard import Guard
from thresher.batch.model import SCHEMA, Record, Settings
from thresher.batch.reporting import ProgressLines
from thresher.batch.run import Job, run_batch
from thresher.batch.sources.plan import find_places
from thresher.batch.table import ArchiveReport, extract_archive, write_archive
from thresher.errors import InputError
from thresher.limits import Limits

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="worker processes need POSIX")

PAGES = [response(f"https://example.org/{n}", GOOD) for n in range(3)]


SETTINGS = Settings(metadata=False)


def guard() -> Guard:
    """Create a guard whose worker does what a page asks for."""
    return Guard(SETTINGS, work=misbehave)


def extract(path: str) -> list[Record]:
    """Extract an archive with its own guard."""
    with guard() as workers:
        return list(extract_archive(path, SETTINGS, guard=workers))


@pytest.mark.parametrize("prefix", ["", "file://"])
def test_every_page_of_an_archive_is_a_record(tmp_path: Path, prefix: str) -> None:
    """A local path and a URI give the same records, even with a page that crashes."""
    pages = [*PAGES, response("https://example.org/3", "segfault:")]
    path = prefix + write_warc(tmp_path / "a.warc.gz", pages)
    records = extract(path)
    assert [f"https://example.org/{n}" for n in range(4)] == [record.url for record in records]
    assert {path} == {record.source for record in records}
    assert [False, False, False, True] == [record.error is not None for record in records]


def test_damage_is_the_same_records_as_in_a_batch(tmp_path: Path) -> None:
    """A batch has the ids that an engine has, those of damaged places too."""
    path = Path(write_warc(tmp_path / "a.warc.gz", PAGES))
    path.write_bytes(path.read_bytes()[:-40])
    out = tmp_path / "out"
    job = Job(out, "parquet", Settings(metadata=False))
    places = list(find_places([str(path)]))
    report = run_batch(
        job,
        lambda: places,
        lambda settings, n_worker: Guard(settings, work=misbehave),
        ProgressLines(lambda line: None),
    )
    records = extract(str(path))
    good = [record.url for record in records if record.error is None]
    assert ["https://example.org/0", "https://example.org/1"] == good
    assert f"{path}#damage-1" in {record.id for record in records}
    rows = parquet.read_table(out / "part-000000.parquet").to_pylist()
    assert sorted(record.id for record in records) == sorted(row["id"] for row in rows)
    assert (True, False) == (report.is_done, report.is_whole)


def test_too_much_damage_is_an_error(tmp_path: Path) -> None:
    """After more damaged places than are allowed, the task of the engine fails."""
    path = Path(write_warc(tmp_path / "a.warc.gz", PAGES))
    path.write_bytes(path.read_bytes()[:-40])
    with guard() as workers:
        assert list(extract_archive(str(path), SETTINGS, guard=workers, max_damaged=1))
        with pytest.raises(InputError, match="1 damaged places, more than 0"):
            list(extract_archive(str(path), SETTINGS, guard=workers, max_damaged=0))


@pytest.mark.parametrize("prefix", ["", "file://"])
def test_an_archive_that_is_not_there_is_an_error(tmp_path: Path, prefix: str) -> None:
    """An archive that cannot be opened fails the task, so that the engine repeats it."""
    with pytest.raises(FileNotFoundError):
        extract(f"{prefix}{tmp_path}/gone.warc.gz")


def test_an_archive_that_cannot_be_read_on_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails in the middle fails the task; it is no damage of the archive."""
    path = Path(write_warc(tmp_path / "a.warc.gz", PAGES))
    break_file(monkeypatch, path, errno.EIO, 600)
    with pytest.raises(OSError, match=r"a\.warc\.gz: Input/output error"):
        extract(str(path))


def write(path: str, out: object, only_errors: bool = False, **options: object) -> ArchiveReport:
    """Write the file of an archive with its own guard."""
    settings = Settings(metadata=False, **options)  # type: ignore[arg-type]
    with Guard(settings, work=misbehave) as workers:
        return write_archive(path, str(out), settings, guard=workers, only_errors=only_errors)


def test_a_file_of_records_is_written_once(tmp_path: Path) -> None:
    """It is that of the archive; a second call does nothing until archive or settings change."""
    path, out = write_warc(tmp_path / "a.warc.gz", PAGES), tmp_path / "out"
    first = write(path, out)
    assert (3, 0, 0, True) == (first.n_record, first.n_error, first.n_damage, first.is_new)
    table = parquet.read_table(first.file)
    assert [f"<https://example.org/{n}>" for n in range(3)] == table["id"].to_pylist()
    assert SCHEMA.encode() == parquet.read_metadata(first.file).metadata[b"thresher.schema"]
    assert replace(first, is_new=False) == write(path, out)
    assert write(path, out, formats=("html",)).is_new
    write_warc(Path(path), PAGES[:2])
    assert 2 == write(path, out, formats=("html",)).n_record
    assert [Path(first.file)] == list(out.iterdir())


def test_a_broken_file_of_records_is_replaced(tmp_path: Path) -> None:
    """What is not a whole file of records, as after a crash of another writer, does not count."""
    path, out = write_warc(tmp_path / "a.warc.gz", PAGES), tmp_path / "out"
    file = Path(write(path, out).file)
    for content in (b"", file.read_bytes()[:-9]):
        file.write_bytes(content)
        assert write(path, out).is_new
        assert 3 == parquet.read_table(file).num_rows


def test_errors_alone_are_extracted_again(tmp_path: Path) -> None:
    """Pages with an error are replaced in their places, with other limits too; others are kept."""
    bodies = [GOOD, "once:" + str(tmp_path / "mark"), GOOD]
    pages = [response(f"https://example.org/{n}", body) for n, body in enumerate(bodies)]
    path, out = write_warc(tmp_path / "a.warc.gz", pages), tmp_path / "out"
    first = write(path, out)
    before = parquet.read_table(first.file).to_pylist()
    assert (3, 1) == (first.n_record, first.n_error)
    assert not write(path, out).is_new
    again = write(path, out, only_errors=True, limits=Limits(deadline_s=60))
    assert (3, 0, True) == (again.n_record, again.n_error, again.is_new)
    after = parquet.read_table(first.file).to_pylist()
    assert [before[0], before[2]] == [after[0], after[2]]
    assert (before[1]["id"], None) == (after[1]["id"], after[1]["error"])
    assert not write(path, out, only_errors=True).is_new
    assert not write(path, out).is_new


def test_a_store_that_refuses_is_an_error(tmp_path: Path) -> None:
    """A refused request fails the task, reading or writing; repeated, it gives the whole file."""
    local = Path(write_warc(tmp_path / "a.warc.gz", PAGES))
    with open_store("barn") as store:
        path, out = store.put("barn/a.warc.gz", local.read_bytes()), store.uri("barn/out")
        for method, part in (("GET", "a.warc.gz"), ("HEAD", "a.warc.gz"), ("PUT", "out/a")):
            store.refuses = lambda verb, path, method=method, part=part: (  # type: ignore[misc]
                verb == method and part in path
            )
            with pytest.raises(OSError, match=r"."):
                write(path, out)
        assert store.n_refused
        store.refuses = lambda verb, path: False
        report = write(path, out)
        assert (3, 0, True) == (report.n_record, report.n_error, report.is_new)
        assert not write(path, out).is_new
        assert 3 == parquet.read_table(report.file, filesystem=store.system).num_rows
