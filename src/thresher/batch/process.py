"""A worker process from its parent's side, and the frames that both sides exchange over pipes.

A frame is a letter, a length and a payload; a process that dies leaves at most a partial one, which
is never read as a whole one. No call blocks on the worker: data that its pipe does not accept is
queued.
"""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from thresher.batch.model import Item, Record
from thresher.errors import ThresherError
from thresher.support.workers import ONE_CORE, describe_death, python_command

_WORK: Final = b"W"
"""To a worker: its assignment first, then one item each."""
READY: Final = b"R"
"""From a worker: it is ready."""
STARTED: Final = b"S"
"""From a worker: it has started the next item."""
DONE: Final = b"D"
"""From a worker: the record of that item."""
FAILED: Final = b"F"
"""From a worker: it cannot start; the payload says why."""

_PIPE_BYTES: Final = 2**20
"""Pipe capacity, where it can be set: Linux allows 1 MiB to any user, enough for five typical
pages, so that a worker need not wait for its next page."""

_HEADER: Final = struct.Struct("<cQ")


class Frame(NamedTuple):
    """One message."""

    kind: bytes
    payload: bytes

    def pack(self) -> tuple[bytes, bytes]:
        """Return the bytes to send, as two pieces to avoid copying a large payload."""
        return _HEADER.pack(self.kind, len(self.payload)), self.payload


class Frames:
    """Assembles frames from the bytes read from a pipe."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def add(self, piece: bytes) -> Iterator[Frame]:
        """Append bytes; yield the frames that they complete."""
        self._buffer += piece
        while len(self._buffer) >= _HEADER.size:
            kind, n_byte = _HEADER.unpack_from(self._buffer)
            end = _HEADER.size + n_byte
            if len(self._buffer) < end:
                return
            payload = bytes(memoryview(self._buffer)[_HEADER.size : end])
            del self._buffer[:end]
            yield Frame(kind, payload)

    def read(self, fd: int) -> Iterator[Frame]:
        """Yield the frames of a blocking pipe until it is closed."""
        while piece := os.read(fd, _PIPE_BYTES):
            yield from self.add(piece)


def send(fd: int, frame: Frame) -> None:
    """Write a frame to a blocking pipe."""
    for piece in frame.pack():
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(fd, rest) :]


_MAX_IN_FLIGHT: Final = 8
"""Unanswered items per worker."""
_MAX_IN_FLIGHT_BYTES: Final = _PIPE_BYTES
"""The same in bytes: the capacity of its pipe, which one further item may exceed."""
_START_S: Final = 60.0
"""Seconds to become ready: a hundred times the start on an idle machine."""
_EXIT_S: Final = 5.0
"""Seconds to exit after closing its pipe."""


@dataclass(frozen=True, slots=True)
class WorkItem:
    """An item and its index in the input."""

    index: int
    item: Item
    is_again: bool = False
    """Whether its first worker died; it is then alone in its next one."""


class WorkerProcess:
    """One worker process. Its pipes do not block."""

    def __init__(self, assignment: bytes) -> None:
        """Start it with a pickled `Assignment`; ThresherError if that fails."""
        items_out, items_in = _open_pipe()
        try:
            records_out, records_in = _open_pipe()
        except ThresherError:
            os.close(items_out)
            os.close(items_in)
            raise
        self.items_fd, self.records_fd = items_in, records_out
        command = python_command("thresher.batch.worker", str(items_out), str(records_in))
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
        """Unanswered items, in order."""
        self.is_ready = False
        self.has_started = False
        """Whether it has started the first of its tasks."""
        self.heard_at_s = time.monotonic()
        """Time of its last message, or of its start."""
        self._n_byte = 0
        self._sizes: deque[int] = deque()
        self._unsent: deque[memoryview] = deque()
        self._frames = Frames()
        self._send(Frame(_WORK, assignment))

    @property
    def has_room(self) -> bool:
        """True if the process accepts another item."""
        if self.tasks and self.tasks[-1].is_again:
            return False
        return len(self.tasks) < _MAX_IN_FLIGHT and self._n_byte < _MAX_IN_FLIGHT_BYTES

    @property
    def has_unsent(self) -> bool:
        """True if data is queued for the pipe."""
        return bool(self._unsent)

    def give(self, task: WorkItem) -> None:
        """Send an item."""
        payload = pickle.dumps(task.item, pickle.HIGHEST_PROTOCOL)
        self.tasks.append(task)
        self._sizes.append(len(payload))
        self._n_byte += len(payload)
        self._send(Frame(_WORK, payload))

    def flush(self) -> None:
        """Write as much queued data as its pipe accepts."""
        try:
            while self._unsent:
                n_byte = os.write(self.items_fd, self._unsent[0])
                self._unsent[0] = self._unsent[0][n_byte:]
                if not self._unsent[0]:
                    self._unsent.popleft()
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent.clear()  # it is dying; its remaining messages will be read

    def listen(self) -> Iterator[tuple[WorkItem, Record]]:
        """Yield the records received so far; then EOFError if it has exited.

        ThresherError if it reports that it cannot start.
        """
        while True:
            try:
                piece = os.read(self.records_fd, _PIPE_BYTES)
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
        """Return the seconds by which it exceeds its time limit; negative before that.

        The limit is for a page, or for its start; idle time does not count.
        """
        if self.is_ready and not self.has_started:
            return -timeout_s
        allowed_s = timeout_s if self.is_ready else _START_S
        return time.monotonic() - self.heard_at_s - allowed_s

    def end(self) -> None:
        """Kill it."""
        self._process.kill()
        self._process.wait()
        self._close_pipes()

    def bury(self) -> str | None:
        """Clean up after it has exited; return its cause of death, None if it exited normally."""
        try:
            status = self._process.wait(_EXIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._close_pipes()
        return None if status == 0 and not self.has_started else describe_death(status)

    def _send(self, frame: Frame) -> None:
        self._unsent.extend(memoryview(piece) for piece in frame.pack() if piece)
        self.flush()

    def _close_pipes(self) -> None:
        os.close(self.items_fd)
        os.close(self.records_fd)


def _open_pipe() -> tuple[int, int]:
    try:
        return os.pipe()
    except OSError as error:  # too many files are open
        raise ThresherError(f"no worker process could be started: {error}") from error


def _widen(fd: int) -> None:
    """Set the capacity of a pipe to `_PIPE_BYTES`, if the system supports and permits it."""
    import fcntl

    if (set_size := getattr(fcntl, "F_SETPIPE_SZ", None)) is not None:
        with suppress(OSError):
            fcntl.fcntl(fd, set_size, _PIPE_BYTES)
