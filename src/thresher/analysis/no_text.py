"""Lines that are no text on pages of any system.

What stands where a script will put a text, the line of rights at the end of a page, and headings of
notes that only screen readers read.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from thresher.page import Page
from thresher.page.hidden import Hidden
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of

__all__ = ["flag_no_text"]

_UNDONE: Final = CLASS_PARTS.bits(b"expand", b"loader", b"loading", b"skeleton", b"spinner")
_UNDONE_NAMES: Final = rb"(?<![a-z])(?:expand-control|load(?:er|ing)|skeleton|spinner)(?![a-z])"
_DOTS: Final = ("...", "…", "⋯")
_MAX_UNDONE_WORDS: Final = 6
_RIGHTS: Final = "©"
_MAX_RIGHTS_WORDS: Final = 15
_MAX_WORDS_BEHIND: Final = 30
_PICTURED: Final = flags_of("figcaption figure")
_HEADINGS: Final = flags_of("h1 h2 h3 h4 h5 h6")
_NOTES: Final = "data-footnotes"
"""The attribute of a section of notes that GitHub and most other readers of Markdown write."""


def flag_no_text(page: Page) -> BoolArray | None:
    """Flag the elements of such lines, bool[n_row]; None if there are none, as on most pages."""
    rows = [*_find_undone(page), *_find_rights(page), *_find_note_headings(page)]
    if not rows:
        return None
    flags = np.zeros(len(page), np.bool_)
    flags[rows] = True
    return flags


def _find_undone(page: Page) -> list[int]:
    """Find what asks for a text, or tells of it, where a script will put it: "Loading…"."""
    found = page.attributes
    rows = found.row[found.classed(_UNDONE, _UNDONE_NAMES)]
    words = page.subtree_words[rows]
    rows = rows[(words > 0) & (words <= _MAX_UNDONE_WORDS)]
    return [row for row in rows.tolist() if page.text_of(row).rstrip().endswith(_DOTS)]


def _find_rights(page: Page) -> list[int]:
    """Find the leaves of blocks near the end of a page that begin with the sign of rights."""
    before, blocks = page.words_before, page.blocks
    rows = page.block_leaf
    block = int(before[rows].searchsorted(before[-1] - _MAX_RIGHTS_WORDS - _MAX_WORDS_BEHIND))
    found: list[int] = []
    if block == rows.size or _RIGHTS not in page.text[page.text_offset[rows[block]] :]:
        return found
    bounds = blocks.start[block:].tolist()
    for first, stop in pairwise(bounds):
        n_word = page.leaf_words[first:stop].sum()
        if n_word <= _MAX_RIGHTS_WORDS and page.leaf_text(first).lstrip().startswith(_RIGHTS):
            found += page.leaves[first:stop].tolist()
    if found and page.rows_of(_PICTURED).size:
        pictured = page.within(_PICTURED[page.tag])
        found = [row for row in found if not pictured[row]]
    return found


def _find_note_headings(page: Page) -> list[int]:
    """Find the headings of sections of notes that no one sees."""
    headings = page.rows_of(_HEADINGS)
    spoken = headings[(page.hidden[headings] & np.uint8(Hidden.SPOKEN)) != 0].tolist()
    return [row for row in spoken if page.attr(int(page.parent[row]), _NOTES) is not None]
