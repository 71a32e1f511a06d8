"""The title, for content without the heading of its page."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.metadata.normalise import key_of
from thresher.analysis.metadata.titles import shares_most_words
from thresher.chunking import find_headings
from thresher.document import Document
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of

__all__ = ["find_missing_title"]

_H1: Final = flags_of("h1")
_HEADING: Final = flags_of("h1 h2 h3 h4 h5 h6")
_OF_BOOKS: Final = "epub:type"
_OF_TABLE: Final = flags_of("caption th")
_MIN_LETTERS: Final = 8
"""Least letters of a title recognised inside a longer first heading: "News: Cat wins"."""


def find_missing_title(document: Document) -> str | None:
    """Return the page's title in one line; None if it is unknown or its heading is kept.

    None also if a rule of the user drops its heading.
    """
    # Most pages that keep their h1 need neither all headings nor metadata.
    if _begins_with_only_h1(document):
        return None
    found = find_headings(document.selection)
    if found and found[0].level == 1 and _find_h1(document.page).size == 1:
        return None
    if found and document.page.attributes.named(_OF_BOOKS).size:
        return None  # the title of a file of a book, whose chapters have headings
    headings = [heading.title for heading in found]
    title = " ".join((document.page_title.text or "").split())
    if not title or _is_dropped_by_rule(document) or _is_kept(document, title, headings):
        return None
    return title


def _find_h1(page: Page) -> npt.NDArray[np.intp]:
    """Return the rows of the page's h1 elements with words."""
    rows = page.rows_of(_H1)
    return rows[page.chars_before[page.end[rows]] > page.chars_before[rows]]


def _begins_with_only_h1(document: Document) -> bool:
    """Return whether the first kept heading is surely the only h1 with words of its page."""
    page, keep = document.page, document.selection.keep
    rows = _find_h1(page)
    if rows.size != 1:
        return False
    row = int(rows[0])
    leaves = slice(page.leaf_offset[row], page.leaf_offset[page.end[row]])
    in_link = page.in_link[page.leaves[leaves]]
    if not (keep[leaves] & (page.leaf_words[leaves] > 0) & ~in_link).any():
        return False
    earlier = page.rows_of(_HEADING)
    return not any(_holds(document, each, keep) for each in earlier[earlier < row].tolist())


def _is_dropped_by_rule(document: Document) -> bool:
    row = document.page_title.row
    return bool(row) and _holds(document, row, document.selection.dropped_by_rule)


def _is_kept(document: Document, title: str, headings: list[str]) -> bool:
    """Return whether a kept heading is the title, or the content begins with the headline.

    Titles are compared by letters and digits, so a permalink sign makes no difference.
    """
    page, keep, row = document.page, document.selection.keep, document.page_title.row
    keys, key = [key_of(text) for text in headings], key_of(title)
    if key in keys or (keys and len(key) >= _MIN_LETTERS and key in keys[0]):
        return True
    if row and _holds(document, row, keep):
        shown = " ".join(page.text_of(row).split())
        return [key_of(shown)] == keys[:1] or shares_most_words(shown, title)
    return bool(keep.any()) and _is_first_block(page, keep, key)


def _is_first_block(page: Page, keep: BoolArray, key: str) -> bool:
    """Return whether the kept text of the first block with any has a key; keys have no gaps."""
    leaf = int(keep.argmax())
    if page.nearest(_OF_TABLE[page.tag], page.leaves[leaf : leaf + 1])[0] >= 0:
        return False  # the name of an infobox or a column
    if not key.startswith(key_of(page.leaf_text(leaf))):
        return False  # as most
    block = page.blocks.of_leaf[leaf]
    leaves = leaf + np.flatnonzero(keep[leaf : page.blocks.start[block + 1]])
    return key_of("".join(page.leaf_texts(leaves))) == key


def _holds(document: Document, row: int, leaves: BoolArray) -> bool:
    page = document.page
    return bool(leaves[page.leaf_offset[row] : page.leaf_offset[page.end[row]]].any())
