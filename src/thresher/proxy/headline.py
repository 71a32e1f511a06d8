"""The head of a story in place: headline, byline and picture, which methods may leave out.

The title is known apart from the content, and labels mostly leave out what stands below it.
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
"""What stands between the parts of a title."""
_MIN_NAME_CHARS: Final = 20
"""Characters of a name that is no part of the title by chance, as the heading of a section may
be."""
_MAX_LEAD_BLOCKS: Final = 6
"""Blocks between headline and content that are still the head of the story: a line below the
headline, names, a date, a picture with its caption."""
_MAX_LEAD_WORDS: Final = 60
_MAX_LEAD_LINKS: Final = 0.5
"""Share of their words in links: beyond that it is a menu, or buttons to share."""


def keep_headline(document: Document) -> Document:
    """Return the document with the heading that is its title kept too, and what little is between.

    The same document where nothing is kept, where the heading is kept already, or where no heading
    is what the page's `<title>` says, alone or before and behind the name of the site. Metadata
    would know more titles, and would take longer than all else that is done with a page.
    """
    selection, page = document.selection, document.page
    title = _read_title(page) if selection.keep.any() else ""
    if not title:
        return document
    headings = replace(selection, keep=page.nearest(_HEADING[page.tag])[page.leaves] >= 0)
    for heading in find_headings(headings):
        if _says(title, _fold(heading.title)):
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


def _says(title: str, name: str) -> bool:
    """Say whether a title is a name, has it as a part of its own, or holds a long one."""
    is_part = name in (title, *_BETWEEN.split(title))
    return bool(name) and (is_part or (len(name) >= _MIN_NAME_CHARS and name in title))


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def _is_lead(page: Page, start: int, stop: int) -> bool:
    """Say whether some blocks behind a headline belong to it."""
    if not start < stop <= start + _MAX_LEAD_BLOCKS:
        return False
    leaves = (page.blocks.of_leaf >= start) & (page.blocks.of_leaf < stop)
    n_word = int(page.leaf_words[leaves].sum())
    n_link = int(page.leaf_link_words[leaves].sum())
    return n_word <= _MAX_LEAD_WORDS and n_link <= _MAX_LEAD_LINKS * n_word
