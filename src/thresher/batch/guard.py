"""The guard: worker processes that isolate pages which crash, hang or exhaust memory.

Such a page is tried once more, alone in a fresh worker, as the worker may have been killed for
another's sake; then it becomes an error record. All other pages are extracted. The responsible page
is known, as a worker reports when it starts a page; the pages queued behind it are given to another
worker. A budget of processor time, which the system keeps, decides on slow pages, and wall-clock
time only on those that wait for ever: so no record depends on what else the machine does.

A single thread sends items, receives records and checks timeouts, and never blocks on a hanging
worker. The two pipes of each worker buffer a few pages and records, so that workers continue while
the caller writes a file.
"""

from __future__ import annotations

import pickle
import select
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, Self

from thresher.batch.model import Item, Record, Settings
from thresher.batch.process import WorkerProcess, WorkItem
from thresher.batch.work import extract_item, failed, scope_of
from thresher.batch.worker import Assignment, Work
from thresher.errors import ThresherError, UsageError

_PROCESSOR_S: Final = 60.0
"""Seconds of processor time per page if the settings have no deadline."""
_GRACE_S: Final = 5.0
"""The same after the deadline, which the work itself checks, until its process is killed."""
_MAX_LOAD: Final = 20
"""Seconds per second of processor time until a page that uses none is given up."""
_BUDGET: Final = "SIGPROF"
"""How a worker dies whose page exceeds its processor time."""
_MAX_PAGES: Final = 10_000
"""Pages per process. A start costs 0.4 s, so the overhead is half a per mille."""
_MAX_AHEAD: Final = 512
"""Finished records per worker, about 10 kB each, that may wait for an earlier, slower page."""
_MAX_ATTEMPTS: Final = 3
"""Consecutive processes that may die before starting a page, as when memory is briefly short."""
_NO_START: Final = "it does not get ready"


