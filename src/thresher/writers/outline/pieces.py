"""Slices of a page's buffer and new markup, collected in any order and joined by position."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page.scan import IntArray

LITERAL: Final = -1
"""Value in place of a slice's end that marks a literal; the start is then the literal's index."""


class Rank(IntEnum):
    """The order of pieces at one position."""

    CLOSE_EMPHASIS = 0
    CLOSE_LINK = 1
    CLOSE_RUN = 2
    GAP = 3
    OPEN_RUN = 4
    OPEN_LINK = 5
    OPEN_EMPHASIS = 6
    SLICE = 7


class Pieces:
    """The output as pieces of bytes, each with a position in the buffer."""

    def __init__(self) -> None:
        self._keys: list[npt.NDArray[np.int64]] = []
        """Position times the number of ranks, plus rank."""
        self._starts: list[IntArray] = []
        self._stops: list[IntArray] = []
        """Ends of slices of the buffer, or `LITERAL`; for literals, the start is their index."""
        self._literals: list[bytes] = []

    def add(
        self,
        keys: npt.NDArray[np.int64],
        start: IntArray,
        stop: IntArray,
        literals: Sequence[bytes] = (),
    ) -> None:
        """Add slices of the buffer and literals, indexed from the first of ``literals``.

        A key is the position times the number of ranks, plus the rank.
        """
        if self._literals and literals:
            start = np.where(stop == LITERAL, start + len(self._literals), start)
        self._keys.append(keys)
        self._starts.append(start)
        self._stops.append(stop)
        self._literals += literals

    def cut(self, start: IntArray, stop: IntArray) -> None:
        """Add these slices of the buffer, each at its own position."""
        self.move(start, Rank.SLICE, start, stop)

    def move(self, places: IntArray, rank: Rank, start: IntArray, stop: IntArray) -> None:
        """Add these slices of the buffer, each at another position."""
        if places.size:
            self.add(_key(places, rank), start, stop)

    def put(self, places: IntArray, rank: Rank, literal: bytes) -> None:
        """Add the same bytes at each position."""
        if n_place := places.size:
            number = np.zeros(n_place, np.int32)
            self.add(_key(places, rank), number, number + LITERAL, [literal])

    def put_each(self, places: IntArray, rank: Rank, literals: Sequence[bytes]) -> None:
        """Add different bytes at each position."""
        if n_place := places.size:
            number = np.arange(n_place, dtype=np.int32)
            self.add(_key(places, rank), number, np.full(n_place, LITERAL, np.int32), literals)

    def divert(
        self, spans: IntArray, places: IntArray, openings: Sequence[bytes], closing: bytes
    ) -> None:
        """Move what is in each span of the buffer, int32[n, 2], to another place outside them all.

        There it has the rank of a gap, and is between the ``openings``, of each, and ``closing``.
        """
        keys = np.concatenate(self._keys)
        start, stop = np.concatenate(self._starts), np.concatenate(self._stops)
        order = np.argsort(keys, kind="stable")
        ends = keys[order].searchsorted(_key(spans, Rank.CLOSE_LINK))
        inside = [order[first:last] for first, last in ends.tolist()]
        is_left = np.ones(keys.size, np.bool_)
        is_left[np.concatenate(inside)] = False
        self._keys, self._starts, self._stops = [keys[is_left]], [start[is_left]], [stop[is_left]]
        # Pieces with one key stay in the order in which they are added.
        for moved, place, opening in zip(inside, places.reshape(-1, 1), openings, strict=True):
            self.put(place, Rank.GAP, opening)
            self._keys.append(np.full(moved.size, _key(place, Rank.GAP)))
            self._starts.append(start[moved])
            self._stops.append(stop[moved])
            self.put(place, Rank.GAP, closing)

    def join(self, buffer: bytes) -> bytes:
        """Join everything; slices adjacent in the buffer are copied as one."""
        if not self._keys:
            return b""
        order = np.argsort(np.concatenate(self._keys), kind="stable")
        start, stop = np.concatenate(self._starts), np.concatenate(self._stops)
        return join_pieces(buffer, order, start, stop, self._literals)


def _join_by_step(  # noqa: PLR0917
    steps: Steps,
    buffer: bytes,
    order: npt.NDArray[np.intp],
    start: IntArray,
    stop: IntArray,
    literals: Sequence[bytes],
) -> bytes | None:
    offsets = np.array([0, *accumulate(map(len, literals))], np.int32)
    pieces = (buffer, order, start, stop, b"".join(literals), offsets)
    measured = steps.join_pieces(*pieces, 0)
    joined = measured and steps.join_pieces(*pieces, measured[0])
    return joined[1].tobytes() if joined else None


@kernel_with(_join_by_step)
def join_pieces(
    buffer: bytes,
    order: npt.NDArray[np.intp],
    start: IntArray,
    stop: IntArray,
    literals: Sequence[bytes],
) -> bytes:
    """Join slices and literals in the given order."""
    start, stop = start.take(order), stop.take(order)
    begins = np.ones(order.size, np.bool_)
    begins[1:] = (stop[:-1] < 0) | (stop[1:] < 0) | (start[1:] != stop[:-1])
    first = begins.nonzero()[0]
    last = np.append(first, order.size)[1:] - 1
    return b"".join(
        literals[a] if b < 0 else buffer[a:b]
        for a, b in zip(start[first].tolist(), stop[last].tolist(), strict=True)
    )


def _key(places: IntArray, rank: Rank) -> npt.NDArray[np.int64]:
    return places.astype(np.int64) * len(Rank) + int(rank)
