"""The headline that a page shows, and what is near it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.metadata.normalise import key_of, plain_text
from thresher.page import Page
from thresher.page.hidden import Hidden
from thresher.page.tags import CODE_OF, flags_of
from thresher.support.cached import cached_property

__all__ = ["MAX_LEAVES", "MAX_TITLE_CHARS", "NEAR_BLOCKS", "Headline", "words_of"]

MAX_HEADINGS: Final = 8
MIN_MATCH_CHARS: Final = 8
"""Least letters of an h2 or h3 that is matched with the title."""
NEAR_BLOCKS: Final = (4, 12)
"""Blocks before and after the headline that may describe the article."""
MAX_LEAVES: Final = 100
"""Leaves read of one element."""
MAX_TITLE_CHARS: Final = 1000
"""Text read of a title or a heading, in characters."""

_H1, _LOWER_HEADINGS = flags_of("h1"), flags_of("h2 h3")


@dataclass(frozen=True)
class Headline:
    """The headline of one page; computed on demand, at most once."""

    page: Page

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The texts of the first h1 elements, and of an h2 or h3 that the title contains."""
        rows = {*self._rows_of(_H1).tolist(), self.row} - {0}
        texts = (plain_text(words_of(self.page, row)) for row in sorted(rows))
        return tuple(text for text in texts if text)

    @property
    def text(self) -> str | None:
        """The text of the h1 that the title contains, else of the first h1; None without any."""
        is_h1 = self.page.tag[self.row] == CODE_OF["h1"]
        return plain_text(words_of(self.page, self.row)) or None if is_h1 else None

    @cached_property
    def row(self) -> int:
        """The heading row that the title contains, h1 first, else the first h1; 0 for none."""
        page = self.page
        titles = np.flatnonzero(page.tag == CODE_OF["title"])
        title = key_of(page.text_of(int(titles[0]))[:MAX_TITLE_CHARS]) if titles.size else ""
        first = self._rows_of(_H1)
        for rows in (first, self._rows_of(_LOWER_HEADINGS)):
            found = [(key_of(words_of(page, row)), row) for row in rows.tolist()]
            # Of several the longest: title and headings may contain the site's name too.
            named = [(len(key), -row) for key, row in found if key and key in title]
            length, row = max(named, default=(0, 0))
            if length >= (1 if rows is first else MIN_MATCH_CHARS):
                return -int(row)
        return int(first[0]) if first.size else 0

    def _rows_of(self, headings: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
        """Find the first visible headings with these tags."""
        page = self.page
        unseen = np.uint8(Hidden.TEMPLATE | Hidden.ATTRIBUTE)
        shown = headings[page.tag] & ((page.hidden & unseen) == 0)
        filled = page.chars_before[page.end] > page.chars_before[:-1]
        return np.flatnonzero(shown & filled)[:MAX_HEADINGS]

    @cached_property
    def block(self) -> int:
        """The block of the headline, −1 for none."""
        page = self.page
        if not len(page.blocks) or not self.row:
            return -1
        leaf = min(int(page.leaf_offset[self.row]), page.leaves.size - 1)
        return int(page.blocks.of_leaf[leaf])

    def is_near(self, row: int) -> bool:
        """Return whether an element begins in one of the blocks near it."""
        page = self.page
        if self.block < 0:
            return False
        leaf = min(int(page.leaf_offset[row]), page.leaves.size - 1)
        distance = int(page.blocks.of_leaf[leaf]) - self.block
        return -NEAR_BLOCKS[0] <= distance <= NEAR_BLOCKS[1]


def words_of(page: Page, row: int, between_blocks: str = " ") -> str:
    """Join the texts in an element, with a space between inline elements."""
    first, last = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
    last = min(last, first + MAX_LEAVES)
    parts: list[str] = []
    length = 0
    for leaf in range(first, last):
        new_block = leaf > first and page.blocks.of_leaf[leaf] != page.blocks.of_leaf[leaf - 1]
        parts += [between_blocks if new_block else " ", " ".join(page.leaf_text(leaf).split())]
        length += len(parts[-1])
        if length > MAX_TITLE_CHARS:
            break
    return "".join(parts[1:]).replace(" ,", ",").replace(" .", ".")
