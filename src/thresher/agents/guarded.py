"""The tools in a separate process, so that no page can block or crash the server.

A page may hang, crash or exhaust memory despite all limits. Then the process ends, the call fails
with the reason, and the next call starts a new process. Calls are sequential.
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
from thresher.fetching.model import TIMEOUT_S, USER_AGENT
from thresher.limits import Limits
from thresher.roles import ScopeName
from thresher.support.confinement import limit_memory
from thresher.writers.formats import FormatName

__all__ = ["DEADLINE_S", "MAX_MEMORY_BYTES", "GuardedTools"]

DEADLINE_S: Final = 10.0
"""Default seconds per step of a call; the largest real pages take one."""
MAX_MEMORY_BYTES: Final = 2 * 2**30
"""Memory of the process: forty times the largest page accepted."""
_MAX_STEPS: Final = 6
"""Steps of a call, each with the deadline: reading, metadata, verdict, outline, chunks, text."""
_GRACE_S: Final = 10.0
"""Extra seconds, for starting a process and the granularity of deadline checks."""


class _OutOfMemoryError(LimitError):
    """A page exhausted the memory of the process."""


class GuardedTools:
    """The interface of `Tools`, with the work in a process that is started on demand."""

    def __init__(
        self,
        timeout_s: float = TIMEOUT_S,
        limits: Limits | None = None,
        user_agent: str = USER_AGENT,
        *,
        call_s: float | None = None,
        max_memory_bytes: int | None = MAX_MEMORY_BYTES,
    ) -> None:
        """Set the limits of a page; a call is aborted after ``call_s``, by default late.

        ``max_memory_bytes`` limits the process, None for no limit.
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
        format: FormatName = "markdown",
        scope: ScopeName = "auto",
        max_chars: int = EXTRACT_CHARS,
    ) -> str:
        """Return the result of `Tools.extract`."""
        return self._call("extract", url, html, format, scope, max_chars)

    def outline(
        self,
        url: str | None = None,
        html: str | None = None,
        scope: ScopeName = "auto",
        max_chars: int = CHUNK_CHARS,
    ) -> str:
        """Return the result of `Tools.outline`."""
        return self._call("outline", url, html, scope, max_chars)

    def chunk(
        self,
        index: int,
        url: str | None = None,
        html: str | None = None,
        scope: ScopeName = "auto",
        max_chars: int = CHUNK_CHARS,
    ) -> str:
        """Return the result of `Tools.chunk`."""
        return self._call("chunk", index, url, html, scope, max_chars)

    def close(self) -> None:
        """Kill the process, even if it is working."""
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if process is not None:
            process.kill()
            process.join()
            connection.close()

    def _call(self, name: str, *arguments: object) -> str:
        """Call a tool; raises its exceptions, and ThresherError if its process dies."""
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
                    self.close()  # memory may be fragmented
            except (EOFError, OSError) as error:
                self.close()
                raise ThresherError(
                    "the process that read this page died of it; the next page has a new one"
                ) from error
            except BaseException:
                self.close()  # a late answer must not be read by the next call
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
        theirs.close()  # so that EOF is seen when the process ends


def _serve(
    connection: Connection,
    timeout_s: float,
    limits: Limits,
    user_agent: str,
    max_memory_bytes: int | None,
) -> None:
    """Serve calls until the connection is closed; runs in the process."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
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
