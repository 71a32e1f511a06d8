"""Sets of integers added nearly in order, stored as spans: a few for millions of members."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterable, Sequence

__all__ = ["PositionSet"]


class PositionSet:
    """A set of positions; spans are ``[start, stop)``."""

    def __init__(self, spans: Iterable[Sequence[int]] = ()) -> None:
        self._starts: list[int] = []
        self._stops: list[int] = []
        self._count = 0
        for start, stop in spans:
            self._insert(start, stop)

    def __contains__(self, position: int) -> bool:
        index = bisect_right(self._starts, position) - 1
        return index >= 0 and position < self._stops[index]

    def __len__(self) -> int:
        return self._count

    def add(self, position: int) -> bool:
        """Add a position; return whether it is new."""
        if position in self:
            return False
        self._insert(position, position + 1)
        return True

    def without(self, positions: Container[int]) -> PositionSet:
        """Return the set without some positions."""
        kept = PositionSet()
        for start, stop in zip(self._starts, self._stops, strict=True):
            for position in range(start, stop):
                if position not in positions:
                    kept.add(position)
        return kept

    def pairs(self) -> list[list[int]]:
        """Return the spans in order."""
        return [list(pair) for pair in zip(self._starts, self._stops, strict=True)]

    def _insert(self, start: int, stop: int) -> None:
        """Insert a span that overlaps no other, and merge it with adjacent ones."""
        index = bisect_right(self._starts, start)
        self._count += stop - start
        joins_next = index < len(self._starts) and self._starts[index] == stop
        if index and self._stops[index - 1] == start:
            self._stops[index - 1] = stop
            if joins_next:
                self._stops[index - 1] = self._stops[index]
                del self._starts[index], self._stops[index]
        elif joins_next:
            self._starts[index] = start
        else:
            self._starts.insert(index, start)
            self._stops.insert(index, stop)