class Guard:
    """Extracts pages in worker processes, on Linux and macOS. A reusable context manager.

    The processes live from the first item to the end of the context.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        n_worker: int = 1,
        timeout_s: float | None = None,
        max_pages: int = _MAX_PAGES,
        work: Work = extract_item,
    ) -> None:
        """Raise UsageError for invalid settings.

        A worker is killed when a page has taken some seconds of processor time more than the
        deadline of the settings, and ``timeout_s`` after it started a page, by default twenty times
        that. A process is replaced after ``max_pages`` pages. ``work`` is the function applied to
        each item; it is pickled by name.
        """
        if n_worker < 1 or max_pages < 1 or not (timeout_s is None or timeout_s > 0):
            raise UsageError("n_worker, max_pages and timeout_s are numbers above 0")
        if sys.platform == "win32":
            raise UsageError("worker processes need Linux or macOS")
        scope_of(settings)
        self._settings = settings
        self._processor_s = _processor_time_of(settings)
        self._timeout_s = timeout_s or _MAX_LOAD * self._processor_s
        self._assignment = pickle.dumps(
            Assignment(work, settings, self._processor_s, self._timeout_s, max_pages)
        )
        self._processes: list[WorkerProcess | None] = [None] * n_worker
        self._n_death = 0
        """Consecutive processes that died before starting a page."""
        self._is_busy = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *trouble: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the processes, even if they are working."""
        for place in range(len(self._processes)):
            self._end(place)

    def extract(self, items: Iterable[Item]) -> Iterator[Record]:
        """Yield one record for every item, in order, even for pages that crash or hang.

        Items are taken as needed. An exception from the iterator of items is raised after the
        records of the items before it. Closing this generator early kills the busy processes.
        Raises ThresherError if no worker can be started.
        """
        if self._is_busy:
            raise UsageError("a guard extracts one stream of items at a time")
        self._is_busy = True
        try:
            yield from self._extract(iter(items))
        finally:
            self._is_busy = False
            for place, process in enumerate(self._processes):
                if process and process.tasks:
                    self._end(place)

    def _extract(self, items: Iterator[Item]) -> Iterator[Record]:
        waiting: deque[WorkItem] = deque()
        """Items to be sent, among them those of dead workers."""
        done: dict[int, Record] = {}
        n_taken = n_given_out = 0
        trouble: Exception | None = None
        is_over = False
        while not (is_over and n_given_out == n_taken):
            if n_given_out in done:
                yield done.pop(n_given_out)
                n_given_out += 1
            place = self._place_with_room(for_one=bool(waiting) and waiting[0].is_again)
            is_fed = False
            if place is not None:
                may_take = n_taken - n_given_out < _MAX_AHEAD * len(self._processes)
                if not waiting and may_take and not is_over:
                    try:
                        waiting.append(WorkItem(n_taken, next(items)))
                        n_taken += 1
                    except StopIteration:
                        is_over = True
                    except Exception as error:
                        is_over, trouble = True, error
                if waiting:
                    process = self._processes[place] or WorkerProcess(self._assignment)
                    self._processes[place] = process
                    process.give(waiting.popleft())
                    is_fed = True
            for task, record in self._listen(waiting, wait=not is_fed and n_given_out not in done):
                done[task.index] = record
        if trouble:
            raise trouble

    def _place_with_room(self, *, for_one: bool) -> int | None:
        """Return the index of the least busy worker, None if all have enough.

        With ``for_one``, that of a place where no process is, made free by ending an idle one.
        """
        if for_one:
            for place, process in enumerate(self._processes):
                if not (process and process.tasks):
                    self._end(place)
                    return place
            return None
        places = [
            (len(process.tasks) if process else 0, process is None, place)
            for place, process in enumerate(self._processes)
            if process is None or process.has_room
        ]
        return min(places)[-1] if places else None

    def _listen(self, waiting: deque[WorkItem], *, wait: bool) -> Iterator[tuple[WorkItem, Record]]:
        """Yield new records, and error records of pages whose workers died or hang.

        With ``wait``, block until there is something, or until a page times out. The items that a
        dead worker had not started go back into ``waiting``.
        """
        alive = {
            place: process
            for place, process in enumerate(self._processes)
            if process and process.tasks
        }
        if not alive:
            return
        left_s = min(-process.overdue_s(self._timeout_s) for process in alive.values())
        poll = select.poll()
        for process in alive.values():
            poll.register(process.records_fd, select.POLLIN)
            if process.has_unsent:
                poll.register(process.items_fd, select.POLLOUT)
        # One extra millisecond, as a rounded-down wait ends before the timeout.
        events = {fd for fd, _ in poll.poll(max(left_s, 0) * 1e3 + 1 if wait else 0)}
        for place, process in alive.items():
            if process.items_fd in events:
                process.flush()
            if process.records_fd in events:
                try:
                    for answer in process.listen():
                        self._n_death = 0
                        yield answer
                except EOFError:
                    self._processes[place] = None
                    yield from self._blame(process, waiting, process.bury())
            elif process.overdue_s(self._timeout_s) > 0:
                self._end(place)
                yield from self._blame(process, waiting, None if process.has_started else _NO_START)

    def _end(self, place: int) -> None:
        """Kill the process in a place, if there is one."""
        process, self._processes[place] = self._processes[place], None
        if process:
            process.end()

    def _blame(
        self, process: WorkerProcess, waiting: deque[WorkItem], death: str | None
    ) -> Iterator[tuple[WorkItem, Record]]:
        """Yield an error record for the page that a dead process was working on, if any.

        ``death`` is the cause; None if it exited normally, or was killed for hanging. A page that
        was begun for the first time goes back into ``waiting``, unless its budget is spent.
        """
        tasks = list(process.tasks)
        process.tasks.clear()
        if not process.has_started and death:
            self._n_death += 1
            if self._n_death >= _MAX_ATTEMPTS and not process.is_ready:
                raise ThresherError(f"no worker can start: {death}")
        if tasks and (process.has_started or self._n_death >= _MAX_ATTEMPTS):
            self._n_death = 0
            task = tasks.pop(0)
            if process.has_started and not task.is_again and death != _BUDGET:
                waiting.appendleft(replace(task, is_again=True))
            else:
                elapsed_s = max(process.overdue_s(self._timeout_s) + self._timeout_s, 0.0)
                error = self._describe_death(death)
                yield task, failed(task.item, self._settings, error, elapsed_s=elapsed_s)
        waiting.extend(tasks)

    def _describe_death(self, death: str | None) -> str:
        if death == _BUDGET:
            taken = f"more than {self._processor_s:g} s of processor time"
            return f"TimeoutError: {taken}; its worker was killed"
        if death:
            return f"ChildProcessError: its worker died: {death}"
        return f"TimeoutError: no answer within {self._timeout_s:g} s; its worker was killed"


def _processor_time_of(settings: Settings) -> float:
    """Return the seconds of processor time after which a page has certainly missed its deadline."""
    limits = settings.limits
    if limits.deadline_s is None:
        return _PROCESSOR_S
    n_step = 2 + len(settings.formats) if limits.partial else 1
    return n_step * limits.deadline_s + _GRACE_S
