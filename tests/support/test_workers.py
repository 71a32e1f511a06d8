"""Worker processes: their answers, their ends, and limits that cannot be taken back."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from thresher.support.workers import (
    Worker,
    describe_death,
    find_descendants,
    kill_descendants,
    pack,
    unpack,
)

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")

HALF_GIB = 2**29


def confined(code: str) -> str:
    """Run a program behind the imports that it needs; return what it says."""
    program = f"import resource\nfrom thresher.support.workers import limit_memory\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}\n{program}"],
        check=True,
        capture_output=True,
        text=True,
        timeout=100,
    )
    return done.stdout.strip()


@on_linux
def test_memory_runs_out() -> None:
    """Allocation must fail above the limit and succeed below it, and core dumps must be off."""
    code = f"""
limit_memory({HALF_GIB})
bytearray({HALF_GIB // 4})
try:
    bytearray({HALF_GIB})
except MemoryError:
    print("no more", resource.getrlimit(resource.RLIMIT_CORE))
"""
    assert "no more (0, 0)" == confined(code)


@on_linux
def test_without_a_limit() -> None:
    """Memory stays as it was, and no core is dumped."""
    code = """
before = resource.getrlimit(resource.RLIMIT_DATA)
limit_memory(None)
print(before == resource.getrlimit(resource.RLIMIT_DATA), resource.getrlimit(resource.RLIMIT_CORE))
"""
    assert "True (0, 0)" == confined(code)


@on_linux
def test_a_narrower_limit_stays() -> None:
    """A system limit that is lower must not be raised."""
    code = f"""
resource.setrlimit(resource.RLIMIT_DATA, ({HALF_GIB}, {HALF_GIB}))
limit_memory({HALF_GIB * 2})
print(resource.getrlimit(resource.RLIMIT_DATA))
"""
    assert f"({HALF_GIB}, {HALF_GIB})" == confined(code)


ANSWER = """
import os, sys, time
for line in sys.stdin.buffer:
    word = line.strip()
    if word == b"die":
        os._exit(3)
    time.sleep(600 if word == b"hang" else 0)
    sys.stdout.buffer.write(word.upper() + b"\\n")
    sys.stdout.buffer.flush()
"""


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker([sys.executable, "-c", ANSWER], 10)
    yield made
    made.end()


def test_worker_answers_line_by_line(worker: Worker) -> None:
    """Answers come in order, one too long is cut, and a worker without more to do ends well."""
    for word in (b"rye\n", b"oats\n"):
        worker.send(word)
    assert [b"RYE\n", b"OATS\n"] == [worker.receive(60) for _ in range(2)]
    worker.send(b"barley and wheat\n")
    assert b"BARLEY AND" == worker.receive(60)
    assert worker.is_alive
    assert 0 == worker.end(60)
    assert not worker.is_alive


def test_worker_that_dies_answers_nothing(worker: Worker) -> None:
    """The empty line tells it from an answer, and its status what happened."""
    worker.send(b"die\n")
    assert b"" == worker.receive(60)
    assert "it exited with 3" == describe_death(worker.end(60))


def test_worker_that_hangs_is_killed(worker: Worker) -> None:
    """There is no answer in time, and it does not end by itself."""
    worker.send(b"hang\n")
    with pytest.raises(TimeoutError):
        worker.receive(0.1)
    assert "SIGKILL" in describe_death(worker.end(0.1))


def test_values_cross_between_processes() -> None:
    """A value is one line, and half of one is an error."""
    value = {"a": "\n" * 100, "b": (1, None)}
    assert value == unpack(pack(value))
    for line in (b"", pack(value)[:-1]):
        with pytest.raises(EOFError):
            unpack(line)


CHILD = """
import subprocess, sys
subprocess.Popen([sys.executable, "-c", sys.argv[1]], start_new_session=True).wait()
print("ended", flush=True)
"""
GRANDCHILD = "print('up', flush=True); import time; time.sleep(600)"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
def test_grandchildren_are_found_and_killed() -> None:
    """A process of a session of its own is found below its parent, and ends."""
    child = subprocess.Popen([sys.executable, "-c", CHILD, GRANDCHILD], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert b"up\n" == child.stdout.readline()
    (grandchild,) = find_descendants(child.pid)
    assert {child.pid, grandchild} <= set(find_descendants(os.getpid()))
    kill_descendants(child.pid)
    assert b"ended\n" == child.stdout.readline()
    child.wait()
    child.stdout.close()
