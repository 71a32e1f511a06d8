"""Elements of a page on which the rules for wholes depend, found once for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features import Features
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of

__all__ = ["Landmarks", "find_landmarks"]

IntArray = npt.NDArray[np.integer]

_PARTS: Final = flags_of("dl ol pre table ul")


@dataclass(frozen=True, slots=True)
class Landmarks:
    """The lists, tables and code of a page that have blocks, and the links of its blocks."""

    row: IntArray
    """Rows of these parts; int64[n_part], as are ``first`` and ``stop``."""
    tag: npt.NDArray[np.int16]
    """Their tag codes; int16[n_part]."""
    first: IntArray
    """First block of each part."""
    stop: IntArray
    """One past its last block."""
    link_words: npt.NDArray[np.int64]
    """Words of each block that are inside links; int64[n_block]."""

    def follow_kept(self, keep: BoolArray) -> BoolArray:
        """Flag the parts that begin with a dropped block after a kept one; bool[n_part]."""
        before = keep.take(self.first - 1) & (self.first > 0)
        return before & ~keep.take(self.first)

    def are_partly_kept(self, n_kept: IntArray) -> BoolArray:
        """Flag the parts that have kept blocks and dropped ones; bool[n_part].

        ``n_kept`` counts the kept blocks before each; int64[n_block + 1].
        """
        kept = n_kept.take(self.stop) - n_kept.take(self.first)
        return (kept > 0) & (kept < self.stop - self.first)


def find_landmarks(page: Page, features: Features) -> Landmarks:
    """Find the landmarks of a page that has blocks."""
    chain = features.chain
    rows = page.rows_of(_PARTS)
    first, stop = chain.row_first.take(rows), chain.row_stop.take(rows)
    filled = (stop > first).nonzero()[0]
    rows = rows.take(filled)
    link_words = page.blocks.sums(page.leaf_link_words)
    return Landmarks(
        rows,
        page.tag.take(rows),
        first.take(filled).astype(np.int64),
        stop.take(filled).astype(np.int64),
        link_words,
    )
