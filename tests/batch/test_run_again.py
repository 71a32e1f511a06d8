"""A batch whose sources are missing for a while, or change before it is resumed."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.batch.archives import Inline, archive, page_of
from tests.batch.failing import break_file
from tests.batch.test_run import INPUTS, Batch, Failing, N, make_html, make_warc
from thresher.batch.model import Item, Record, Settings
from thresher.batch.reporting import BatchReport, ProgressLines, describe_report
from thresher.batch.run import run_batch
from thresher.batch.sources.plan import find_places
from thresher.errors import UsageError
from thresher.limits import Limits

ERRNOS = (errno.ENOENT, errno.EIO)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


@pytest.fixture
def batch(folder: Path, tmp_path: Path) -> Batch:
    """Two archives, the pages of the second with other numbers."""
    make_warc(folder)
    (folder / "b.warc.gz").write_bytes(archive(range(N, 2 * N)))
    return Batch(folder, tmp_path / "out")


def ids_of(batch: Batch) -> list[str]:
    return sorted(str(row["id"]) for row in batch.rows())


ALL = sorted(f"<urn:{number}>" for number in range(2 * N))


def check_incomplete(report: BatchReport, batch: Batch, code: int) -> None:
    assert (False, False) == (report.is_done, report.is_whole)
    (what,) = report.unread
    assert os.strerror(code) in what
    lines = list(describe_report(report))
    assert lines[0].endswith("not all is there yet")
    assert f"not read, --resume tries again: {what}" in lines
    assert f"not read, --resume tries again: {what}" in batch.said


@pytest.mark.parametrize("code", ERRNOS, ids=errno.errorcode.get)
@pytest.mark.parametrize("after_bytes", [None, 3000])
def test_a_source_that_cannot_be_read_is_tried_again(
    batch: Batch, monkeypatch: pytest.MonkeyPatch, code: int, after_bytes: int | None
) -> None:
    """The batch does not say that it is whole, names the source, and --resume reads it."""
    with monkeypatch.context() as patch:
        break_file(patch, batch.source / "a.warc.gz", code, after_bytes)
        check_incomplete(batch.run(), batch, code)
        check_incomplete(batch.run(resume=True), batch, code)
    assert N <= len(batch.rows()) < 2 * N
    report = batch.run(resume=True)
    assert report.is_whole
    assert (2 * N, 2 * N, []) == (report.n_entry, report.n_record, report.unread)
    assert ids_of(batch) == ALL


def test_a_source_may_fail_after_a_kill(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed, resumed while a disk fails, and resumed again: each page is there once."""
    with pytest.raises(SystemError):
        batch.run(Failing)
    for after_bytes in (None, 2000, 6000):
        with monkeypatch.context() as patch:
            break_file(patch, batch.source / "a.warc.gz", errno.EIO, after_bytes)
            assert not batch.run(resume=True).is_whole
        assert len({*ids_of(batch)}) == len(ids_of(batch))
    assert batch.run(resume=True).is_whole
    assert ids_of(batch) == ALL


@pytest.mark.parametrize("code", ERRNOS, ids=errno.errorcode.get)
def test_a_page_that_cannot_be_opened_is_tried_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """Of a folder of pages only this one is read when the batch is resumed."""
    batch = Batch(make_html(folder), tmp_path / "out")
    with monkeypatch.context() as patch:
        break_file(patch, folder / "7.html", code)
        report = batch.run()
    check_incomplete(report, batch, code)
    assert (N, N - 1) == (report.n_entry, report.n_record)
    again = batch.run(resume=True)
    assert again.is_whole
    assert (N, N - 1) == (again.n_record, again.n_resumed)


@pytest.mark.parametrize("kind", INPUTS)
def test_a_source_that_is_gone_is_named(kind: str, folder: Path, tmp_path: Path) -> None:
    """A source that was planned and is missing is not read, and the batch fails."""
    batch = Batch(INPUTS[kind](folder), tmp_path / "out")
    places = list(find_places([str(batch.source)]))
    for path in folder.iterdir():
        path.unlink()
    report = run_batch(batch.job, lambda: places, Inline, ProgressLines(batch.said.append))
    assert not report.is_whole
    assert all("No such file or directory" in what for what in report.unread)
    assert len([path for place in places for path in place.paths]) == len(report.unread)


