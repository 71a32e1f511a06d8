"""A peer as a process: asked page by page, with a deadline, and restarted when it dies.

The deadline is in processor seconds, enforced by the worker: on a busy machine a peer must not lose
pages because of other processes. For a worker that waits, or cannot measure, there is a wall-clock
limit.
"""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import IO, Any, Final

from thresher.errors import ThresherError

__all__ = ["PeerAnswer", "Process"]

START_TIMEOUT_S: Final = 300.0
"""Seconds a peer may take to load: some take five, and many more on a busy machine."""
WALL_SECONDS: Final = 10.0
"""Seconds to wait for each processor second of the deadline."""
_OUT_OF_TIME: Final = -int(getattr(signal, "SIGPROF", 0))
"""Exit status of a worker that was ended at its deadline."""


@dataclass(frozen=True, slots=True)
class PeerAnswer:
    """A peer's answer for a page."""

    found: str
    cpu_s: float
    """Processor seconds; the deadline if it was missed, 0 if the process died."""
    error: str | None = None


class Process:
    """A worker process that answers requests, one JSON object per line.

    Use it in a ``with`` statement; it starts with the first request.
    """

    def __init__(self, command: Sequence[str], *, deadline_s: float) -> None:
        self._command = list(command)
        self._deadline_s = deadline_s
        self._running: subprocess.Popen[bytes] | None = None
        self._lines: SimpleQueue[bytes] = SimpleQueue()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def ask(self, request: Mapping[str, Any]) -> PeerAnswer:
        """Send one request and wait for its answer; a hang or a crash becomes the answer's error.

        Raises ThresherError if the worker cannot be started.
        """
        running = self._running or self._start()
        try:
            assert running.stdin is not None
            running.stdin.write(json.dumps(request).encode("ascii") + b"\n")
            running.stdin.flush()
            line = self._lines.get(timeout=self._deadline_s * WALL_SECONDS)
        except OSError:
            line = b""
        except Empty:
            self.stop()
            return self._missed()
        try:
            fields = json.loads(line)
            return PeerAnswer(fields["found"], fields["cpu_s"], fields["error"])
        except (ValueError, LookupError, TypeError):
            status = self.stop()
            if status and status == _OUT_OF_TIME:
                return self._missed()
            return PeerAnswer("", 0.0, f"the process died (status {status})")

    def stop(self) -> int | None:
        """End the process, if there is one, and return its exit status."""
        running, self._running = self._running, None
        if running is None:
            return None
        with suppress(OSError):
            assert running.stdin is not None
            running.stdin.close()
        try:
            # It may already be exiting: its own status explains why, that of a kill does not.
            return running.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            running.kill()
            return running.wait()

    def _missed(self) -> PeerAnswer:
        return PeerAnswer("", self._deadline_s, f"no answer in {self._deadline_s:g} s")

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            running = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise ThresherError(f"cannot be started: {error}") from error
        self._running, self._lines = running, SimpleQueue()
        assert running.stdout is not None
        reader = threading.Thread(target=_read, args=(running.stdout, self._lines), daemon=True)
        reader.start()
        try:
            problem = json.loads(self._lines.get(timeout=START_TIMEOUT_S))["error"]
        except Empty:
            problem = f"not loaded in {START_TIMEOUT_S:g} s"
        except (ValueError, LookupError, TypeError):
            problem = "the process died"
        if problem:
            self.stop()
            raise ThresherError(f"cannot be started: {problem}")
        return running


def _read(stream: IO[bytes], lines: SimpleQueue[bytes]) -> None:
    """Pass on lines until the stream ends, then an empty one."""
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(b"")
