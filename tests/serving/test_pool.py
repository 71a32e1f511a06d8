"""Pool of worker processes: results, errors and limits."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("anyio", reason="the extra app is not installed")

import anyio

from thresher.errors import LimitError, ThresherError, UsageError
from thresher.serving.pool import BusyError, Pool


def use(
    work: Callable[[Pool], Awaitable[Any]],
    *,
    n_worker: int = 1,
    timeout_s: float = 60.0,
    max_memory_bytes: int | None = None,
) -> Any:
    """Run a function with a new pool."""

    async def run() -> Any:
        return await work(Pool(n_worker, timeout_s, max_memory_bytes))

    return anyio.run(run)


def test_run_gives_the_result_when_all_is_well() -> None:
    """A call runs in another process, which the next call reuses."""

    async def work(pool: Pool) -> tuple[int, int, int]:
        return await pool.run(pow, 2, 5), await pool.run(os.getpid), await pool.run(os.getpid)

    result, first, second = use(work)
    assert 32 == result
    assert os.getpid() != first
    assert first == second


def test_run_raises_when_the_function_does() -> None:
    """Errors of the function are raised unchanged, whatever their type."""

    async def work(pool: Pool) -> None:
        with pytest.raises(LimitError) as caught:
            await pool.run(raise_limit)
        assert (7, 9) == (caught.value.limit, caught.value.value)
        with pytest.raises(ValueError, match="invalid literal"):
            await pool.run(int, "grain")
        with pytest.raises(TimeoutError, match="of the function"):
            await pool.run(raise_timeout)
        with pytest.raises(ThresherError, match="SystemExit"):
            await pool.run(sys.exit, 3)
        assert 1 == await pool.run(abs, -1)

    use(work)


def test_run_raises_when_the_process_dies() -> None:
    """A crash raises an error, and the next call gets a new process."""

    async def work(pool: Pool) -> int:
        with pytest.raises(ThresherError, match="died"):
            await pool.run(os._exit, 9)
        return await pool.run(abs, -3)

    assert 3 == use(work)


@pytest.mark.slow
def test_run_raises_when_the_function_hangs() -> None:
    """A call that takes too long is killed without affecting others."""

    async def work(pool: Pool) -> tuple[list[object], bool]:
        await pool.warm()
        seen: list[object] = []

        async def hang() -> None:
            try:
                await pool.run(report_and_hang, "")
            except LimitError as error:
                seen.append(error.limit)

        async def count() -> None:
            seen.append(await pool.run(len, "grain"))

        async with anyio.create_task_group() as group:
            group.start_soon(hang)
            group.start_soon(count)
        return seen, pool.n_waiting == 0

    assert ([5, 1.5], True) == use(work, n_worker=2, timeout_s=1.5)


@pytest.mark.slow
def test_run_waits_when_no_process_is_free() -> None:
    """Calls wait for a free process, and waiting does not count towards the timeout."""

    async def work(pool: Pool) -> list[int]:
        await pool.warm()
        found: list[int] = []

        async def one() -> None:
            await pool.run(time.sleep, 0.4)
            found.append(await pool.run(os.getpid))

        async with anyio.create_task_group() as group:
            for _ in range(6):
                group.start_soon(one)
        return found

    found = use(work, timeout_s=1.5)
    assert 6 == len(found)
    assert 1 == len(set(found))


def test_turn_is_refused_when_the_queue_is_too_long() -> None:
    """Who gets no process in time is refused, and at once where that is likely; the others wait."""

    async def work(pool: Pool) -> int:
        waited: list[float] = []
        await pool.run(time.sleep, 0.1)
        is_over = anyio.Event()

        async def hold() -> None:
            async with pool.turn() as turn:
                waited.append(turn.waited_s)
                await is_over.wait()

        async with anyio.create_task_group() as group:
            group.start_soon(hold)
            await anyio.wait_all_tasks_blocked()
            with pytest.raises(BusyError), anyio.CancelScope() as scope:
                scope.cancel()  # which ends any wait
                async with pool.turn(1e-3):
                    pass
            pool._usual_s = 0.0
            with pytest.raises(BusyError):
                async with pool.turn(1e-3):
                    pass
            group.start_soon(hold)
            await anyio.wait_all_tasks_blocked()
            is_over.set()
        return len(waited)

    assert 2 == use(work)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_run_raises_when_memory_runs_out() -> None:
    """Exceeding the memory limit raises LimitError."""

    async def work(pool: Pool) -> None:
        await pool.warm()
        with pytest.raises(LimitError, match="memory"):
            await pool.run(bytearray, 2**31)

    use(work, max_memory_bytes=2**30)


def test_close_refuses_when_more_is_asked() -> None:
    """A closed pool rejects calls, and none is made with invalid numbers."""

    async def work(pool: Pool) -> None:
        assert 1 == await pool.run(abs, -1)
        await pool.close()
        with anyio.fail_after(30), pytest.raises(ThresherError, match="shutting down"):
            await pool.run(abs, -1)

    use(work)
    for numbers in ((0, 1.0, None), (1, 0.0, None), (1, 1.0, -1)):
        with pytest.raises(UsageError):
            Pool(*numbers)


def raise_limit() -> None:
    raise LimitError("bytes", limit=7, value=9)


def raise_timeout() -> None:
    raise TimeoutError("of the function")


def report_and_hang(_: str) -> None:
    time.sleep(600)
