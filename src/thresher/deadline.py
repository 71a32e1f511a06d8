"""Deadline: how long work may take, looked at by the work itself.

Python cannot stop a function from outside without leaving things half done, so whoever does much
work asks now and then whether there is time left. The deadline is that of the running context, as
the precision of `decimal` is: each thread and each task has its own, and no function in between
has to hand it on.
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
"""Items of a loop between two looks at the clock: a look costs 0.1 µs, an item some 10 µs."""


class _Until(NamedTuple):
    at_s: float
    """On the monotonic clock."""
    given_s: float


_until: ContextVar[_Until | None] = ContextVar("thresher_deadline", default=None)


@contextmanager
def deadline(seconds: float | None) -> Iterator[None]:
    """Give the work inside so many seconds; a deadline around it that ends earlier stays.

    None sets none. Raises UsageError where it is no positive number, LimitError from inside, at the
    next `check_deadline` after the time is up.
    """
    if seconds is None:
        yield
        return
    if not seconds > 0:
        raise UsageError(f"a deadline is a positive number of seconds, not {seconds!r}")
    wanted, around = _Until(time.monotonic() + seconds, seconds), _until.get()
    token = _until.set(wanted if around is None else min(wanted, around))
    try:
        yield
    finally:
        _until.reset(token)


def check_deadline() -> None:
    """Raise LimitError where the time of the work around is up."""
    until = _until.get()
    if until is not None and time.monotonic() > until.at_s:
        raise LimitError("seconds of work", limit=until.given_s)


def watch(items: Iterable[_T]) -> Iterator[_T]:
    """Yield the items, with a look at the clock now and then."""
    remaining = iter(items)
    while batch := list(islice(remaining, _ITEMS_BETWEEN)):
        check_deadline()
        yield from batch
