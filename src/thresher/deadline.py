"""Cooperative deadlines for the running thread or task.

Python cannot stop a function from outside without leaving inconsistent state, so long-running work
checks regularly whether there is time left. The deadline is a context variable, like the precision
of `decimal`: each thread and each task has its own, and no function in between has to pass it on.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain, islice
from typing import AnyStr, Final, NamedTuple, TypeVar

from thresher.errors import LimitError, UsageError

_T = TypeVar("_T")

_ITEMS_BETWEEN: Final = 256
"""Items of a loop between two checks of the clock: a check costs 0.1 µs, an item some 10 µs."""

_CHARS_BETWEEN: Final = 2**20
"""Characters of a text that a pattern searches between two checks, some 0.05 s."""


class _Until(NamedTuple):
    at_s: float
    given_s: float
    clock: Callable[[], float]


def _wall_clock() -> float:
    return time.monotonic()


_clock: ContextVar[Callable[[], float]] = ContextVar("thresher_clock", default=_wall_clock)
_until: ContextVar[_Until | None] = ContextVar("thresher_deadline", default=None)


@contextmanager
def deadline(seconds: float | None) -> Iterator[None]:
    """Limit the time of the work inside; an outer deadline that ends earlier stays in force.

    None sets no deadline. UsageError if ``seconds`` is not positive; LimitError from inside, at the
    next `check_deadline` after the time is up.
    """
    if seconds is None:
        yield
        return
    if not seconds > 0:
        raise UsageError(f"a deadline must be a positive number of seconds, not {seconds!r}")
    clock = _clock.get()
    wanted, around = _Until(clock() + seconds, seconds, clock), _until.get()
    token = _until.set(wanted if around is None or wanted.at_s < around.at_s else around)
    try:
        yield
    finally:
        _until.reset(token)


@contextmanager
def processor_time() -> Iterator[None]:
    """Let all deadlines inside count the processor time of this thread, whatever else runs.

    So the result of a page is the same on an idle machine and on a busy one.
    """
    token = _clock.set(time.thread_time)
    try:
        yield
    finally:
        _clock.reset(token)


def check_deadline() -> None:
    """Raise LimitError if the time of the surrounding `deadline` is up."""
    until = _until.get()
    if until is not None and until.clock() > until.at_s:
        raise LimitError("seconds of work", limit=until.given_s)


def watch(items: Iterable[_T]) -> Iterator[_T]:
    """Return an iterator over the items that checks the deadline regularly."""
    if isinstance(items, (list, tuple, dict)) and len(items) <= _ITEMS_BETWEEN:
        check_deadline()
        return iter(items)
    # Passing each item through a generator would take most of the time of a loop.
    return chain.from_iterable(_watch_batches(iter(items)))


def _watch_batches(remaining: Iterator[_T]) -> Iterator[list[_T]]:
    while batch := list(islice(remaining, _ITEMS_BETWEEN)):
        check_deadline()
        yield batch


def find_all(
    pattern: re.Pattern[AnyStr], text: AnyStr, longest: int, start: int = 0
) -> Iterator[re.Match[AnyStr]]:
    """Yield the matches of a pattern as `finditer` does, checking the deadline between them too.

    A match, with what the pattern looks ahead at, is at most ``longest`` characters long.
    """
    size = len(text)
    while start <= size:
        check_deadline()
        stop = start + _CHARS_BETWEEN
        following = stop
        for match in pattern.finditer(text, start, stop + longest):
            if match.start() >= stop:
                break
            yield match
            following = max(stop, match.end())
        start = following
