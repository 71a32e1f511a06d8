"""The main loop of a worker process: items in through one pipe, records out through another.

A worker exits when its items end, after ``max_pages`` pages, or when a page exhausted its memory;
the guard then starts another one.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from thresher.batch.model import Item, Record, Settings
from thresher.batch.process import DONE, FAILED, READY, STARTED, Frame, Frames, send
from thresher.batch.work import describe_error, extract_item, failed
from thresher.support.workers import limit_memory

# Loaded before the first page, whose time and memory are limited.
from thresher.writers import markdown, text  # noqa: F401

Work = Callable[[Item, Settings], Record]
"""Returns the record of an item."""

_ORPHAN_GRACE_S: Final = 30
"""Seconds beyond the time limit of a page after which a worker exits by itself, as its parent must
be gone."""
_WARM_UP: Final = Item("", b"<p>The barn was full by night, and the rain came after that.</p>")
"""A page whose extraction loads all modules and weights, before memory is limited."""


class Assignment(NamedTuple):
    """The configuration of a worker."""

    work: Work
    settings: Settings
    processor_s: float
    """Seconds of processor time a page may take; then the system sends SIGPROF."""
    timeout_s: float
    """Seconds a page may take."""
    max_pages: int


def run(items_fd: int, records_fd: int) -> None:
    """Process items until they end."""
    # Ctrl-C is for the parent.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    frames = Frames().read(items_fd)
    try:
        assignment: Assignment = pickle.loads(next(frames).payload)
        extract_item(_WARM_UP, assignment.settings)
        _check_memory(assignment.settings.max_memory_bytes)
        limit_memory(assignment.settings.max_memory_bytes)
    except Exception as error:
        send(records_fd, Frame(FAILED, describe_error(error).encode("utf-8", "replace")))
        return
    send(records_fd, Frame(READY, b""))
    for n_page, frame in enumerate(frames, 1):
        send(records_fd, Frame(STARTED, b""))
        signal.setitimer(signal.ITIMER_PROF, assignment.processor_s)
        signal.setitimer(signal.ITIMER_REAL, assignment.timeout_s + _ORPHAN_GRACE_S)
        record, payload = _work(pickle.loads(frame.payload), assignment)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        send(records_fd, Frame(DONE, payload))
        # Where memory ran out, it may be fragmented.
        is_starved = record.error is not None and record.error.startswith(MemoryError.__name__)
        if is_starved or n_page >= assignment.max_pages:
            return


def _work(item: Item, assignment: Assignment) -> tuple[Record, bytes]:
    """Return the record of an item and its pickle; an error record for any exception."""
    try:
        record = assignment.work(item, assignment.settings)
        return record, pickle.dumps(record, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        message = describe_error(error)
    gc.collect()
    record = failed(item, assignment.settings, message, elapsed_s=0.0)
    return record, pickle.dumps(record, pickle.HIGHEST_PROTOCOL)


def _check_memory(max_bytes: int | None) -> None:
    """Raise MemoryError if this process already exceeds its memory limit."""
    if max_bytes is not None and (taken := _memory_bytes()) >= max_bytes:
        raise MemoryError(
            f"a worker has {taken:,} bytes before its first page, the limit is {max_bytes:,}"
            " (--max-memory)"
        )


def _memory_bytes() -> int:
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 0
    line = next(line for line in status.splitlines() if line.startswith("VmData:"))
    return int(line.split()[1]) * 1024


def main() -> None:
    """Run a worker with the pipes given on the command line; the module path follows them."""
    # Skip interpreter shutdown, which would wait for threads that a page left behind.
    try:
        run(int(sys.argv[1]), int(sys.argv[2]))
        os._exit(0)
    finally:  # the parent is gone, or knows that this worker is
        os._exit(1)
