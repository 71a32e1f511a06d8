"""The guard: worker processes that pages cannot harm more than one at a time.

A page may crash its worker, hang in it, or eat its memory. That page becomes one error record, the
worker is replaced, and every other page comes out. Who is to blame is known, because a worker says
so when it begins with a page; the pages behind it are given to another worker.

One thread does it all here: it hands out items, listens, and looks at the clock, and nothing that
it does waits for a worker that hangs. Two pipes to each worker hold a few pages and records, so
that the workers go on while the caller writes a file.
"""

from __future__ import annotations

import pickle
import select
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Final, Self

from thresher.batch.model import Item, Record, Settings
from thresher.batch.process import WorkerProcess, WorkItem
from thresher.batch.work import extract_item, failed, scope_of
from thresher.batch.worker import Assignment, Work
from thresher.errors import ThresherError, UsageError

__all__ = ["Guard"]

_TIMEOUT_S: Final = 60.0
"""Seconds for a page where the settings have no deadline."""
_GRACE_S: Final = 5.0
"""Seconds beyond the deadline, which the work itself looks at, until its process is killed."""
_MAX_PAGES: Final = 10_000
"""Pages that one process works on. A start costs 0.4 s, so this costs half a per mille."""
_MAX_AHEAD: Final = 512
"""Records a worker waits with, at some 10 kB, until the slowest page before them is done."""
_MAX_ATTEMPTS: Final = 3
"""Processes in a row that may die with no page begun, as where memory is short for a moment."""
_NO_START: Final = "it does not get ready"


class Guard:
    """Extracts pages in worker processes, on Linux and macOS. A context manager.

    Usable again and again; the processes live from the first item on to the end of the context.
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
        """Raise UsageError for settings that no page could be extracted with.

        ``timeout_s`` is when a worker is killed: by default some seconds after the deadline of the
        settings. ``max_pages`` is after how many a process is replaced. ``work`` is what a worker
        does with an item; it is found there by its name.
        """
        if n_worker < 1 or max_pages < 1 or not (timeout_s is None or timeout_s > 0):
            raise UsageError("n_worker, max_pages and timeout_s are numbers above 0")
        if sys.platform == "win32":
            raise UsageError("worker processes need Linux or macOS")
        scope_of(settings)
        self._settings = settings
        self._timeout_s = timeout_s or _timeout_of(settings)
        self._assignment = pickle.dumps(Assignment(work, settings, self._timeout_s, max_pages))
        self._processes: list[WorkerProcess | None] = [None] * n_worker
        self._n_death = 0
        """Processes in a row that died with no page begun."""
        self._is_busy = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes, whatever they are at."""
        for index, process in enumerate(self._processes):
            self._processes[index] = None
            if process:
                process.end()

    def extract(self, items: Iterable[Item]) -> Iterator[Record]:
        """Yield one record for every item, in their order, whatever happens to any of them.

        Items are taken as they are needed. Where taking one raises, so does this, after the records
        of those before it. Who stops early ends the processes that are at work. Raises
        ThresherError where no worker can be started.
        """
        if self._is_busy:
            raise UsageError("a guard extracts one stream of items at a time")
        self._is_busy = True
        try:
            yield from self._extract(iter(items))
        finally:
            self._is_busy = False
            for index, process in enumerate(self._processes):
                if process and process.tasks:
                    self._processes[index] = None
                    process.end()

    def _extract(self, items: Iterator[Item]) -> Iterator[Record]:
        waiting: deque[WorkItem] = deque()
        """Items that a worker had when it died."""
        done: dict[int, Record] = {}
        n_taken = n_given_out = 0
        trouble: Exception | None = None
        is_over = False
        while not (is_over and n_given_out == n_taken):
            if n_given_out in done:
                yield done.pop(n_given_out)
                n_given_out += 1
            place = self._place_with_room()
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
                    self._process_at(place).give(waiting.popleft())
                    is_fed = True
            for task, record in self._listen(waiting, wait=not is_fed and n_given_out not in done):
                done[task.index] = record
        if trouble:
            raise trouble

    def _place_with_room(self) -> int | None:
        """Return the place of the worker with the least to do, None where all have enough."""
        places = [
            (len(process.tasks) if process else 0, process is None, place)
            for place, process in enumerate(self._processes)
            if process is None or process.has_room
        ]
        return min(places)[-1] if places else None

    def _process_at(self, place: int) -> WorkerProcess:
        """Return the process of a place, a new one where there is none."""
        process = self._processes[place] or WorkerProcess(self._assignment)
        self._processes[place] = process
        return process

    def _listen(self, waiting: deque[WorkItem], *, wait: bool) -> Iterator[tuple[WorkItem, Record]]:
        """Yield what was done since; in the end the pages whose workers died or hang.

        ``wait`` is until there is something, or time is up for some page. Puts back into
        ``waiting`` what a dead worker had not begun.
        """
        alive = {place: each for place, each in enumerate(self._processes) if each and each.tasks}
        if not alive:
            return
        left_s = min(-each.overdue_s(self._timeout_s) for each in alive.values())
        poll = select.poll()
        for each in alive.values():
            poll.register(each.records_fd, select.POLLIN)
            if each.has_unsent:
                poll.register(each.items_fd, select.POLLOUT)
        # One millisecond more: a wait that is rounded down ends before the time is up.
        events = {fd for fd, _ in poll.poll(max(left_s, 0) * 1e3 + 1 if wait else 0)}
        for place, each in alive.items():
            if each.items_fd in events:
                each.flush()
            if each.records_fd in events:
                try:
                    for answer in each.listen():
                        self._n_death = 0
                        yield answer
                except EOFError:
                    self._processes[place] = None
                    yield from self._blame(each, waiting, each.bury())
            elif each.overdue_s(self._timeout_s) > 0:
                self._processes[place] = None
                each.end()
                yield from self._blame(each, waiting, None if each.has_started else _NO_START)

    def _blame(
        self, process: WorkerProcess, waiting: deque[WorkItem], death: str | None
    ) -> Iterator[tuple[WorkItem, Record]]:
        """Yield the page that a process which is gone was at, if any, as an error record.

        ``death`` is what it died of; None where it ended by itself, or was killed for hanging.
        """
        tasks = list(process.tasks)
        process.tasks.clear()
        if not process.has_started and death:
            self._n_death += 1
            if self._n_death >= _MAX_ATTEMPTS and not process.is_ready:
                raise ThresherError(f"no worker can start: {death}")
        if tasks and (process.has_started or self._n_death >= _MAX_ATTEMPTS):
            self._n_death = 0
            error = (
                f"ChildProcessError: its worker died: {death}"
                if death
                else f"TimeoutError: no answer within {self._timeout_s:g} s; its worker was killed"
            )
            task = tasks.pop(0)
            elapsed_s = max(process.overdue_s(self._timeout_s) + self._timeout_s, 0.0)
            yield task, failed(task.item, self._settings, error, elapsed_s=elapsed_s)
        waiting.extend(tasks)


def _timeout_of(settings: Settings) -> float:
    """Return when a worker that ought to have kept the deadline has not."""
    limits = settings.limits
    if limits.deadline_s is None:
        return _TIMEOUT_S
    n_step = 2 + len(settings.formats) if limits.partial else 1
    return n_step * limits.deadline_s + _GRACE_S
