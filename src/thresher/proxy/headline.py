"""Headline, byline and picture above an article, restored where a method drops them.

Methods report the title as metadata, and training labels mostly exclude the lines below it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

import numpy as np

from thresher.chunking import find_headings
from thresher.document import Document
from thresher.page import Page
from thresher.page.tags import CODE_OF, flags_of

__all__ = ["keep_headline"]

_TITLE: Final = CODE_OF["title"]
_HEADING: Final = flags_of("h1 h2 h3 h4 h5 h6")
_BETWEEN: Final = re.compile(r"\s[|\u2013\u2014\u00b7:\u00bb-]\s")
"""Separators between the parts of a title."""
_MIN_NAME_CHARS: Final = 20
"""Characters from which a heading within the title is not a coincidence, as a section heading may
be."""
_MAX_LEAD_BLOCKS: Final = 6
"""Blocks between headline and content that may belong to the headline: a subtitle, names, a date,
a picture with its caption."""
_MAX_LEAD_WORDS: Final = 60
_MAX_LEAD_LINKS: Final = 0.5
"""Link density of these blocks: above it they are a menu or share buttons."""


def keep_headline(document: Document) -> Document:
    """Return the document with its title heading kept too, and a short lead between them.

    Returns the same document if nothing is kept, if the heading is kept already, or if no heading
    matches the page's `<title>`, whole or without the name of the site. Metadata would find more
    titles, but would take longer than all other work on the page.
    """
    selection, page = document.selection, document.page
    title = _read_title(page) if selection.keep.any() else ""
    if not title:
        return document
    headings = replace(selection, keep=page.nearest(_HEADING[page.tag])[page.leaves] >= 0)
    for heading in find_headings(headings):
        if _matches(title, _fold(heading.title)):
            if selection.keep[page.blocks.of_leaf == heading.block].any():
                return document
            first = int(page.blocks.of_leaf[selection.keep][0])
            stop = first if _is_lead(page, heading.block + 1, first) else heading.block + 1
            head = (page.blocks.of_leaf >= heading.block) & (page.blocks.of_leaf < stop)
            keep = selection.keep | head
            return replace(document, selection=replace(selection, keep=keep))
    return document


def _read_title(page: Page) -> str:
    rows = np.flatnonzero(page.tag == _TITLE)
    return _fold(page.text_of(int(rows[0]))) if rows.size else ""


def _matches(title: str, name: str) -> bool:
    """Return whether a title equals a heading, has it as a part, or contains it if it is long."""
    is_part = name in (title, *_BETWEEN.split(title))
    return bool(name) and (is_part or (len(name) >= _MIN_NAME_CHARS and name in title))


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def _is_lead(page: Page, start: int, stop: int) -> bool:
    """Return whether the blocks after a headline belong to it."""
    if not start < stop <= start + _MAX_LEAD_BLOCKS:
        return False
    leaves = (page.blocks.of_leaf >= start) & (page.blocks.of_leaf < stop)
    n_word = int(page.leaf_words[leaves].sum())
    n_link = int(page.leaf_link_words[leaves].sum())
    return n_word <= _MAX_LEAD_WORDS and n_link <= _MAX_LEAD_LINKS * n_word
