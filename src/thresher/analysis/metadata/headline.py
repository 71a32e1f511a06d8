"""The headline that a page shows: the heading that its title names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.links import find_signs_of
from thresher.analysis.metadata.normalise import key_of, plain_text
from thresher.analysis.metadata.titles import MAX_TITLE_CHARS, split_title
from thresher.analysis.word_exports import find_title
from thresher.page import Page
from thresher.page.blocks import SPACE, collapse, join_leaves
from thresher.page.hidden import Hidden
from thresher.page.parts import SYSTEM_PARTS
from thresher.page.tags import CODE_OF, flags_of
from thresher.support.cached import cached_lookup, cached_property, cached_view

MAX_HEADINGS: Final = 8
MIN_MATCH_CHARS: Final = 8
"""Minimum letters of an h2 or h3 that is matched with the title."""
NEAR_BLOCKS: Final = (4, 12)
"""Blocks before and after the headline that may describe the article."""
MIN_SURE_CHARS: Final = 20
"""Minimum letters of an h1 that is not the name of a site. On every twelfth page of 15 corpora the
title is the same with and without this rule (516 pages, 2026-11-23)."""
MAX_LEAVES: Final = 100
_DOTS: Final = ("…", "...")
MIN_CRUMBS: Final = 2
"""Minimum links to sections before the words of a heading."""

_A, _BUTTON, _H1_CODE, _SPAN = (CODE_OF[name] for name in ("a", "button", "h1", "span"))
_MAY_BE_CUT: Final = flags_of("a button")
_XENFORO: Final = SYSTEM_PARTS.bits(b"p-title-value")
_PREFIX: Final = frozenset(("label", "label-append"))
"""Classes of the kind of a thread before its title, and of the gap between the two: XenForo."""
_ARTICLE: Final = flags_of("article main")
_H1, _LOWER_HEADINGS = flags_of("h1"), flags_of("h2 h3")
_LOWEST_HEADINGS: Final = flags_of("h4 h5 h6")
_BESIDE: Final = flags_of("aside nav")
_STORY: Final = flags_of("article")
_SPOKEN: Final = np.uint8(Hidden.SPOKEN)
_CONCEALED: Final = np.uint8(Hidden.UNSEEN)
_UNSEEN: Final = np.uint8(Hidden.TEMPLATE | Hidden.ATTRIBUTE)
_UNSHOWN: Final = np.uint8(Hidden.NOSCRIPT | Hidden.STYLE | Hidden.UNSEEN)


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
        return text if is_whole and self._title_key.startswith(key) else None

    @property
    def is_one_of_several(self) -> bool:
        """Whether there are several h1 elements, which are then headings of sections."""
        return self._first_level.size > 1

    @property
    def is_link(self) -> bool:
        """Whether all of the headline's text is in links."""
        first, stop = self.page.leaf_span(self.row)
        linked, words = self.page.leaf_link_words[first:stop], self.page.leaf_words[first:stop]
        return bool((linked == words).all())

    @cached_property
    def row(self) -> int:
        """The heading row that the title contains, h1 first, else the first h1; 0 for none."""
        row, _ = self._find_in_title(self._first_level)
        if row:
            return (
                self._find_named_first(row)
                or self._find_named_beside(row)
                or self._find_named_around(row)
                or row
            )
        row, length = self._find_in_title(self._lower_levels)
        if length >= MIN_MATCH_CHARS:
            return self._find_whole(row) or row
        first = int(self._first_level[0]) if self._first_level.size else 0
        return self._find_numbered() or first

    def _find_whole(self, row: int) -> int:
        """Find the h1 whose first words a heading has before three dots; 0 for none."""
        text, key = self._text_of(row), self._key_of(row)
        if not text.rstrip().endswith(_DOTS):
            return 0
        rows = self._first_level.tolist()
        return next((whole for whole in rows if self._key_of(whole).startswith(key)), 0)

    def _find_in_title(self, rows: npt.NDArray[np.intp]) -> tuple[int, int]:
        """Find the heading that the title contains, and its letters; 0 and 0 for none."""
        keys = ((self._key_of(row), row) for row in rows.tolist())
        named = [(len(key), -row) for key, row in keys if key and key in self._title_key]
        if len(named) > 1:
            # Others are the name of the site, beside or outside the text, or part of the longest.
            page = self.page
            menus = page.flag(page.attributes.distinct("role").rows_with_word("navigation"))
            beside = page.within(menus | _BESIDE[page.tag])
            within = page.within(_ARTICLE[page.tag]).astype(np.int8) - beside
            length, row = max(named, key=lambda heading: (within.item(-heading[1]), *heading))
        else:
            length, row = max(named, default=(0, 0))
        return -row, length

    @cached_property
    def _title(self) -> str:
        row = self.page.title_row
        return self.page.text_of(row)[:MAX_TITLE_CHARS] if row >= 0 else ""

    @cached_property
    def _title_key(self) -> str:
        return key_of(self._title)

    def _find_named_first(self, row: int) -> int:
        """Find another heading that begins a title which ends with this h1; 0 for none.

        "Buffer | Node.js Documentation" is about buffers, though the manual's name is the h1.
        """
        name = self._key_of(row)
        if not self._title_key.endswith(name):
            return 0  # as of most titles; splitting one takes longer
        pieces = [key_of(piece) for piece in split_title(self._title)]
        if len(pieces) < 2 or name != pieces[-1]:
            return 0
        firsts = pieces[0], "".join(pieces[:-1])
        lowest = self._find_lower(_LOWEST_HEADINGS)
        rows = np.concatenate((self._first_level, self._lower_levels, lowest)).tolist()
        others = [heading for heading in self._first_level.tolist() if heading != row]
        # Of a wiki's "how_to:rye [Wiki]", the first piece is the name of a file.
        other = others[0] if len(others) == 1 and self._title.rstrip().endswith("]") else 0
        return next((heading for heading in rows if self._key_of(heading) in firsts), other)

    def _find_numbered(self) -> int:
        """Find a lower heading that ends with the title, as "Chapter 6. Rye" does; 0 for none."""
        first = key_of(split_title(self._title)[0])
        if len(first) < MIN_MATCH_CHARS:
            return 0
        for row in self._lower_levels.tolist():
            key = self._key_of(row)
            # Of the first part of a title, as of "Rye - Manual", the rest is but a number.
            is_numbered = key.endswith(first) and key.removesuffix(first).isdigit()
            if is_numbered or key.endswith(self._title_key):
                return int(row)
        return 0

    def _find_named_beside(self, row: int) -> int:
        """Find a lower heading that, with a blog's name as this h1, is the title; 0 for none."""
        above = row
        while above >= 0:
            if _ARTICLE[self.page.tag.item(above)]:
                return 0
            above = self.page.parent.item(above)
        whole, name = self._title_key, self._key_of(row)
        both = (whole.removeprefix(name), whole.removesuffix(name))
        wanted = [key for key in both if MIN_MATCH_CHARS <= len(key) < len(whole)]
        if not wanted:
            return 0
        keys = {self._key_of(heading): heading for heading in self._lower_levels.tolist()}
        return next((keys[key] for key in wanted if key in keys), 0)

    def _find_named_around(self, row: int) -> int:
        """Find a lower heading that the title contains, and that contains the h1; 0 for none.

        The h1 is the name of a site then, whose word is in the title by chance.
        """
        name = self._key_of(row)
        if self._title_key.startswith(name) or self._title_key.endswith(name):
            return 0
        lower, length = self._find_in_title(self._lower_levels)
        is_longer = length >= MIN_MATCH_CHARS and 2 * len(name) < length
        return lower if is_longer and name in self._key_of(lower) else 0

    @cached_property
    def _first_level(self) -> npt.NDArray[np.intp]:
        title = find_title(self.page)
        rows = np.array([title]) if title else self._visible(_H1)[:MAX_HEADINGS]
        if not rows.size:
            rows = self._find_declared()
        if rows.size > 1:
            rows = self._without_unshown(rows)
        spoken = (self.page.hidden.take(rows) & _SPOKEN) != 0
        if not spoken.any():
            return rows
        # GitHub has the name of a project for screen readers, and the heading of its README.
        is_told = self.page.within(_STORY.take(self.page.tag)).take(rows)
        if not is_told.any():
            is_told = np.array([self._key_of(row) in self._title_key for row in rows.tolist()])
        headings: npt.NDArray[np.intp] = rows[is_told | ~spoken]
        return headings

    def _without_unshown(self, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """Leave out headings that are hidden or in dialogs, unless the title names them.

        All stay if no other is shown: a script may show one of them.
        """
        page = self.page
        unshown = (page.hidden.take(rows) & _UNSHOWN) != 0
        dialogs = page.attributes.distinct("role").rows_with_word("dialog")
        if dialogs.size:
            unshown |= page.within(page.flag(dialogs)).take(rows)
        if not unshown.any() or unshown.all():
            return rows
        named = np.array([self._key_of(row) in self._title_key for row in rows.tolist()])
        headings: npt.NDArray[np.intp] = rows[named | ~unshown]
        return headings

    def _find_declared(self) -> npt.NDArray[np.intp]:
        """Find the elements that are headings of the first level by their role."""
        levels = self.page.attributes.values("aria-level")
        rows = [row for row, level in levels.items() if level.strip() == "1"]
        is_heading = [(self.page.attr(row, "role") or "").strip() == "heading" for row in rows]
        return np.array(rows, np.intp)[is_heading]

    @cached_property
    def _lower_levels(self) -> npt.NDArray[np.intp]:
        return self._find_lower(_LOWER_HEADINGS)

    def _find_lower(self, headings: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
        """Find the first visible headings with these tags that are not beside the text."""
        rows = self._visible(headings)
        if rows.size:
            rows = rows[~self.page.within(_BESIDE.take(self.page.tag)).take(rows)]
        return rows[:MAX_HEADINGS]

    def _visible(self, headings: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
        """Find the visible headings with these tags."""
        page = self.page
        rows = page.rows_of(headings)
        if not rows.size:
            return rows
        is_seen = (page.hidden.take(rows) & _UNSEEN) == 0
        is_seen &= page.has_text(rows)
        visible: npt.NDArray[np.intp] = rows[is_seen]
        return visible

    @cached_lookup
    def _text_of(self, row: int) -> str:
        text = read_heading(self.page, row)
        return self._find_behind_links(row) or text if self.page.tag[row] == _H1_CODE else text

    def _find_behind_links(self, row: int) -> str | None:
        """Return the words behind the links to sections in a heading, if the title begins so."""
        page = self.page
        links = row + np.flatnonzero(page.tag[row : page.end[row]] == _A)
        if links.size < MIN_CRUMBS:
            return None
        start, stop = page.text_offset[page.end[links[-1]]], page.text_offset[page.end[row]]
        rest = plain_text(page.text[start:stop])
        return rest if rest and key_of(rest) == key_of(split_title(self._title)[0]) else None

    def _key_of(self, row: int) -> str:
        return key_of(self._text_of(row))

    @cached_property
    def block(self) -> int:
        """The block of the headline, −1 for none."""
        return self._block_at(self.row) if len(self.page.blocks) and self.row else -1

    def is_near(self, row: int) -> bool:
        """Return whether an element begins in one of the blocks near it."""
        before, after = NEAR_BLOCKS
        return self.block >= 0 and -before <= self._block_at(row) - self.block <= after

    def _block_at(self, row: int) -> int:
        leaf = min(int(self.page.leaf_offset[row]), self.page.leaves.size - 1)
        return int(self.page.blocks.of_leaf[leaf])


@cached_view
def headline_of(page: Page) -> Headline:
    """Return the headline of a page, which is found once."""
    return Headline(page)


def read_heading(page: Page, row: int) -> str:
    """Return the text of a heading without buttons, unseen parts and the sign of its permalink."""
    first, last = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
    tags = page.tag[row : page.end[row]]
    parts: list[int] = []
    if _MAY_BE_CUT.take(tags).any():
        parts = (row + np.flatnonzero(tags == _BUTTON)).tolist()
        parts += find_signs_of(page, row + np.flatnonzero(tags == _A))
    if page.attributes.system_parts & _XENFORO:
        spans = (row + np.flatnonzero(tags == _SPAN)).tolist()
        names = [(span, (page.attr(span, "class") or "").split()) for span in spans]
        parts += [span for span, words in names if not _PREFIX.isdisjoint(words)]
    if last - first == 1 and not parts:
        return collapse(page.leaf_text(first))[:MAX_TITLE_CHARS]
    keep = np.ones(min(last - first, MAX_LEAVES), np.bool_)
    for part in parts:
        start, stop = page.leaf_offset[part], page.leaf_offset[page.end[part]]
        keep[start - first : stop - first] = False
    unseen = page.hidden.take(page.leaves[first : first + keep.size]) & _CONCEALED
    if not unseen.all():  # as in a heading that is itself unseen
        keep &= unseen == 0
    leaves = (first + np.flatnonzero(keep)).astype(np.int32)
    near = np.zeros(page.leaves.size, np.bool_)
    near[first : first + keep.size] = True
    gaps = page.gaps_of(leaves, page.gaps_before(near))
    gaps[1:][np.diff(page.blocks.of_leaf[leaves]) > 0] = SPACE
    return join_leaves(page.leaf_texts(leaves), gaps)[:MAX_TITLE_CHARS]


def join_words(page: Page, row: int, between_blocks: str = " ") -> str:
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
