"""The headline that a page shows, and what is near it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.metadata.normalise import key_of, plain_text
from thresher.analysis.metadata.titles import split_title
from thresher.analysis.permalink_signs import find_signs_of
from thresher.analysis.system_signs import SIGNS, find_signed
from thresher.page import Page
from thresher.page.blocks import SPACE, join_leaves
from thresher.page.hidden import Hidden
from thresher.page.tags import CODE_OF, flags_of
from thresher.support.cached import cached_lookup, cached_property

__all__ = [
    "MAX_LEAVES",
    "MAX_TITLE_CHARS",
    "NEAR_BLOCKS",
    "Headline",
    "find_styled_title",
    "words_of",
]

MAX_HEADINGS: Final = 8
MIN_MATCH_CHARS: Final = 8
"""Least letters of an h2 or h3 that is matched with the title."""
NEAR_BLOCKS: Final = (4, 12)
"""Blocks before and after the headline that may describe the article."""
MIN_SURE_CHARS: Final = 20
"""Least letters of an h1 that is not the name of a site. On every twelfth page of 15 corpora the
title is the same with and without this rule (516 pages, 2026-11-23)."""
MAX_LEAVES: Final = 100
"""Leaves read of one element."""
MAX_TITLE_CHARS: Final = 1000
"""Text read of a title or a heading, in characters."""

_A, _BUTTON, _P = (CODE_OF[name] for name in ("a", "button", "p"))
_STYLED: Final = SIGNS.bits(b"msotitle")
_TITLE_STYLE: Final = "MsoTitle"
_MAY_BE_CUT: Final = flags_of("a button")
_NO_GAP: Final = np.zeros(1, np.uint8)
_ARTICLE: Final = flags_of("article main")
_H1, _LOWER_HEADINGS, _TITLES = flags_of("h1"), flags_of("h2 h3"), flags_of("title")
_UNSEEN: Final = np.uint8(Hidden.TEMPLATE | Hidden.ATTRIBUTE)


@dataclass(frozen=True)
class Headline:
    """The headline of one page; computed on demand, at most once."""

    page: Page

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The texts of the first h1 elements, and of an h2 or h3 that the title contains."""
        rows = {*self._first_level.tolist(), self.row} - {0}
        texts = (plain_text(self._text_of(row)) for row in sorted(rows))
        return tuple(text for text in texts if text)

    @property
    def text(self) -> str | None:
        """The text of the h1 that the title contains, else of the first h1; None without any."""
        is_h1 = self.row in self._first_level
        return plain_text(self._text_of(self.row)) or None if is_h1 else None

    @property
    def confirmed(self) -> str | None:
        """The text of an h1 too long for the name of a site, if the page's title begins with it.

        It is the page's title then, whatever else states one; None otherwise.
        """
        text = self.text or ""
        key = key_of(text)
        is_whole = len(key) >= MIN_SURE_CHARS and len(split_title(text)) == 1
        return text if is_whole and key_of(self._title).startswith(key) else None

    @property
    def is_one_of_several(self) -> bool:
        """Whether there are several h1 elements, which are then headings of sections."""
        return self._first_level.size > 1

    @cached_property
    def row(self) -> int:
        """The heading row that the title contains, h1 first, else the first h1; 0 for none."""
        found, _ = self._find_in_title(self._first_level)
        if found:
            return self._find_named_first(found) or self._find_named_beside(found) or found
        found, length = self._find_in_title(self._lower_levels)
        if length >= MIN_MATCH_CHARS:
            return found
        return int(self._first_level[0]) if self._first_level.size else 0

    def _find_in_title(self, rows: npt.NDArray[np.intp]) -> tuple[int, int]:
        """Find the heading that the title contains, and its letters; 0 and 0 for none.

        The name of the site may be a heading too, but outside the article. Of several, the longest:
        the title and a heading may contain both.
        """
        whole = key_of(self._title)
        keys = ((key_of(self._text_of(row)), row) for row in rows.tolist())
        named = [(len(key), -row) for key, row in keys if key and key in whole]
        if len(named) > 1:
            within = self.page.within(_ARTICLE[self.page.tag])
            length, row = max(named, key=lambda each: (bool(within[-each[1]]), *each))
        else:
            length, row = max(named, default=(0, 0))
        return -row, length

    @cached_property
    def _title(self) -> str:
        titles = self.page.rows_of(_TITLES)
        return self.page.text_of(titles.item(0))[:MAX_TITLE_CHARS] if titles.size else ""

    def _find_named_first(self, row: int) -> int:
        """Find a lower heading that begins a title which ends with this h1; 0 for none.

        "Buffer | Node.js Documentation" is about buffers, though the manual's name is the h1.
        """
        name = key_of(self._text_of(row))
        if not key_of(self._title).endswith(name):
            return 0  # as of most titles; splitting one takes longer
        pieces = [key_of(piece) for piece in split_title(self._title)]
        if len(pieces) < 2 or name != pieces[-1]:
            return 0
        rows = self._lower_levels.tolist()
        return next((each for each in rows if key_of(self._text_of(each)) == pieces[0]), 0)

    def _find_named_beside(self, row: int) -> int:
        """Find a lower heading that, with this h1 outside the article, is the title; 0 for none.

        Blogs say "The Mill: Rye is back", with their name as the h1 of every page.
        """
        above = row
        while above >= 0:
            if _ARTICLE[self.page.tag.item(above)]:
                return 0
            above = self.page.parent.item(above)
        whole, name = key_of(self._title), key_of(self._text_of(row))
        both = (whole.removeprefix(name), whole.removesuffix(name))
        wanted = [key for key in both if MIN_MATCH_CHARS <= len(key) < len(whole)]
        if not wanted:
            return 0
        keys = {key_of(self._text_of(each)): each for each in self._lower_levels.tolist()}
        return next((keys[key] for key in wanted if key in keys), 0)

    @cached_property
    def _first_level(self) -> npt.NDArray[np.intp]:
        """The visible h1 elements; of a document that Word exported, the paragraph of its title."""
        styled = find_styled_title(self.page)
        return self._rows_of(_H1) if styled is None else np.array([styled])

    @cached_property
    def _lower_levels(self) -> npt.NDArray[np.intp]:
        return self._rows_of(_LOWER_HEADINGS)

    def _rows_of(self, headings: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
        """Find the first visible headings with these tags."""
        page = self.page
        rows = page.rows_of(headings)
        if not rows.size:
            return rows
        is_seen = (page.hidden.take(rows) & _UNSEEN) == 0
        is_filled = page.chars_before.take(page.end.take(rows)) > page.chars_before.take(rows)
        found: npt.NDArray[np.intp] = rows[is_seen & is_filled][:MAX_HEADINGS]
        return found

    @cached_lookup
    def _text_of(self, row: int) -> str:
        """Return the text of a heading."""
        return _heading_text(self.page, row)

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


def find_styled_title(page: Page) -> int | None:
    """Find the first paragraph with words whose style is Word's *Title*; its headings are below."""
    rows = find_signed(page, _STYLED)
    rows = rows[
        (page.tag[rows] == _P) & (page.chars_before[page.end[rows]] > page.chars_before[rows])
    ]
    styled = (row for row in rows.tolist() if _TITLE_STYLE in page.attrs(row)["class"].split())
    return next(styled, None)


def _heading_text(page: Page, row: int) -> str:
    """Return the text of a heading without buttons and the sign of its permalink."""
    first, last = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
    tags = page.tag[row : page.end[row]]
    parts: list[int] = []
    if _MAY_BE_CUT.take(tags).any():
        parts = (row + np.flatnonzero(tags == _BUTTON)).tolist()
        parts += find_signs_of(page, row + np.flatnonzero(tags == _A))
    if last - first == 1 and not parts:
        return join_leaves([page.leaf_text(first)], _NO_GAP)[:MAX_TITLE_CHARS]
    keep = np.ones(min(last - first, MAX_LEAVES), np.bool_)
    for part in parts:
        start, stop = page.leaf_offset[part], page.leaf_offset[page.end[part]]
        keep[start - first : stop - first] = False
    leaves = (first + np.flatnonzero(keep)).astype(np.int32)
    near = np.zeros(page.leaves.size, np.bool_)
    near[first : first + keep.size] = True
    gaps = page.gaps_of(leaves, page.gaps_before(near))
    gaps[1:][np.diff(page.blocks.of_leaf[leaves]) > 0] = SPACE
    return join_leaves(page.leaf_texts(leaves), gaps)[:MAX_TITLE_CHARS]


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
