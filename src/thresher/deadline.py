"""Cooperative deadlines for the running thread or task.

Python cannot stop a function from outside without leaving inconsistent state, so long-running work
checks regularly whether there is time left. The deadline is a context variable, like the precision
of `decimal`: each thread and each task has its own, and no function in between has to pass it on.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from thresher.errors import LimitError, UsageError

__all__ = ["check_deadline", "deadline", "watch"]

_T = TypeVar("_T")

_ITEMS_BETWEEN: Final = 256
"""Items of a loop between two checks of the clock: a check costs 0.1 µs, an item some 10 µs."""


class _Until(NamedTuple):
    at_s: float
    """On the monotonic clock."""
    given_s: float


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
    wanted, around = _Until(time.monotonic() + seconds, seconds), _until.get()
    token = _until.set(wanted if around is None else min(wanted, around))
    try:
        yield
    finally:
        _until.reset(token)


def check_deadline() -> None:
    """Raise LimitError if the time of the surrounding `deadline` is up."""
    until = _until.get()
    if until is not None and time.monotonic() > until.at_s:
        raise LimitError("seconds of work", limit=until.given_s)


def watch(items: Iterable[_T]) -> Iterator[_T]:
    """Yield the items, checking the deadline regularly."""
    remaining = iter(items)
    while batch := list(islice(remaining, _ITEMS_BETWEEN)):
        check_deadline()
        yield from batch
