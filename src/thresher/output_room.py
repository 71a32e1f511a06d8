"""Room for the output of one page, in the running thread or task.

An output can be far longer than its page if the page's author wants that: a line of code in a
hundred quotes begins with a hundred signs. So writers count what they add where it can multiply,
before it takes memory. Like a deadline, the room is a context variable.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Final

from thresher.errors import LimitError
from thresher.limits import OUTPUT, limit_output

_MAX_BYTES_OF_CHARACTER: Final = 4
_PART: Final = 8
"""An output that ends early leaves one in so many bytes for what is written around it."""


@dataclass(slots=True)
class _Room:
    limit: int
    left: int
    ends_early: bool


_room: ContextVar[_Room | None] = ContextVar("thresher_output_room", default=None)


@contextmanager
def output_room(n_source: int, *, ends_early: bool = False) -> Iterator[None]:
    """Give the writing inside room for `limit_output` bytes; ``n_source`` are those of the page.

    LimitError from inside for more; if the output ``ends_early``, writers stop where the room ends.
    """
    limit = limit_output(n_source)
    with _inside(_Room(limit, limit - limit // _PART if ends_early else limit, ends_early)):
        yield


@contextmanager
def same_room() -> Iterator[None]:
    """Give the writing inside the room that is left, and have as much left after it.

    For what may be written again in another way, and is counted by the caller when it is done.
    """
    room = _room.get()
    with _inside(room and replace(room)):
        yield


@contextmanager
def _inside(room: _Room | None) -> Iterator[None]:
    token = _room.set(room)
    try:
        yield
    finally:
        _room.reset(token)


def take_room(n_byte: int) -> bool:
    """Take room for so many bytes; return whether there was enough, else nothing is taken.

    LimitError if there was not, unless the output may end early. Without `output_room` around,
    there always is.
    """
    room = _room.get()
    if room is None:
        return True
    if n_byte > room.left:
        if room.ends_early:
            return False
        raise LimitError(OUTPUT, limit=room.limit)
    room.left -= n_byte
    return True


def room_left() -> int:
    """Return the bytes that may still be written."""
    room = _room.get()
    return sys.maxsize if room is None else room.left


def check_output(output: str) -> str:
    """Return a whole output; LimitError if it is longer than the room around was at first."""
    room = _room.get()
    if room and len(output) * _MAX_BYTES_OF_CHARACTER > room.limit:
        n_byte = count_bytes(output)
        if n_byte > room.limit:
            raise LimitError(OUTPUT, limit=room.limit, value=n_byte)
    return output


def count_bytes(text: str) -> int:
    """Count the bytes of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
