"""The tools in a process of their own, so that no page holds up or harms whoever serves them.

A page may hang, crash or eat memory, whatever is done against it. Then the process ends, the call
is told why, and the next call has a new process. Calls come one at a time.
"""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any, Final

from thresher.agents.tools import CHUNK_CHARS, EXTRACT_CHARS, Tools
from thresher.errors import LimitError, ThresherError
from thresher.fetching.limits import TIMEOUT_S, USER_AGENT
from thresher.limits import Limits
from thresher.support.confinement import limit_memory

__all__ = ["DEADLINE_S", "MAX_MEMORY_BYTES", "GuardedTools"]

DEADLINE_S: Final = 10.0
"""Seconds for each step of a call where none are asked for; the largest real pages take one."""
MAX_MEMORY_BYTES: Final = 2 * 2**30
"""Of the process: forty times the largest page that is read."""
_MAX_STEPS: Final = 6
"""Steps of a call with the deadline each: reading, metadata, verdict, outline, chunks, text."""
_GRACE_S: Final = 10.0
"""Seconds beyond these: to start a process, and by which work that looks at the clock is late."""


class _OutOfMemoryError(LimitError):
    """A page took all the memory that the process may have."""


class GuardedTools:
    """What `Tools` is, with the work done in a process that is started when there is some."""

    def __init__(
        self,
        timeout_s: float = TIMEOUT_S,
        limits: Limits | None = None,
        user_agent: str = USER_AGENT,
        *,
        call_s: float | None = None,
        max_memory_bytes: int | None = MAX_MEMORY_BYTES,
    ) -> None:
        """Take the limits of a page; ``call_s`` is when a call is given up: by default late.

        ``max_memory_bytes`` is for the process, None for as much as there is.
        """
        self.timeout_s = timeout_s
        self.limits = limits or Limits(deadline_s=DEADLINE_S)
        step_s = self.limits.deadline_s or DEADLINE_S
        self._call_s = call_s or timeout_s + _MAX_STEPS * step_s + _GRACE_S
        self._settings = (timeout_s, self.limits, user_agent, max_memory_bytes)
        self._lock = Lock()
        self._process: Any = None
        self._connection: Any = None

    def extract(
        self,
        url: str | None = None,
        html: str | None = None,
        format: str = "markdown",
        scope: str = "auto",
        max_chars: int = EXTRACT_CHARS,
    ) -> str:
        """Return what `Tools.extract` does."""
        return self._call("extract", url, html, format, scope, max_chars)

    def outline(
        self,
        url: str | None = None,
        html: str | None = None,
        scope: str = "auto",
        max_chars: int = CHUNK_CHARS,
    ) -> str:
        """Return what `Tools.outline` does."""
        return self._call("outline", url, html, scope, max_chars)

    def chunk(
        self,
        index: int,
        url: str | None = None,
        html: str | None = None,
        scope: str = "auto",
        max_chars: int = CHUNK_CHARS,
    ) -> str:
        """Return what `Tools.chunk` does."""
        return self._call("chunk", index, url, html, scope, max_chars)

    def close(self) -> None:
        """End the process, whatever it is at."""
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if process is not None:
            process.kill()
            process.join()
            connection.close()

    def _call(self, name: str, *arguments: object) -> str:
        """Have a tool called; raises what it raises, and ThresherError where its process dies."""
        with self._lock:
            if self._process is not None and not self._process.is_alive():
                self.close()
            if self._process is None:
                self._start()
            try:
                self._connection.send((name, arguments))
                if not self._connection.poll(self._call_s):
                    self.close()
                    raise LimitError("seconds of a call", limit=self._call_s)
                is_done, answer = self._connection.recv()
                if isinstance(answer, _OutOfMemoryError):
                    self.close()  # nobody knows how much of it is left in pieces
            except (EOFError, OSError) as error:
                self.close()
                raise ThresherError(
                    "the process that read this page died of it; the next page has a new one"
                ) from error
            except BaseException:
                self.close()  # an answer that is not waited for must not be the next call's
                raise
        if not is_done:
            raise answer
        return str(answer)

    def _start(self) -> None:
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, *self._settings), name="thresher-tools", daemon=True
        )
        self._process.start()
        theirs.close()  # so that its end is seen


def _serve(
    connection: Connection,
    timeout_s: float,
    limits: Limits,
    user_agent: str,
    max_memory_bytes: int | None,
) -> None:
    """Call tools until nobody asks any more; runs in the process."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever presses Ctrl-C talks to the parent
    if sys.platform != "win32":
        limit_memory(max_memory_bytes)
    tools = Tools(timeout_s, limits, user_agent)
    while True:
        try:
            name, arguments = connection.recv()
        except (EOFError, OSError):
            return
        try:
            answer: tuple[bool, object] = True, getattr(tools, name)(*arguments)
        except ThresherError as error:
            answer = False, error
        except MemoryError:
            answer = False, _OutOfMemoryError("bytes of memory", limit=max_memory_bytes or 0)
        except Exception as error:
            answer = False, ThresherError(f"{type(error).__name__}: {error}")
        connection.send(answer)
