"""The head of a story in place: headline, byline and picture, which methods may leave out.

The title is known apart from the content, and labels mostly leave out what stands below it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from thresher.chunking import find_headings
from thresher.document import Document
from thresher.page import Page
from thresher.tags import flags_of
from thresher.writers.title import find_missing_title

__all__ = ["keep_headline"]

_HEADING: Final = flags_of("h1 h2 h3 h4 h5 h6")
_MAX_LEAD_BLOCKS: Final = 6
"""Blocks between headline and content that are still the head of the story: a line below the
headline, names, a date, a picture with its caption."""
_MAX_LEAD_WORDS: Final = 60
_MAX_LEAD_LINKS: Final = 0.5
"""Share of their words in links: beyond that it is a menu, or buttons to share."""


def keep_headline(document: Document) -> Document:
    """Return the document with the heading that is its title kept too, and what little is between.

    The same document where nothing is kept, where its content begins with the title, or where no
    heading of the page is the title.
    """
    selection, page = document.selection, document.page
    title = find_missing_title(document) if selection.keep.any() else None
    if title is None:
        return document
    headings = replace(selection, keep=page.nearest(_HEADING[page.tag])[page.leaves] >= 0)
    for heading in find_headings(headings):
        if heading.title.casefold() == title.casefold():
            first = int(page.blocks.of_leaf[selection.keep][0])
            stop = first if _is_lead(page, heading.block + 1, first) else heading.block + 1
            head = (page.blocks.of_leaf >= heading.block) & (page.blocks.of_leaf < stop)
            keep = selection.keep | head
            return replace(document, selection=replace(selection, keep=keep))
    return document


def _is_lead(page: Page, start: int, stop: int) -> bool:
    """Say whether some blocks behind a headline belong to it."""
    if not start < stop <= start + _MAX_LEAD_BLOCKS:
        return False
    leaves = (page.blocks.of_leaf >= start) & (page.blocks.of_leaf < stop)
    n_word = int(page.leaf_words[leaves].sum())
    n_link = int(page.leaf_link_words[leaves].sum())
    return n_word <= _MAX_LEAD_WORDS and n_link <= _MAX_LEAD_LINKS * n_word