def test_an_error_of_the_output_is_not_one_of_a_source(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a part cannot be written while a source is read, the batch fails, whatever the reason."""
    (folder / "a.jsonl").write_text("no JSON\n" * 20)
    batch = Batch(folder / "a.jsonl", tmp_path / "out")

    def refuse(*args: object) -> int:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("thresher.batch.run.publish", refuse)
        with pytest.raises(OSError, match="Input/output"):
            batch.run()
    assert batch.run(resume=True).is_whole
    assert 20 == len(batch.rows())


def interrupt(batch: Batch, n_page: int) -> None:
    with pytest.raises(SystemError):
        batch.run(type("Stops", (Failing,), {"n_page": n_page}))


def change(path: Path, how: str) -> None:
    content = path.read_bytes()
    status = path.stat()
    contents = {
        "longer": content + archive([99]),
        "another": archive(range(100, 100 + N)),
        "beginning": archive([3]) + content[len(archive([3])) :],
        "touched": content,
    }
    path.write_bytes(contents[how])
    later_ns = 0 if how == "beginning" else 10**9
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + later_ns))


@pytest.mark.parametrize("how", ["longer", "another", "beginning", "touched"])
def test_a_source_that_changed_is_refused(batch: Batch, how: str) -> None:
    """Positions of the old file mean nothing in it: the error names the file and the option."""
    interrupt(batch, 17)
    before = batch.rows()
    change(batch.source / "a.warc.gz", how)
    with pytest.raises(UsageError, match=r"a\.warc\.gz has changed .* --changed again"):
        batch.run(resume=True)
    assert before == batch.rows()


@pytest.mark.parametrize("n_page", [17, N + 3, N + 20])
@pytest.mark.parametrize("name", ["a.warc.gz", "b.warc.gz"])
def test_a_source_that_changed_is_read_again(batch: Batch, name: str, n_page: int) -> None:
    """With the option, only pages of the new file are there, and those of others once."""
    interrupt(batch, n_page)
    batch.job = replace(batch.job, reread_changed=True)
    change(batch.source / name, "another")
    report = batch.run(resume=True)
    assert report.is_whole
    ended = name == "a.warc.gz" and n_page > N
    others = range(N, 2 * N) if name == "a.warc.gz" else range(N)
    again = range(N) if ended else range(100, 100 + N)
    expected = sorted(f"<urn:{number}>" for number in (*others, *again))
    assert expected == ids_of(batch)
    assert 2 * N == report.stats.n_record


def test_what_is_read_again_with_another_is_compared(batch: Batch) -> None:
    """Parts are replaced as a whole: a source that was done, and loses records, is compared."""
    interrupt(batch, N + 3)
    batch.job = replace(batch.job, reread_changed=True)
    change(batch.source / "a.warc.gz", "another")
    (batch.source / "b.warc.gz").write_bytes(archive(range(200, 200 + N)))
    assert batch.run(resume=True).is_whole
    expected = sorted(f"<urn:{number}>" for number in (*range(100, 100 + N), *range(200, 200 + N)))
    assert expected == ids_of(batch)


def test_a_source_that_is_done_is_left_alone(batch: Batch) -> None:
    """One that was read to its end may change or go: its pages are done."""
    interrupt(batch, N + 20)
    (batch.source / "a.warc.gz").unlink()
    assert batch.run(resume=True).is_whole
    assert ids_of(batch) == ALL


def test_marks_of_other_pages_cannot_be_undone(batch: Batch) -> None:
    """Where duplicates are marked, records cannot be replaced, and the error says what to do."""
    batch.job = replace(batch.job, dedupe=True, reread_changed=True)
    interrupt(batch, 17)
    change(batch.source / "a.warc.gz", "another")
    with pytest.raises(UsageError, match="start a batch in another folder"):
        batch.run(resume=True)


def test_a_source_that_changes_while_it_is_read_is_not_read(batch: Batch) -> None:
    """An archive that is still being written is named, and refused when the batch is resumed."""

    class Growing(Inline):
        def extract(self, items: Iterable[Item]) -> Iterator[Record]:
            for number, record in enumerate(super().extract(items)):
                if number == 5:
                    change(batch.source / "a.warc.gz", "longer")
                yield record

    report = batch.run(Growing)
    assert not report.is_whole
    assert [f"{batch.source / 'a.warc.gz'}: it changed while it was read"] == report.unread
    with pytest.raises(UsageError, match="--changed again"):
        batch.run(resume=True)
    batch.job = replace(batch.job, reread_changed=True)
    assert batch.run(resume=True).is_whole


def test_a_page_that_changed_is_refused(folder: Path, tmp_path: Path) -> None:
    """Pages that are files of their own are compared, too, those that are done or not."""
    batch = Batch(make_html(folder), tmp_path / "out")
    interrupt(batch, 17)
    (folder / "1.html").write_bytes(page_of(99))
    with pytest.raises(UsageError, match="has changed"):
        batch.run(resume=True)
    batch.job = replace(batch.job, reread_changed=True)
    assert batch.run(resume=True).is_whole
    assert N == len(batch.rows())
    assert any("rye99" in str(row["text"]) for row in batch.rows())


class Erring(Inline):
    """Fails for every fifth page."""

    def extract(self, items: Iterable[Item]) -> Iterator[Record]:
        for number, record in enumerate(super().extract(items)):
            yield (
                replace(record, text=None, error="LimitError: slow") if number % 5 == 2 else record
            )


@pytest.mark.parametrize("format", ["parquet", "jsonl", "jsonl.gz", "jsonl.zst", "markdown"])
def test_errors_alone_are_done_again(format: str, folder: Path, tmp_path: Path) -> None:
    """Records with an error are replaced, with other limits too; the others stay as they are."""
    make_warc(folder)
    (folder / "b.warc.gz").write_bytes(archive(range(N, 2 * N))[:-40])
    batch = Batch(folder, tmp_path / "out")
    batch.job = replace(batch.job, format=format)
    first = batch.run(Erring)
    n_error = first.stats.n_error
    assert (2 * N) // 5 <= n_error
    slower = replace(batch.job.settings, limits=Limits(deadline_s=60))
    larger = replace(batch.job.read_options, max_bytes=2 * batch.job.read_options.max_bytes)
    batch.job = replace(batch.job, settings=slower, read_options=larger)
    with pytest.raises(UsageError, match="with limits"):
        batch.run(resume=True)
    batch.job = replace(batch.job, only_errors=True)
    made: list[Counting] = []

    class Counting(Inline):
        def __init__(self, settings: Settings, n_worker: int) -> None:
            super().__init__(settings, n_worker)
            made.append(self)

    again = batch.run(Counting, resume=True)
    assert n_error - 2 == made[0].n_begun
    assert first.n_record == again.n_record == again.n_entry
    assert 2 == again.stats.n_error == sum("damage" in each for each in ids_of(batch)) + 1
    assert again.is_done
    assert first.n_record == len(set(ids_of(batch))) == len(ids_of(batch))
