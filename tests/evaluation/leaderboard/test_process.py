"""A worker that hangs, crashes or answers nonsense costs one page, never the run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest

from thresher.errors import ThresherError
from thresher.evaluation.leaderboard.process import Answer, Process

WORKER: Final = """
import json, os, signal, sys, time
print(json.dumps({"error": None}), flush=True)
for number, line in enumerate(sys.stdin):
    do = json.loads(line)["do"]
    if do == "hang":
        time.sleep(60)
    if do == "run out":
        os.kill(os.getpid(), signal.SIGPROF)
    if do == "die":
        os._exit(7)
    if do == "babble":
        print("babble", flush=True)
    print(json.dumps({"found": f"{do} {number}", "cpu_s": 0.5, "error": None}), flush=True)
"""


@pytest.fixture
def worker(tmp_path: Path) -> list[str]:
    """The command of a worker that follows instructions."""
    file = tmp_path / "worker.py"
    file.write_text(WORKER)
    return [sys.executable, str(file)]


def test_requests_answered_by_one_process(worker: list[str]) -> None:
    """A healthy process keeps running."""
    with Process(worker, deadline_s=20.0) as process:
        assert Answer("sow 0", 0.5) == process.ask({"do": "sow"})
        assert Answer("reap 1", 0.5) == process.ask({"do": "reap"})


def test_large_request(worker: list[str]) -> None:
    """A request may be larger than any pipe."""
    with Process(worker, deadline_s=20.0) as process:
        assert Answer("sow 0", 0.5) == process.ask({"do": "sow", "html": "x" * 3_000_000})


def test_worker_that_waits(worker: list[str]) -> None:
    """A process that hangs is ended by the wall clock; the next page gets a new one."""
    with Process(worker, deadline_s=0.2) as process:
        process.ask({"do": "sow"})
        assert Answer("", 0.2, "no answer in 0.2 s") == process.ask({"do": "hang"})
        assert Answer("sow 0", 0.5) == process.ask({"do": "sow"})


def test_deadline(worker: list[str]) -> None:
    """A process that ends itself at the deadline did not crash."""
    with Process(worker, deadline_s=7.0) as process:
        assert Answer("", 7.0, "no answer in 7 s") == process.ask({"do": "run out"})
        assert Answer("sow 0", 0.5) == process.ask({"do": "sow"})


def test_crash(worker: list[str]) -> None:
    """A process that dies is the page's error, with its status; the next page gets a new one."""
    with Process(worker, deadline_s=20.0) as process:
        process.ask({"do": "sow"})
        assert Answer("", 0.0, "the process died (status 7)") == process.ask({"do": "die"})
        assert Answer("sow 0", 0.5) == process.ask({"do": "sow"})


def test_nonsense(worker: list[str]) -> None:
    """An invalid answer is an error, and no later page gets it as its own."""
    with Process(worker, deadline_s=20.0) as process:
        assert "the process died" in (process.ask({"do": "babble"}).error or "")
        assert Answer("sow 0", 0.5) == process.ask({"do": "sow"})


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sys; sys.exit(3)", "cannot be started: the process died"),
        ('print(\'{"error": "no module"}\')', "cannot be started: no module"),
    ],
)
def test_worker_that_does_not_start(code: str, message: str) -> None:
    """A peer that cannot be loaded is distinct from a page it fails on."""
    with (
        Process([sys.executable, "-c", code], deadline_s=20.0) as process,
        pytest.raises(ThresherError, match=message),
    ):
        process.ask({})


def test_program_that_is_not_there(tmp_path: Path) -> None:
    """A missing interpreter is an error of ours."""
    with (
        Process([str(tmp_path / "absent")], deadline_s=20.0) as process,
        pytest.raises(ThresherError, match="cannot be started"),
    ):
        process.ask({})


def test_stop_of_what_never_ran() -> None:
    """There is nothing to stop before the first request."""
    assert Process(["never"], deadline_s=1.0).stop() is None
