"""Worker processes: every page gets one record, whatever it does to its worker."""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.batch.misbehaving import GOOD, misbehave
from thresher.batch.guard import Guard
from thresher.batch.model import Item, Record, Settings
from thresher.batch.process import DONE, STARTED, Frame, Frames, WorkerProcess, WorkItem
from thresher.batch.work import extract_item
from thresher.errors import ThresherError, UsageError
from thresher.limits import Limits

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="worker processes need POSIX")

PATIENT_S = 3.0
"""Time for a page which a busy machine does not run out of, and a test can wait for."""


def guard(n_worker: int = 1, timeout_s: float = 60, **options: int) -> Guard:
    """Create a guard whose workers do what a page asks for."""
    settings = Settings(max_memory_bytes=options.pop("max_memory_bytes", None))
    return Guard(settings, n_worker=n_worker, timeout_s=timeout_s, work=misbehave, **options)


def items_of(*bodies: str) -> list[Item]:
    """Create items with their numbers as ids."""
    return [Item(str(number), body) for number, body in enumerate(bodies)]


def is_alive(pid: int) -> bool:
    """Return whether a process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def timeless(records: list[Record]) -> list[Record]:
    """Return records without values that vary between runs."""
    return [replace(record, elapsed_s=0.0) for record in records]


@pytest.mark.slow
@pytest.mark.parametrize("n_worker", [1, 2])
def test_every_bad_page_is_one_error_record(n_worker: int) -> None:
    """A crash, exit, exception or hang gives one error record and affects no other page."""
    items = items_of(*[GOOD] * 30)
    bad = {
        0: ("segfault:", "ChildProcessError: its worker died: SIGSEGV"),
        3: ("exit:0", "ChildProcessError: its worker died: it exited with 0"),
        4: ("exit:3", "ChildProcessError: its worker died: it exited with 3"),
        9: ("raise:no grain", "RuntimeError: no grain"),
        15: ("junk:", "AttributeError: "),
        21: ("hang:", "TimeoutError: no answer within 3 s; its worker was killed"),
        29: ("segfault:", "ChildProcessError: its worker died: SIGSEGV"),
    }
    for number, (body, _) in bad.items():
        items[number] = replace(items[number], body=body)
    with guard(n_worker, PATIENT_S) as workers:
        records = list(workers.extract(items))
    assert [item.id for item in items] == [record.id for record in records]
    for number, record in enumerate(records):
        if number in bad:
            assert (record.error or "").startswith(bad[number][1])
            assert record.text is None
        else:
            assert record.error is None
            assert "sheaves" in (record.text or "")


def test_records_are_those_of_the_same_work_done_here() -> None:
    """Records from a worker equal those made in this process, except for their times."""
    items = [
        Item("a", GOOD, "https://example.org/a"),
        Item("b", GOOD.replace("early", "früh").encode("latin-1"), http_charset="latin-1"),
        Item("c", "\ud800"),
        Item("d", b""),
        Item("e", b"%PDF-1.7"),
    ]
    settings = Settings(formats=("text", "markdown", "html"))
    with Guard(settings) as workers:
        records = list(workers.extract(items))
    assert timeless([extract_item(item, settings) for item in items]) == timeless(records)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts all memory")
def test_a_page_that_eats_all_memory_is_an_error_record() -> None:
    """A page beyond the memory limit gets a MemoryError; the next page has a new worker."""
    with guard(max_memory_bytes=2**29) as workers:
        records = list(workers.extract(items_of("pid:", "eat:", "pid:", GOOD)))
    assert (records[1].error or "").startswith("MemoryError")
    assert records[0].text != records[2].text
    assert records[3].error is None


@pytest.mark.parametrize("n_worker", [1, 2])
def test_a_page_whose_worker_is_killed_is_tried_once_more(n_worker: int, tmp_path: Path) -> None:
    """Where the system kills a worker, its page and those queued behind it are extracted."""
    bodies = [GOOD, *(f"die once:{tmp_path / str(number)}" for number in range(3)), "pid:", GOOD]
    with guard(n_worker) as workers:
        records = list(workers.extract(items_of(*bodies)))
    assert [str(number) for number in range(6)] == [record.id for record in records]
    assert [None] * 6 == [record.error for record in records]
    assert 3 == len(list(tmp_path.iterdir()))


def test_a_page_that_is_tried_again_is_alone() -> None:
    """Another page is neither before it in its second worker, nor queued behind it."""
    first, again = WorkItem(0, Item("a", GOOD)), WorkItem(1, Item("b", GOOD), is_again=True)
    process = WorkerProcess(b"")
    try:
        process.give(first)
        assert process.has_room
        process.give(again)
        assert not process.has_room
    finally:
        process.end()


def test_processor_time_ends_a_page_that_looks_at_no_deadline() -> None:
    """The system kills its worker once the budget is spent, and the page is not tried again."""
    settings = Settings(limits=Limits(deadline_s=1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("thresher.batch.guard._GRACE_S", 0.1)
        with Guard(settings, timeout_s=100, work=misbehave) as workers:
            records = list(workers.extract(items_of("spin:", GOOD)))
    says = "TimeoutError: more than 1.1 s of processor time; its worker was killed"
    assert [says, None] == [record.error for record in records]


def test_waiting_is_no_processor_time() -> None:
    """A page that waits longer than its deadline, as on a busy machine, is extracted."""
    with Guard(Settings(limits=Limits(deadline_s=0.5)), work=misbehave) as workers:
        (record,) = workers.extract(items_of("nap:1"))
    assert record.error is None


@pytest.mark.slow
def test_a_stream_of_poison_ends() -> None:
    """Pages that all kill their workers are tried twice each, and no more."""
    with guard(2) as workers:
        records = list(workers.extract(items_of(*["segfault:"] * 12)))
    assert ["ChildProcessError: its worker died: SIGSEGV"] * 12 == [each.error for each in records]


@pytest.mark.slow
def test_pages_beyond_the_pipes_come_through() -> None:
    """Items and records larger than the pipes cause no deadlock."""
    filler = "<p>" + "The mill stood still. " * 100_000 + "</p>"
    items = items_of(*[GOOD + filler] * 4)
    with Guard(Settings(formats=("text", "html")), n_worker=2) as workers:
        records = list(workers.extract(items))
    assert [len(item.body) for item in items] == [record.n_bytes for record in records]
    assert all(len(record.html or "") > 2_000_000 for record in records)


def test_workers_are_replaced_after_their_pages() -> None:
    """A process is replaced after its maximum of pages, without losing records."""
    with guard(max_pages=3) as workers:
        records = list(workers.extract(items_of(*["pid:"] * 8)))
    pids = [record.text for record in records]
    assert [1, 1, 1, 2, 2, 2, 3, 3] == [len(set(pids[: index + 1])) for index in range(8)]


def test_workers_stay_from_one_stream_to_the_next() -> None:
    """A reused guard keeps its processes, and kills them when closed."""
    with guard() as workers:
        (first,) = workers.extract(items_of("pid:"))
        (second,) = workers.extract(items_of("pid:"))
        assert is_alive(int(first.text or ""))
    assert first.text == second.text
    assert not is_alive(int(first.text or ""))


def test_a_worker_that_dies_between_pages_costs_none() -> None:
    """A worker that dies while idle causes no error record."""
    with guard() as workers:
        (record,) = workers.extract(items_of("pid:"))
        os.kill(int(record.text or ""), signal.SIGKILL)
        (after,) = workers.extract(items_of(GOOD))
    assert after.error is None


def test_closing_the_generator_kills_workers() -> None:
    """Closing the generator kills busy workers immediately, even hanging ones."""
    with guard() as workers:
        records = workers.extract(items_of("pid:", "hang for good:", GOOD))
        pid = int(next(records).text or "")
        records.close()  # type: ignore[attr-defined]
        assert not is_alive(pid)
        assert [None] == [record.error for record in workers.extract(items_of(GOOD))]


def test_ctrl_c_ends_the_workers() -> None:
    """An interrupt while waiting leaves no process behind."""
    with guard() as workers:
        (record,) = workers.extract(items_of("pid:"))
        # Where the tests run in the background of a shell, interrupts are ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with pytest.raises(KeyboardInterrupt):
                list(workers.extract(items_of("interrupt:", "hang for good:")))
        finally:
            signal.signal(signal.SIGINT, before)
        assert not is_alive(int(record.text or ""))


def test_an_error_of_the_source_comes_after_its_records() -> None:
    """An exception of the source is raised after the records of the pages before it."""

    def source() -> Iterator[Item]:
        yield from items_of(GOOD, GOOD)
        raise OSError("the disk is gone")

    seen = []
    with guard() as workers, pytest.raises(OSError, match="the disk is gone"):
        for record in workers.extract(source()):
            seen.append(record.error)  # noqa: PERF401
    assert [None, None] == seen


def test_items_are_taken_as_needed() -> None:
    """An infinite source is read only a limited number of pages ahead."""
    taken = count()
    with guard() as workers:
        records = workers.extract(Item(str(number), GOOD) for number in taken)
        assert ["0", "1", "2"] == [next(records).id for _ in range(3)]
    assert next(taken) < 100


@pytest.mark.slow
def test_a_caller_that_is_slow_costs_no_page() -> None:
    """A slow caller does not cause timeouts."""
    with guard(timeout_s=PATIENT_S) as workers:
        records = workers.extract(items_of(*[GOOD] * 20, "nap:1", GOOD))
        first = next(records)
        time.sleep(PATIENT_S + 1)
        assert [None] * 22 == [record.error for record in (first, *records)]


def test_a_page_slower_than_the_others_keeps_its_place() -> None:
    """Records are in the order of the items, whichever worker finishes first."""
    with guard(2) as workers:
        records = list(workers.extract(items_of("nap:0.5", *[GOOD] * 20)))
    assert [str(number) for number in range(21)] == [record.id for record in records]


def test_workers_use_one_core_each() -> None:
    """Workers disable the threads of the array library."""
    with guard() as workers:
        (record,) = workers.extract(items_of("environment:OPENBLAS_NUM_THREADS"))
    assert record.text == "1"


def test_workers_that_cannot_start_are_an_error() -> None:
    """If no worker can start, an exception is raised instead of error records."""
    with (
        Guard(Settings(max_memory_bytes=2**20)) as workers,
        pytest.raises(
            ThresherError, match=r"no worker can start: MemoryError: .*1,048,576 \(--max"
        ),
    ):
        list(workers.extract(items_of(GOOD)))


def test_workers_without_pipes_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where too many files are open, the error is our own, and no pipe stays open."""
    open_pipe, opened = os.pipe, list[tuple[int, int]]()

    def pipe() -> tuple[int, int]:
        if opened:
            raise OSError(errno.EMFILE, "Too many open files")
        opened.append(open_pipe())
        return opened[0]

    monkeypatch.setattr(os, "pipe", pipe)
    with (
        Guard(Settings()) as guard,
        pytest.raises(ThresherError, match=r"could be started: .*Too many open files"),
    ):
        list(guard.extract([Item("a", GOOD)]))
    for number in opened[0]:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(number)


