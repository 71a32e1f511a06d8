"""Worker processes, in which pages are read that may hang, crash or exhaust memory.

Here is what they all have in common: how they are asked and ended, what they died of, and their
limits. `thresher.batch.guard` keeps several busy at a time, `thresher.serving.pool` has one for
each request, and `Worker` answers one question after the other.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import weakref
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any, Final

ONE_CORE: Final[Mapping[str, str]] = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
"""Environment of a worker: threads that wait for each other on a busy core cost more than
they gain for arrays of this size."""
_RUN: Final = (
    "import sys; sys.path[:] = sys.argv[sys.argv.index('--') + 1:]; from {module} import main; "
    "main()"
)


def python_command(module: str, *arguments: str) -> list[str]:
    """Return the command that calls `main` of a module, which finds ``arguments`` in `sys.argv`.

    It does without `multiprocessing`, which imports the parent's main module again; inside an
    engine that is the engine's.
    """
    return [sys.executable, "-c", _RUN.format(module=module), *arguments, "--", *sys.path]


class Worker:
    """A process that answers each line on its standard input with one on its standard output.

    It is killed when it is no longer referred to, and when this process ends.
    """

    def __init__(self, command: Sequence[str], max_bytes: int = -1, **options: Any) -> None:
        """Start it, or raise OSError; ``options`` are those of `subprocess.Popen`.

        An answer longer than ``max_bytes`` is cut there.
        """
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process: subprocess.Popen[bytes] = subprocess.Popen(command, **{**pipes, **options})
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        arguments = (self.process.stdout, max_bytes, self._lines)
        Thread(target=_read_lines, args=arguments, name="thresher-worker", daemon=True).start()
        weakref.finalize(self, self.process.kill)

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        return self.process.poll() is None

    def send(self, line: bytes) -> None:
        """Send a line; OSError if it has died."""
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def receive(self, timeout_s: float) -> bytes:
        """Return the next line, the empty one if it has died; TimeoutError if there is none."""
        try:
            return self._lines.get(timeout=timeout_s)
        except Empty:
            raise TimeoutError from None

    def end(self, patience_s: float = 0.0) -> int:
        """Close its input, and kill it with all below it unless it ends soon; return its status.

        It may already be exiting: its own status explains why, that of a kill does not.
        """
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()
        try:
            return self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            kill_descendants(self.process.pid)
            self.process.kill()
            return self.process.wait()


def _read_lines(stream: IO[bytes], max_bytes: int, lines: SimpleQueue[bytes]) -> None:
    """Pass on lines until the stream ends, then an empty one."""
    with stream:
        while line := stream.readline(max_bytes):
            lines.put(line)
    lines.put(b"")


def pack(value: object) -> bytes:
    """Pickle a value to one line."""
    return b64encode(pickle.dumps(value, pickle.HIGHEST_PROTOCOL)) + b"\n"


def unpack(line: bytes) -> Any:
    """Return the value of a line of a process of ours; EOFError if it is empty or cut."""
    if not line.endswith(b"\n"):
        raise EOFError
    return pickle.loads(b64decode(line))


def describe_death(status: int) -> str:
    """Return what a process died of, by its exit status."""
    if status >= 0:
        return f"it exited with {status}"
    if -status == getattr(signal, "SIGKILL", None):
        return "SIGKILL, as the system sends where memory is short"
    names = {number.value: number.name for number in signal.Signals}
    return names.get(-status, f"signal {-status}")


def find_descendants(pid: int) -> list[int]:
    """Return the processes below one, as far as ``/proc`` tells; nothing where there is none."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):  # it has just ended
            # The name before the last bracket may contain anything.
            fields = entry.read_text("latin-1").rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    descendants: list[int] = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        descendants += below
        waiting += below
    return descendants


def kill_descendants(pid: int) -> None:
    """Kill the processes below one, but not the process itself.

    Some, such as Chromium, run in a process group of their own, so ending the group of their parent
    would leave them.
    """
    if os.name != "posix":
        return  # there Chromium ends when its pipe to Playwright closes
    for descendant in find_descendants(pid):
        with suppress(OSError):
            os.kill(descendant, signal.SIGKILL)


def limit_memory(max_bytes: int | None) -> None:
    """Limit the memory of this process (None: unlimited), and disable core dumps.

    ``RLIMIT_DATA`` counts private writable memory (Linux 4.7 and newer); ``RLIMIT_AS`` would also
    count libraries and address space that is only reserved. A lower limit stays. Raises ImportError
    on Windows.
    """
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # thousands of bad pages would fill a disk
    if max_bytes is None:
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard == resource.RLIM_INFINITY or hard > max_bytes:
        resource.setrlimit(resource.RLIMIT_DATA, (max_bytes, hard))
