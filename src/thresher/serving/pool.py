"""Pool of worker processes, which isolates the server from the work on pages.

An event loop must not block, and a page may hang, crash or exhaust memory. So the work runs in
worker processes, one call at a time in each: a call that takes too long is killed with its process,
and no other call is affected. `anyio.to_process` manages the processes; they end with the event
loop.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Final, TypeVar

import anyio
import anyio.to_process
from anyio import BrokenWorkerProcess

from thresher.errors import LimitError, ThresherError, UsageError
from thresher.support.confinement import ONE_CORE, limit_memory

__all__ = ["Pool"]

_T = TypeVar("_T")

_START_S: Final = 30.0
"""Seconds for a process to start and load the engine: some fifty times the usual time."""
_ORPHAN_GRACE_S: Final = 30.0
"""Seconds after its timeout at which a call ends its own process: the server has died."""


class Pool:
    """Up to ``n_worker`` processes with one call each; further calls wait.

    A call may take ``timeout_s`` seconds from when it gets a process, and its process may use
    ``max_memory_bytes`` (None: unlimited; on Linux only). For use in one event loop. Raises
    UsageError for invalid numbers.
    """

    def __init__(self, n_worker: int, timeout_s: float, max_memory_bytes: int | None) -> None:
        if n_worker < 1 or not timeout_s > 0 or (max_memory_bytes or 1) < 1:
            raise UsageError("n_worker, timeout_s and max_memory_bytes must be above 0")
        self.n_worker = n_worker
        self._timeout_s = timeout_s
        self._max_memory_bytes = max_memory_bytes
        self._free = anyio.CapacityLimiter(n_worker)
        self._is_closed = False
        for name, value in ONE_CORE.items():
            os.environ.setdefault(name, value)  # inherited by the processes

    @property
    def n_waiting(self) -> int:
        """Number of calls that wait for a process."""
        return self._free.statistics().tasks_waiting

    async def run(self, function: Callable[..., _T], *args: object) -> _T:
        """Run a module-level function in a process; arguments and result are pickled.

        Raises whatever the function raises; LimitError if it takes too long or too much memory;
        ThresherError if its process died or the pool is closed.
        """
        return await self._run(self._timeout_s, function, *args)

    async def warm(self) -> None:
        """Start the processes and load the engine in advance.

        Raises ThresherError if a process cannot be started.
        """
        try:
            async with anyio.create_task_group() as group:
                for _ in range(self.n_worker):
                    group.start_soon(self._run, max(_START_S, self._timeout_s), _load_engine)
        except ExceptionGroup as failures:
            raise ThresherError(
                f"cannot start a worker process: {failures.exceptions[0]}"
            ) from failures

    async def close(self) -> None:
        """Reject new and waiting calls, and wait for the running ones."""
        self._is_closed = True
        places = [object() for _ in range(self.n_worker)]
        for place in places:
            await self._free.acquire_on_behalf_of(place)
        for place in places:
            self._free.release_on_behalf_of(place)

    async def _run(self, timeout_s: float, function: Callable[..., _T], *args: object) -> _T:
        async with self._free:
            if self._is_closed:
                raise ThresherError("the server is shutting down")
            try:
                with anyio.fail_after(timeout_s):
                    # `self._free` limits the calls; the limiter of `run_sync` must never block.
                    return await anyio.to_process.run_sync(
                        _call,
                        function,
                        args,
                        timeout_s + _ORPHAN_GRACE_S,
                        self._max_memory_bytes,
                        cancellable=True,
                        limiter=anyio.CapacityLimiter(1),
                    )
            except _RaisedError as raised:
                raise raised.error from None
            except TimeoutError:
                raise LimitError("seconds of work", limit=timeout_s) from None
            except BrokenWorkerProcess:
                raise ThresherError("the worker process of this page died") from None


class _RaisedError(Exception):
    """Wrapper of an error raised by the function itself, as opposed to the pool."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


def _call(
    function: Callable[..., _T],
    args: tuple[object, ...],
    alarm_s: float,
    max_memory_bytes: int | None,
) -> _T:
    """Call a function in a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the server
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, alarm_s)
    try:
        if max_memory_bytes is not None and sys.platform == "linux":
            limit_memory(max_memory_bytes)
        return function(*args)
    except MemoryError as error:
        limit = LimitError("bytes of memory", limit=max_memory_bytes or 0)
        raise _RaisedError(limit if max_memory_bytes else error) from None
    except Exception as error:
        raise _RaisedError(error) from None
    except BaseException as error:  # such as SystemExit, which must not reach the server
        raise _RaisedError(ThresherError(f"the work was aborted: {type(error).__name__}")) from None
    finally:
        if sys.platform != "win32":
            signal.setitimer(signal.ITIMER_REAL, 0)


def _load_engine() -> None:
    """Extract a page, to load all modules and models."""
    from thresher.extraction import extract  # noqa: PLC0415

    document = extract("<p>The barn was full by night, and the rain came after that.</p>")
    assert document.markdown and document.verdict