def test_invalid_arguments_raise_usage_error() -> None:
    """Invalid settings, numbers below 1 and two streams at a time raise UsageError."""
    with pytest.raises(UsageError, match='unknown method "winnow"'):
        Guard(Settings(method=cast("Any", "winnow")))
    with pytest.raises(UsageError, match="n_worker"):
        Guard(Settings(), n_worker=0)
    with guard() as workers:
        records = workers.extract(items_of(GOOD, GOOD))
        next(records)
        with pytest.raises(UsageError, match="one stream"):
            next(workers.extract(items_of(GOOD)))


def test_the_deadline_of_the_settings_is_kept_without_a_kill() -> None:
    """A slow page ends by its own deadline, without killing the process."""
    with Guard(Settings(limits=Limits(deadline_s=1e-6))) as workers:
        (record,) = workers.extract(items_of(GOOD))
    assert (record.error or "").startswith("LimitError: seconds of work")


frames = st.builds(Frame, st.sampled_from((DONE, STARTED)), st.binary(max_size=40))


@given(st.lists(frames), st.integers(1, 30), st.integers(0, 8))
def test_frames_come_out_as_they_went_in(sent: list[Frame], n_byte: int, n_cut: int) -> None:
    """All frames are reassembled from any pieces, and incomplete ones are not returned."""
    stream = b"".join(piece for frame in sent for piece in frame.pack())
    stream += b"".join(Frame(DONE, b"never sent").pack())[:n_cut]
    reader = Frames()
    pieces = (stream[at : at + n_byte] for at in range(0, len(stream), n_byte))
    assert sent == [frame for piece in pieces for frame in reader.add(piece)]
