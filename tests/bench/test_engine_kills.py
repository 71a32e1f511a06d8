"""The benchmark that kills engines finds what is lost, double or different."""

from __future__ import annotations

import gzip
import os
import random
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="the extra batch is not installed")

from bench import engine_kills
from bench.engine_kills import (
    Refusals,
    Trial,
    compare,
    find_processes,
    kill_all,
    parent_of,
    read_rows,
    write_archive,
)
from tests.bench.conftest import Run
from thresher.batch.model import Record
from thresher.batch.sinks import write_parquet


def row(id: str, **more: Any) -> dict[str, Any]:
    """Return what is compared of a record."""
    return {"id": id, "text": "rye", "error": None, **more}


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        ([row("b"), row("a")], None),
        ([row("a"), row("b"), row("a")], "1 records are there twice"),
        ([row("a")], "1 records for 2"),
        ([row("a"), row("c")], "record 1 is c, which is not expected"),
        ([row("a"), row("b", text="oats")], "text of b is 'oats' for 'rye'"),
        ([row("a"), row("b", error="TimeoutError")], "error of b is"),
    ],
)
def test_what_differs_is_a_fault(found: list[dict[str, Any]], fault: str | None) -> None:
    """Records are compared by their ids, in any order."""
    says = compare(found, [row("a"), row("b")], errors=False)
    assert says == fault or (fault is not None and (says or "").startswith(fault))


def test_records_of_a_batch_are_in_order() -> None:
    """The same records in another order are a fault of a batch."""
    found, expected = [row("b"), row("a")], [row("a"), row("b")]
    assert compare(expected, expected, errors=True, in_order=True) is None
    assert compare(found, expected, errors=True, in_order=True)


def test_after_kills_errors_may_differ() -> None:
    """A page that crashes may have lost its worker to a kill, so the message is another."""
    found, expected = [row("a", error="SIGKILL")], [row("a", error="SIGSEGV")]
    assert compare(found, expected, errors=False) is None
    assert (compare(found, expected, errors=True) or "").startswith("error of a is")


def test_the_archive_is_the_same_for_a_seed(tmp_path: Path) -> None:
    """It has a member for each record, of which one is damaged, and pages that crash."""
    paths = [tmp_path / "a.warc.gz", tmp_path / "b.warc.gz"]
    for path in paths:
        write_archive(path, 60, random.Random(1))
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert 60 == paths[0].read_bytes().count(b"\x1f\x8b\x08\x00")
    with pytest.raises((OSError, EOFError, zlib.error)):
        gzip.decompress(paths[0].read_bytes())


def test_records_are_read_without_what_differs_each_time(tmp_path: Path) -> None:
    """Time and source are left out, and the name of the archive, which is local or a URI."""
    records = [
        Record("s3://barn/a#damage-1", source="s3://barn/a", error="InputError: s3://barn/a: cut")
    ]
    write_parquet(records, tmp_path / "a.parquet")
    (found,) = read_rows([str(tmp_path / "a.parquet")], "s3://barn/a")
    assert ("ARCHIVE#damage-1", "InputError: ARCHIVE: cut") == (found["id"], found["error"])
    assert not {"elapsed_s", "source"} & set(found)


def test_the_store_refuses_some_requests() -> None:
    """It refuses as many as it was told to, and then none."""
    refuses = Refusals(random.Random(1), 3)
    assert 3 == sum(refuses("GET", "/barn/a") for _ in range(200)) == len(refuses.said)
    assert "GET a" == refuses.said[0]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it reads /proc")
def test_all_processes_of_a_job_are_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job's processes are found by what is in their environment, and none is left."""
    monkeypatch.setenv("THRESHER_KILLS", "rye-and-oats")
    process = subprocess.Popen(
        [sys.executable, "-c", "import time; print(flush=True); time.sleep(60)"],
        stdout=subprocess.PIPE,
    )
    with process:
        assert process.stdout and process.stdout.readline()
        assert process.pid in find_processes("rye-and-oats")
        assert process.pid not in find_processes("rye")
        assert os.getpid() == parent_of(process.pid)
        kill_all("rye-and-oats")
        assert -9 == process.wait()


def test_a_job_that_fails_undisturbed_is_an_error() -> None:
    """What it said is raised; with kills it is started again, up to a bound."""
    failing = [sys.executable, "-c", "raise SystemExit('no grain')"]
    with pytest.raises(RuntimeError, match="no grain"):
        Trial(failing).run()
    trial = Trial([sys.executable, "-c", ""], 1, random.Random(1), 1.0)
    with pytest.raises(RuntimeError, match="1 kills came too late"):
        trial.run()
    with pytest.raises(RuntimeError, match="a is there twice"):
        Trial(failing, 1, random.Random(1), 1.0, lambda: "a is there twice").run()


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it reads /proc")
def test_a_killed_batch_is_gone_on_with(run: Run) -> None:
    """Two kills are made and looked at, and the batch ends with all records, duplicates marked."""
    said = run(engine_kills, "--engine", "dedupe", "--records", "60", "--kills", "2", status=0)
    assert 2 == said.count(": 60 records; the same")
    assert "0 faults" in said


def test_main_exits_with_one_when_a_page_is_lost(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each trial is printed, with what is wrong after it."""
    row = ("job after 1.5 s", 39, "39 records for 40")
    monkeypatch.setattr(engine_kills, "try_engine", lambda *_: iter([row]))
    said = run(engine_kills, "--engine", "batch", "--records", "20", status=1)
    assert "batch: job after 1.5 s: 39 records; 39 records for 40" in said
