"""Pieces of a page's buffer, and of new markup, gathered in any order and joined by place."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np

from thresher.scan import IntArray

__all__ = ["Pieces", "Rank"]

_NO_SLICE: Final = np.array([-1])
"""Tells literals from slices."""


class Rank(IntEnum):
    """The order of what is put at one place."""

    CLOSE_LINK = 0
    CLOSE_RUN = 1
    GAP = 2
    OPEN_RUN = 3
    OPEN_LINK = 4
    SLICE = 5


class Pieces:
    """What is written: bytes, each at a place in the buffer."""

    def __init__(self) -> None:
        self._places: list[IntArray] = []
        self._ranks: list[int] = []
        self._starts: list[IntArray] = []
        self._stops: list[IntArray] = []
        """Of slices of the buffer; of literals, their numbers, and −1."""
        self._literals: list[bytes] = []

    def cut(self, start: IntArray, stop: IntArray) -> None:
        """Write these slices of the buffer, each where it is."""
        self.move(start, Rank.SLICE, start, stop)

    def move(self, places: IntArray, rank: Rank, start: IntArray, stop: IntArray) -> None:
        """Write these slices of the buffer, each at another place."""
        if places.size:
            self._places.append(places)
            self._ranks.append(int(rank))
            self._starts.append(start)
            self._stops.append(stop)

    def put(self, places: IntArray, rank: Rank, literal: bytes) -> None:
        """Write the same bytes at each place."""
        if places.size:
            number = np.array([len(self._literals)])
            self._literals.append(literal)
            self.move(places, rank, number.repeat(places.size), _NO_SLICE.repeat(places.size))

    def join(self, buffer: bytes) -> bytes:
        """Write it all; slices that lie side by side in the buffer are cut as one."""
        if not self._places:
            return b""
        rank = np.array(self._ranks).repeat([places.size for places in self._places])
        order = np.argsort(
            np.concatenate(self._places, dtype=np.int64) * len(Rank) + rank, kind="stable"
        )
        start, stop = (np.concatenate(each).take(order) for each in (self._starts, self._stops))
        begins = np.ones(order.size, np.bool_)
        begins[1:] = (stop[:-1] < 0) | (stop[1:] < 0) | (start[1:] != stop[:-1])
        first = np.flatnonzero(begins)
        last = np.append(first[1:], order.size)[: first.size] - 1
        literals = self._literals
        return b"".join(
            literals[a] if b < 0 else buffer[a:b]
            for a, b in zip(start[first].tolist(), stop[last].tolist(), strict=True)
        )
