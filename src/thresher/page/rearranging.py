"""Canonical HTML with parts of it moved, replaced and added, and where its elements come from."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from thresher.deadline import watch
from thresher.page.scan import IntArray

_UNKNOWN = -1


class Markup(NamedTuple):
    """Markup that is written, with the place of each element in the buffer, −1 for a new one."""

    html: bytes
    elements: tuple[int, ...] = ()


class Moved(NamedTuple):
    """A part of the buffer that is written elsewhere, with the rewrites in it."""

    start: int
    stop: int


class Rewrite(NamedTuple):
    """What is written in place of a part of the buffer; nothing for one that is moved."""

    start: int
    stop: int
    parts: tuple[Markup | Moved, ...] = ()


class _Stretch(NamedTuple):
    start: int
    stop: int
    n_done: int
    """Changes that lie before it."""


def rearrange(buffer: bytes, starts: IntArray, rewrites: list[Rewrite]) -> tuple[bytes, IntArray]:
    """Return the buffer with rewrites, and for each element in it which it was, −1 for a new one.

    ``starts`` are the places of its start tags. Changes overlap only where one is in a part that
    another moves, at most once, or replaces; then the latter counts. Cost: linear, but for sorting.
    """
    pieces: list[bytes] = []
    order: list[IntArray] = []
    for part in watch(_cut(sorted(rewrites, key=_rank), buffer)):
        if isinstance(part, Markup):
            pieces.append(part.html)
            places = np.array(part.elements, np.int32)
            order.append(
                np.where(places < 0, _UNKNOWN, starts.searchsorted(places)).astype(np.int32)
            )
        else:
            pieces.append(buffer[part.start : part.stop])
            # Numbers of another type would have all of `starts` converted, each time.
            ends = np.array((part.start, part.stop), starts.dtype)
            first, stop = starts.searchsorted(ends).tolist()
            order.append(np.arange(first, stop, dtype=np.int32))
    return b"".join(pieces), np.concatenate(order)


def _rank(rewrite: Rewrite) -> tuple[int, bool, int]:
    """Order rewrites by place: at one, what moves a part comes first, and then what adds."""
    return rewrite.start, bool(rewrite.parts), rewrite.stop


def _cut(rewrites: list[Rewrite], buffer: bytes) -> Iterator[Markup | _Stretch]:
    """Yield what is written, in order."""
    places = [rewrite.start for rewrite in rewrites]
    left: list[Markup | Moved | _Stretch] = [_Stretch(0, len(buffer), 0)]
    while left:
        part = left.pop()
        if isinstance(part, Markup):
            yield part
            continue
        if isinstance(part, Moved):
            at = bisect_left(places, part.start)
            # What moves it is itself the first rewrite there.
            at += at < len(rewrites) and rewrites[at] == Rewrite(*part)
            part = _Stretch(*part, at)
        at = part.n_done
        while at < len(rewrites) and places[at] < part.start:
            at += 1
        if at == len(rewrites) or places[at] >= part.stop:
            yield part
            continue
        rewrite = rewrites[at]
        yield _Stretch(part.start, rewrite.start, at)
        left.append(_Stretch(rewrite.stop, part.stop, at + 1))
        left += reversed(rewrite.parts)
