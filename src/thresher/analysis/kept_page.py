"""What is kept in each element of a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.support.cached import cached_property

__all__ = ["KeptPage"]

_Counts = npt.NDArray[np.int64]

_LEVELS_UP: Final = 8
"""Elements around one with the same content: a bound on the cost, not tuned."""


@dataclass(frozen=True)
class KeptPage:
    """A page with counts of what is kept, each before a row; int64[n_row + 1]."""

    page: Page
    keep: BoolArray
    """Flags the leaves that are kept; bool[n_leaf]."""

    @cached_property
    def leaves(self) -> npt.NDArray[np.intp]:
        """The kept leaves."""
        return self.keep.nonzero()[0]

    @cached_property
    def before(self) -> _Counts:
        """Kept leaves."""
        return sum_before(self.keep).take(self.page.leaf_offset)

    @cached_property
    def words(self) -> _Counts:
        """Their words."""
        return sum_before(self.page.leaf_words * self.keep).take(self.page.leaf_offset)

    @cached_property
    def linked(self) -> _Counts:
        """Their words in links."""
        return sum_before(self.page.leaf_link_words * self.keep).take(self.page.leaf_offset)

    def count(self, row: int, of: _Counts | None = None) -> int:
        """Return the kept leaves of a row, or what else was counted."""
        counted = self.before if of is None else of
        return int(counted[self.page.end[row]] - counted[row])

    def leaves_of(self, row: int) -> list[int]:
        """Return the kept leaves of a row."""
        found: list[int] = self.leaves[self.before[row] : self.before[self.page.end[row]]].tolist()
        return found

    def widen(self, row: int) -> int:
        """Return the outermost of the elements around a row with the same kept leaves."""
        n_own = self.count(row)
        for _ in range(_LEVELS_UP):
            above = int(self.page.parent[row])
            if above <= 0 or self.count(above) != n_own:
                break
            row = above
        return row

    def blocks_of(self, row: int) -> int:
        """Return how many blocks a row, which is not empty, has kept leaves of."""
        first, last = self.before[row], self.before[self.page.end[row]] - 1
        of_leaf = self.page.blocks.of_leaf
        return int(of_leaf[self.leaves[last]] - of_leaf[self.leaves[first]]) + 1
