"""Pool of worker processes, which isolates the server from the work on pages.

An event loop must not block, and a page may hang, crash or exhaust memory. So the work runs in
worker processes, one call at a time in each: a call that takes too long is killed with its process,
and no other call is affected. `anyio.to_process` manages the processes; they end with the event
loop.
"""

from __future__ import annotations

import math
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import anyio
import anyio.to_process
from anyio import BrokenWorkerProcess

from thresher.errors import LimitError, ThresherError, UsageError
from thresher.support.workers import ONE_CORE, limit_memory

_T = TypeVar("_T")

_START_S: Final = 30.0
"""Seconds for a process to start and load the engine: some fifty times the usual time."""
_NEWEST: Final = 1 / 16
"""Weight of the newest call in what calls usually take."""
_ORPHAN_GRACE_S: Final = 30.0
"""Seconds after its timeout at which a call ends its own process: the server has died."""


class BusyError(LimitError):
    """No process is free in time."""


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
        self._usual_s = 0.0
        """Moving average of the seconds for which a call has its process."""
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
        async with self.turn() as turn:
            return await turn.run(function, *args)

    @asynccontextmanager
    async def turn(self, max_wait_s: float = math.inf) -> AsyncIterator[Turn]:
        """Wait for a process, and hold it for the body of the ``async with``.

        Raises BusyError if none becomes free within ``max_wait_s``, at once if so many calls wait
        that none is likely to; ThresherError if the pool is closed.
        """
        if not self._free.available_tokens:
            likely_s = (self.n_waiting + 1) * self._usual_s / self.n_worker
            if likely_s > max_wait_s:
                raise BusyError("seconds of waiting", limit=max_wait_s, value=likely_s)
        asked_s = time.monotonic()
        try:
            with anyio.fail_after(max_wait_s):
                await self._free.acquire()
        except TimeoutError:
            raise BusyError("seconds of waiting", limit=max_wait_s) from None
        begun_s = time.monotonic()
        try:
            if self._is_closed:
                raise ThresherError("the server is shutting down")
            yield Turn(begun_s - asked_s, self._timeout_s, self._max_memory_bytes)
        finally:
            self._usual_s += (time.monotonic() - begun_s - self._usual_s) * _NEWEST
            self._free.release()

    async def warm(self) -> None:
        """Start the processes and load the engine in advance.

        Raises ThresherError if a process cannot be started.
        """
        try:
            async with anyio.create_task_group() as group:
                for _ in range(self.n_worker):
                    group.start_soon(self._warm_one)
        except ExceptionGroup as failures:
            raise ThresherError(
                f"cannot start a worker process: {failures.exceptions[0]}"
            ) from failures
        self._usual_s = 0.0  # later calls find the engine loaded

    async def close(self) -> None:
        """Reject new and waiting calls, and wait for the running ones."""
        self._is_closed = True
        places = [object() for _ in range(self.n_worker)]
        for place in places:
            await self._free.acquire_on_behalf_of(place)
        for place in places:
            self._free.release_on_behalf_of(place)

    async def _warm_one(self) -> None:
        async with self.turn() as turn:
            await replace(turn, timeout_s=max(_START_S, self._timeout_s)).run(_load_engine)


@dataclass(frozen=True, slots=True)
class Turn:
    """A process of a pool, held by whoever waited for it."""

    waited_s: float
    """Seconds until the process was free."""
    timeout_s: float
    max_memory_bytes: int | None

    async def run(self, function: Callable[..., _T], *args: object) -> _T:
        """Run a function in the process, as `Pool.run` does."""
        try:
            with anyio.fail_after(self.timeout_s):
                # The pool limits the calls; the limiter of `run_sync` must never block.
                return await anyio.to_process.run_sync(
                    _call,
                    function,
                    args,
                    self.timeout_s + _ORPHAN_GRACE_S,
                    self.max_memory_bytes,
                    cancellable=True,
                    limiter=anyio.CapacityLimiter(1),
                )
        except _RaisedError as raised:
            raise raised.error from None
        except TimeoutError:
            raise LimitError("seconds of work", limit=self.timeout_s) from None
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
    from thresher.extraction import extract

    document = extract("<p>The barn was full by night, and the rain came after that.</p>")
    assert document.markdown and document.verdict
