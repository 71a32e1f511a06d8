"""Cards, toggles and captions, whose paragraphs are not those of their markup."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import CODE_OF, flags_of
from thresher.support.cached import cached_property

__all__ = ["MAX_ROWS", "NO_BOXES", "BoxParts", "KeptPage", "unmark"]

_Counts = npt.NDArray[np.int64]

_DIV: Final = CODE_OF["div"]
_MARKED: Final = flags_of("h1 h2 h3 h4 h5 h6 p")
_LEVELS_UP: Final = 8
"""Elements around one with the same content: a bound on the cost, not tuned."""
MAX_ROWS: Final = 200
"""Elements and texts of a box; a bound on the cost, as boxes can be nested."""


@dataclass(frozen=True, slots=True)
class BoxParts:
    """What boxes on a page are written as; each finder adds to it."""

    tags: dict[int, int] = field(default_factory=dict)
    """Row → the code of the tag that it is written as."""
    links: dict[int, str] = field(default_factory=dict)
    """Link of a card → its address; what its tooltip says is said of the card."""
    dropped: list[int] = field(default_factory=list)
    """Leaves that are not written."""
    texts: dict[int, str] = field(default_factory=dict)
    """Row of a leaf → the text that it is written as."""
    continued: list[int] = field(default_factory=list)
    """Leaves that continue the paragraph before."""


NO_BOXES: Final = BoxParts()


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


def unmark(page: Page, parts: BoxParts, box: int, leaf: int) -> None:
    """Write the paragraphs and headings around a leaf in a box as the box's own."""
    above = int(page.parent[page.leaves[leaf]])
    while above > box:
        if _MARKED[page.tag[above]]:
            parts.tags[above] = _DIV
        above = int(page.parent[above])
