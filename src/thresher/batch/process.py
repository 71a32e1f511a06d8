"""A worker process as its parent sees it: started, given items, listened to, and ended.

Nothing here ever waits for the worker: what its pipe does not take is kept until it does.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from thresher.batch.frames import DONE, FAILED, PIPE_BYTES, READY, STARTED, WORK, Frame, Frames
from thresher.batch.model import Item, Record
from thresher.errors import ThresherError
from thresher.support.confinement import ONE_CORE

__all__ = ["WorkItem", "WorkerProcess"]

_COMMAND: Final = (
    "import sys; sys.path[:] = sys.argv[3:]; from thresher.batch.worker import main; main()"
)
"""Not `multiprocessing`: that imports the main module of its parent again, whatever it does, and
inside an engine that is the engine's."""
_MAX_IN_FLIGHT: Final = 8
"""Items a worker is given ahead of its records."""
_MAX_IN_FLIGHT_BYTES: Final = PIPE_BYTES
"""The same in bytes: what its pipe holds. One item more than that may be on its way."""
_START_S: Final = 60.0
"""Seconds until it must be ready: a hundred times what a start takes on an idle machine."""
_EXIT_S: Final = 5.0
"""Seconds a process that has closed its pipe may take to end."""


@dataclass(frozen=True, slots=True)
class WorkItem:
    """An item, and which it is."""

    index: int
    item: Item


class WorkerProcess:
    """One worker process. Its pipes do not block."""

    def __init__(self, assignment: bytes) -> None:
        """Start it on a pickled `Assignment`; raises ThresherError where there is no process."""
        items_out, items_in = os.pipe()
        records_out, records_in = os.pipe()
        self.items_fd, self.records_fd = items_in, records_out
        command = [sys.executable, "-c", _COMMAND, str(items_out), str(records_in), *sys.path]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**os.environ, **ONE_CORE},
                pass_fds=(items_out, records_in),
                process_group=0,  # so that Ctrl-C reaches the parent alone
            )
        except OSError as error:
            self._close_pipes()
            raise ThresherError(f"no worker process could be started: {error}") from error
        finally:
            os.close(items_out)
            os.close(records_in)
        for fd in (items_in, records_out):
            os.set_blocking(fd, False)
            _widen(fd)
        self.tasks: deque[WorkItem] = deque()
        """What it was given and has not answered, in order."""
        self.is_ready = False
        self.has_started = False
        """Whether it is at work on the first of its tasks."""
        self.heard_at_s = time.monotonic()
        """When it last said anything, or was started."""
        self._n_byte = 0
        self._sizes: deque[int] = deque()
        self._unsent: deque[memoryview] = deque()
        self._frames = Frames()
        self._send(Frame(WORK, assignment))

    @property
    def has_room(self) -> bool:
        """Whether it takes another item without keeping it for long."""
        return len(self.tasks) < _MAX_IN_FLIGHT and self._n_byte < _MAX_IN_FLIGHT_BYTES

    @property
    def has_unsent(self) -> bool:
        """Whether something waits until its pipe takes it."""
        return bool(self._unsent)

    def give(self, task: WorkItem) -> None:
        """Hand it an item."""
        payload = pickle.dumps(task.item, pickle.HIGHEST_PROTOCOL)
        self.tasks.append(task)
        self._sizes.append(len(payload))
        self._n_byte += len(payload)
        self._send(Frame(WORK, payload))

    def flush(self) -> None:
        """Send what its pipe takes."""
        try:
            while self._unsent:
                n_byte = os.write(self.items_fd, self._unsent[0])
                self._unsent[0] = self._unsent[0][n_byte:]
                if not self._unsent[0]:
                    self._unsent.popleft()
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent.clear()  # it is dying; what it still says will be heard

    def listen(self) -> Iterator[tuple[WorkItem, Record]]:
        """Yield what it has done by now; EOFError behind that where it has ended.

        ThresherError where it says that it cannot work at all.
        """
        while True:
            try:
                piece = os.read(self.records_fd, PIPE_BYTES)
            except BlockingIOError:
                return
            if not piece:
                raise EOFError
            self.heard_at_s = time.monotonic()
            for frame in self._frames.add(piece):
                if frame.kind == FAILED:
                    raise ThresherError(f"no worker can start: {frame.payload.decode()}")
                if frame.kind == READY:
                    self.is_ready = True
                elif frame.kind == STARTED:
                    self.has_started = True
                elif frame.kind == DONE:
                    self.has_started = False
                    self._n_byte -= self._sizes.popleft()
                    yield self.tasks.popleft(), pickle.loads(frame.payload)

    def overdue_s(self, timeout_s: float) -> float:
        """Return the seconds beyond its time that it is silent; negative before that.

        That is the time for a page, or for its start; between two pages the clock does not run.
        """
        if self.is_ready and not self.has_started:
            return -timeout_s
        allowed_s = timeout_s if self.is_ready else _START_S
        return time.monotonic() - self.heard_at_s - allowed_s

    def end(self) -> None:
        """End it now."""
        self._process.kill()
        self._process.wait()
        self._close_pipes()

    def bury(self) -> str | None:
        """Clear up after it has ended; say what it died of, None where it ended by itself."""
        try:
            status = self._process.wait(_EXIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._close_pipes()
        if status >= 0:
            return f"it exited with {status}" if status or self.has_started else None
        if -status == signal.SIGKILL:
            return "SIGKILL, as the system sends where memory is short"
        known = {number.value: number.name for number in signal.Signals}
        return known.get(-status, f"signal {-status}")

    def _send(self, frame: Frame) -> None:
        self._unsent.extend(memoryview(piece) for piece in frame.pack() if piece)
        self.flush()

    def _close_pipes(self) -> None:
        os.close(self.items_fd)
        os.close(self.records_fd)


def _widen(fd: int) -> None:
    """Let a pipe hold `PIPE_BYTES`, where that can be set and is not too much for the user."""
    import fcntl  # noqa: PLC0415

    set_size = getattr(fcntl, "F_SETPIPE_SZ", None)
    if set_size is not None:
        try:
            fcntl.fcntl(fd, set_size, PIPE_BYTES)
        except OSError:
            return
