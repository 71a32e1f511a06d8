"""The tools in a separate process, so that no page can block or crash the server.

A page may hang, crash or exhaust memory despite all limits. Then the process ends, the call fails
with the reason, and the next call starts a new process. Calls are sequential.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from threading import Lock
from typing import Concatenate, Final, ParamSpec

from thresher.agents.tools import Tools
from thresher.errors import LimitError, ThresherError
from thresher.fetching.model import TIMEOUT_S, USER_AGENT
from thresher.limits import Limits
from thresher.support.workers import Worker, limit_memory, pack, python_command, unpack

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


_P = ParamSpec("_P")


def _remote(
    tool: Callable[Concatenate[Tools, _P], str],
) -> Callable[Concatenate[GuardedTools, _P], str]:
    """Return a tool that does its work in the process."""

    @wraps(tool)
    def call(self: GuardedTools, /, *arguments: _P.args, **options: _P.kwargs) -> str:
        return self._call(tool.__name__, arguments, options)

    return call


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
        self._worker: Worker | None = None

    extract = _remote(Tools.extract)
    outline = _remote(Tools.outline)
    chunk = _remote(Tools.chunk)

    def close(self) -> None:
        """Kill the process, even if it is working."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()

    def _call(self, name: str, arguments: tuple[object, ...], options: dict[str, object]) -> str:
        with self._lock:
            if self._worker is not None and not self._worker.is_alive:
                self.close()
            try:
                if self._worker is None:
                    self._worker = Worker(python_command(__name__), stderr=None)
                    self._worker.send(pack(self._settings))
                self._worker.send(pack((name, arguments, options)))
                is_done, answer = unpack(self._worker.receive(self._call_s))
                if isinstance(answer, _OutOfMemoryError):
                    self.close()  # memory may be fragmented
            except TimeoutError:
                self.close()
                raise LimitError("seconds of a call", limit=self._call_s) from None
            except (EOFError, OSError) as error:
                self.close()
                raise ThresherError(
                    "the process that read this page died; the next page gets a new one"
                ) from error
            except BaseException:
                self.close()  # a late answer must not be read by the next call
                raise
        if not is_done:
            raise answer
        return str(answer)


def main() -> None:
    """Answer calls until there are no more; runs in the process."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    calls, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what prints must not be taken for an answer
    timeout_s, limits, user_agent, max_memory_bytes = unpack(calls.readline())
    if sys.platform != "win32":
        limit_memory(max_memory_bytes)
    tools = Tools(timeout_s, limits, user_agent)
    for line in calls:
        name, arguments, options = unpack(line)
        try:
            answer: tuple[bool, object] = True, getattr(tools, name)(*arguments, **options)
        except ThresherError as error:
            answer = False, error
        except MemoryError:
            answer = False, _OutOfMemoryError("bytes of memory", limit=max_memory_bytes or 0)
        except Exception as error:
            answer = False, ThresherError(f"{type(error).__name__}: {error}")
        answers.write(pack(answer))
        answers.flush()
