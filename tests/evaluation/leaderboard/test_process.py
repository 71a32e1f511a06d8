"""A worker that hangs, crashes or returns invalid answers costs one page, never the run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest

from thresher.errors import ThresherError
from thresher.evaluation.leaderboard.peer_runs import PeerAnswer, Process

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
    """A command for a worker that follows instructions."""
    file = tmp_path / "worker.py"
    file.write_text(WORKER)
    return [sys.executable, str(file)]


def test_requests_answered_by_one_process(worker: list[str]) -> None:
    """A healthy process answers all requests."""
    with Process(worker, deadline_s=20.0) as process:
        assert PeerAnswer("sow 0", 0.5) == process.ask({"do": "sow"})
        assert PeerAnswer("reap 1", 0.5) == process.ask({"do": "reap"})


def test_large_request(worker: list[str]) -> None:
    """A request may be larger than the buffer of a pipe."""
    with Process(worker, deadline_s=20.0) as process:
        assert PeerAnswer("sow 0", 0.5) == process.ask({"do": "sow", "html": "x" * 3_000_000})


@pytest.mark.slow
def test_hanging_worker_is_stopped(worker: list[str]) -> None:
    """A process that hangs is stopped after a time limit; the next page gets a new one."""
    with Process(worker, deadline_s=0.2) as process:
        process.ask({"do": "sow"})
        assert PeerAnswer("", 0.2, "no answer in 0.2 s") == process.ask({"do": "hang"})
        assert PeerAnswer("sow 0", 0.5) == process.ask({"do": "sow"})


def test_deadline_is_not_a_crash(worker: list[str]) -> None:
    """A process that ends itself at the deadline is not reported as a crash."""
    with Process(worker, deadline_s=7.0) as process:
        assert PeerAnswer("", 7.0, "no answer in 7 s") == process.ask({"do": "run out"})
        assert PeerAnswer("sow 0", 0.5) == process.ask({"do": "sow"})


def test_crash_is_the_error_of_its_page(worker: list[str]) -> None:
    """A process that dies is an error of its page, with the exit status, and is replaced."""
    with Process(worker, deadline_s=20.0) as process:
        process.ask({"do": "sow"})
        assert PeerAnswer("", 0.0, "the process died (status 7)") == process.ask({"do": "die"})
        assert PeerAnswer("sow 0", 0.5) == process.ask({"do": "sow"})


def test_invalid_answer_is_an_error(worker: list[str]) -> None:
    """An invalid answer is an error, and is not used for any later page."""
    with Process(worker, deadline_s=20.0) as process:
        assert "the process died" in (process.ask({"do": "babble"}).error or "")
        assert PeerAnswer("sow 0", 0.5) == process.ask({"do": "sow"})


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sys; sys.exit(3)", "cannot be started: the process died"),
        ('print(\'{"error": "no module"}\')', "cannot be started: no module"),
    ],
)
def test_worker_that_does_not_start(code: str, message: str) -> None:
    """A peer that cannot be loaded is distinguished from one that fails on a page."""
    with (
        Process([sys.executable, "-c", code], deadline_s=20.0) as process,
        pytest.raises(ThresherError, match=message),
    ):
        process.ask({})


def test_missing_interpreter_is_an_error(tmp_path: Path) -> None:
    """A missing interpreter raises one of our own errors."""
    with (
        Process([str(tmp_path / "absent")], deadline_s=20.0) as process,
        pytest.raises(ThresherError, match="cannot be started"),
    ):
        process.ask({})


def test_stop_before_the_first_request() -> None:
    """Stopping before the first request does nothing."""
    assert Process(["never"], deadline_s=1.0).stop() is None
