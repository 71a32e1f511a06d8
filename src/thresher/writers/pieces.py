"""Pieces of a page's buffer, and of new markup, gathered in any order and joined by place."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from thresher.scan import IntArray

__all__ = ["Pieces", "Rank"]


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
        self._key: list[npt.NDArray[np.int64]] = []
        self._start: list[npt.NDArray[np.int64]] = []
        self._stop: list[npt.NDArray[np.int64]] = []
        self._literals: list[bytes] = []

    def cut(self, start: IntArray, stop: IntArray) -> None:
        """Write these slices of the buffer, each where it is."""
        self._add(start, Rank.SLICE, start, stop)

    def move(self, places: IntArray, rank: Rank, start: IntArray, stop: IntArray) -> None:
        """Write these slices of the buffer, each at another place."""
        self._add(places, rank, start, stop)

    def put(self, places: IntArray, rank: Rank, literal: bytes) -> None:
        """Write the same bytes at each place."""
        index = np.full(places.size, len(self._literals), np.int64)
        self._literals.append(literal)
        # Told from slices by a negative stop.
        self._add(places, rank, index, np.full(places.size, -1, np.int64))

    def join(self, buffer: bytes) -> bytes:
        """Write it all; slices that lie side by side in the buffer are cut as one."""
        key = np.concatenate(self._key)
        order = np.argsort(key, kind="stable")
        start, stop = np.concatenate(self._start)[order], np.concatenate(self._stop)[order]
        begins = np.ones(order.size, np.bool_)
        begins[1:] = (stop[:-1] < 0) | (stop[1:] < 0) | (start[1:] != stop[:-1])
        first = np.flatnonzero(begins)
        last = np.append(first[1:], order.size)[: first.size] - 1
        literals = self._literals
        return b"".join(
            literals[a] if b < 0 else buffer[a:b]
            for a, b in zip(start[first].tolist(), stop[last].tolist(), strict=True)
        )

    def _add(
        self,
        places: IntArray,
        rank: Rank,
        start: npt.NDArray[np.integer],
        stop: npt.NDArray[np.integer],
    ) -> None:
        self._key.append(places.astype(np.int64) * len(Rank) + rank)
        self._start.append(start.astype(np.int64))
        self._stop.append(stop.astype(np.int64))
