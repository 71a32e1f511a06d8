"""A batch from sources to parts, with a fake for the worker processes."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from tests.batch.archives import Inline, archive, page_of
from thresher.batch.manifest import Manifest
from thresher.batch.model import Item, Record, Settings
from thresher.batch.reporting import BatchReport, ProgressLines
from thresher.batch.run import Job, run_batch
from thresher.batch.sinks import INDEX, SINKS
from thresher.batch.sources.plan import find_places
from thresher.errors import ThresherError, UsageError

N = 40


def make_warc(folder: Path) -> Path:
    (folder / "a.warc.gz").write_bytes(archive(range(N)))
    return folder / "a.warc.gz"


def make_html(folder: Path) -> Path:
    for number in range(N):
        (folder / f"{number}.html").write_bytes(page_of(number))
    return folder


def make_jsonl(folder: Path) -> Path:
    lines = [json.dumps({"html": page_of(number).decode()}) for number in range(N)]
    (folder / "a.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    return folder / "a.jsonl.gz"


def make_parquet(folder: Path) -> Path:
    table = pa.table({"html": [page_of(number) for number in range(N)]})
    parquet.write_table(table, folder / "a.parquet")
    return folder / "a.parquet"


def make_paths(folder: Path) -> Path:
    make_warc(folder)
    (folder / "a.paths").write_text("a.warc.gz\n")
    return folder / "a.paths"


INPUTS: dict[str, Callable[[Path], Path]] = {
    "warc": make_warc,
    "html": make_html,
    "jsonl": make_jsonl,
    "parquet": make_parquet,
    "paths": make_paths,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


class Batch:
    """Runs batches into one folder."""

    def __init__(self, source: Path, out: Path) -> None:
        self.job = Job(out, "parquet", Settings(), n_per_part=7)
        self.source = source
        self.said: list[str] = []

    def run(
        self,
        workers: type[Inline] = Inline,
        *,
        resume: bool = False,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> BatchReport:
        find = lambda: find_places([str(self.source)])  # noqa: E731
        watcher = ProgressLines(self.said.append)
        return run_batch(self.job, find, workers, watcher, resume=resume, is_stopped=is_stopped)

    def rows(self) -> list[dict[str, object]]:
        return rows_of(self.job.out, self.job.format)


def rows_of(out: Path, format: str) -> list[dict[str, object]]:
    rows = []
    for part in sorted(out.glob("part-*")):
        if format == "parquet":
            rows += parquet.read_table(part).to_pylist()
        else:
            file = part / INDEX if part.is_dir() else part
            unpack: Any = {".gz": gzip.open, ".zst": zstandard.open}.get(file.suffix, open)
            with unpack(file, "rb") as packed:
                rows += [json.loads(line) for line in packed.read().splitlines()]
    return rows


@pytest.fixture
def batch(folder: Path, tmp_path: Path) -> Batch:
    return Batch(make_warc(folder), tmp_path / "out")


@pytest.mark.parametrize("format", ["parquet", "jsonl", "markdown"])
@pytest.mark.parametrize("kind", INPUTS)
def test_every_page_has_its_record(kind: str, format: str, folder: Path, tmp_path: Path) -> None:
    """From any source to any output, every page has exactly one record, in parts."""
    batch = Batch(INPUTS[kind](folder), tmp_path / "out")
    batch.job = replace(batch.job, format=format)
    report = batch.run()
    assert report.is_whole
    assert (N, N, 6) == (report.n_entry, report.n_record, report.n_part)
    rows = batch.rows()
    assert N == len({row["id"] for row in rows}) == len(rows)
    assert {report.stats.n_record, N} == {N}
    if format != "markdown":
        expected = sorted(page_of(number).decode() for number in range(N))
        assert expected == sorted(str(row["text"]) for row in rows)


class Failing(Inline):
    """Fails after some pages, like a crashed process."""

    n_page = 17

    def extract(self, items: Iterable[Item]) -> Iterator[Record]:
        for number, record in enumerate(super().extract(items)):
            if number == self.n_page:
                raise SystemError
            yield record


@pytest.mark.parametrize("n_page", [0, 3, 7, 17, 28, 39])
@pytest.mark.parametrize("format", ["parquet", "jsonl", "markdown"])
def test_interrupted_batch_is_resumed(n_page: int, format: str, batch: Batch) -> None:
    """An interrupted batch resumes without losing or duplicating records."""
    batch.job = replace(batch.job, format=format, dedupe=True, repeats=True)
    stops = type("Stops", (Failing,), {"n_page": n_page})
    with pytest.raises(SystemError):
        batch.run(stops)
    before = sorted(batch.job.out.glob("part-*"))
    assert n_page // 7 == len(before)
    for left in ("part-000099.tmp", "part-000098.parquet"):  # half written, and not committed
        (batch.job.out / left).write_bytes(b"half")
    report = batch.run(resume=True)
    assert report.is_whole
    assert n_page // 7 * 7 == report.n_resumed
    rows = batch.rows()
    assert [f"<urn:{number}>" for number in range(N)] == [row["id"] for row in rows]
    assert not [row for row in rows if row["duplicate"]]
    assert (N, {}) == (report.stats.n_record, dict(report.stats.duplicates))


def test_a_batch_that_is_done_has_nothing_to_do(batch: Batch) -> None:
    """Resuming a finished batch extracts nothing and reports the same."""
    first = batch.run()

    class Idle(Inline):
        def extract(self, items: Iterable[Item]) -> Iterator[Record]:
            assert [] == list(items)
            yield from ()

    again = batch.run(Idle, resume=True)
    assert again.is_whole
    assert first.stats.as_dict() == again.stats.as_dict()
    assert N == again.n_resumed


def test_stop_request_loses_nothing(batch: Batch) -> None:
    """A stop request writes the pages in progress, and the batch resumes after them."""
    asked = iter([False] * 12 + [True] * 99)
    report = batch.run(is_stopped=lambda: next(asked))
    assert 12 == report.n_record
    assert not report.is_whole
    assert 12 == len(batch.rows())
    assert batch.run(resume=True).is_whole
    assert N == len({row["id"] for row in batch.rows()}) == len(batch.rows())


def test_damage_is_reported_and_the_rest_is_there(batch: Batch) -> None:
    """A truncated archive is reported immediately and at the end, and remembered."""
    content = batch.source.read_bytes()
    batch.source.write_bytes(content[: len(content) // 2])
    report = batch.run()
    assert (True, False) == (report.is_done, report.is_whole)
    assert N // 2 - 2 <= report.n_record < N
    (damage,) = report.damage
    assert "a.warc.gz: it ends within the gzip member" in damage
    assert f"damaged: {damage}" in batch.said
    assert [damage] == batch.run(resume=True).damage


def test_an_unreadable_page_is_an_error_record(folder: Path, tmp_path: Path) -> None:
    """An unreadable page has a record like all others, and is counted."""
    (folder / "a.jsonl").write_text('{"html": "<p>rye"}\nnonsense\n{"html": "<p>oats"}\n')
    batch = Batch(folder / "a.jsonl", tmp_path / "out")
    report = batch.run()
    assert report.is_whole
    assert Counter(InputError=1) == report.stats.errors
    assert ["1", "2", "3"] == sorted(str(row["id"]) for row in batch.rows())
    (bad,) = (row for row in batch.rows() if row["error"])
    assert str(batch.source) == bad["source"]


def test_duplicates_are_marked(folder: Path, tmp_path: Path) -> None:
    """A duplicate refers to the earlier page, also in another file and after resuming."""
    (folder / "a.jsonl").write_text('{"html": "<p>rye and oats"}\n' * 2)
    (folder / "b.jsonl").write_text('{"html": "<p>rye and oats"}\n')
    batch = Batch(folder, tmp_path / "out")
    batch.job = replace(batch.job, dedupe=True, n_per_part=1)
    with pytest.raises(SystemError):
        batch.run(type("Stops", (Failing,), {"n_page": 1}))
    report = batch.run(resume=True)
    assert Counter(exact=2) == report.stats.duplicates
    first = f"{folder / 'a.jsonl'}#1"
    assert [None, "1", first] == [row["duplicate_of"] for row in batch.rows()]


def test_a_missing_part_is_seen(batch: Batch) -> None:
    """A missing or damaged part makes the batch incomplete."""
    batch.run()
    (batch.job.out / "part-000002.parquet").unlink()
    (batch.job.out / "part-000003.parquet").write_bytes(b"cut")
    report = batch.run(resume=True)
    assert ("part-000002.parquet", "part-000003.parquet") == report.missing
    assert not report.is_whole


def test_folders_in_use_are_rejected(batch: Batch) -> None:
    """A folder with a batch, another format, other files or another process raises UsageError."""
    batch.run()
    with pytest.raises(UsageError, match="--resume goes on with it"):
        batch.run()
    batch.job = replace(batch.job, format="jsonl")
    with pytest.raises(UsageError, match="started with format parquet, not jsonl"):
        batch.run(resume=True)
    batch.job = replace(batch.job, out=batch.source.parent)
    with pytest.raises(UsageError, match="is not empty"):
        batch.run()


def test_second_process_is_rejected(batch: Batch) -> None:
    """A second process on the same output is rejected."""
    batch.run(is_stopped=lambda: True)
    first = Manifest(batch.job.out)
    first.begin()
    with pytest.raises(UsageError, match="another process"):
        batch.run(resume=True)
    first.close()


def test_batch_started_concurrently_is_rejected(batch: Batch, tmp_path: Path) -> None:
    """Of two processes starting at the same time, one is rejected."""
    batch.job.out.mkdir()
    first, second = Manifest(batch.job.out), Manifest(batch.job.out)
    first.create(iter(()), {})
    with pytest.raises(UsageError, match="another process"):
        second.create(iter(()), {})
    first.close()
    second.close()


@pytest.mark.parametrize("n_done", [0, 3, 9])
def test_workers_that_die_leave_what_is_done(batch: Batch, n_done: int) -> None:
    """If no worker can be started, the records so far are written and not repeated."""

    class Dying(Inline):
        def extract(self, items: Iterable[Item]) -> Iterator[Record]:
            yield from islice(super().extract(items), n_done)
            raise ThresherError("no worker can start: SIGKILL")

    with pytest.raises(ThresherError, match="SIGKILL; go on with --resume"):
        batch.run(Dying)
    before = batch.rows()
    assert n_done == len(before)
    report = batch.run(resume=True)
    assert report.is_whole
    assert n_done == report.n_resumed
    assert before == batch.rows()[:n_done]
    assert len({row["id"] for row in batch.rows()}) == report.n_record


def test_memory_may_be_another_when_resumed(batch: Batch) -> None:
    """The memory limit may change when resuming, as no record depends on it."""
    batch.run(is_stopped=lambda: True)
    settings = replace(batch.job.settings, max_memory_bytes=2**33)
    batch.job = replace(batch.job, settings=settings)
    assert batch.run(resume=True).is_whole


def test_a_worker_that_mixes_records_up_is_caught(batch: Batch) -> None:
    """Records with the wrong id raise an error."""

    class Mixing(Inline):
        def extract(self, items: Iterable[Item]) -> Iterator[Record]:
            for record in super().extract(items):
                yield replace(record, id="other")

    with pytest.raises(RuntimeError, match="came for"):
        batch.run(Mixing)


def test_every_format_has_a_suffix_of_its_own() -> None:
    """Formats have different suffixes."""
    assert len(SINKS) == len({sink.suffix for sink in SINKS.values()})
