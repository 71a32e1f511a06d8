"""The headline in place: methods may leave it out, as the title is known apart from the content."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from thresher.chunking import find_headings
from thresher.document import Document
from thresher.tags import flags_of
from thresher.writers.title import find_missing_title

__all__ = ["keep_headline"]

_HEADING: Final = flags_of("h1 h2 h3 h4 h5 h6")


def keep_headline(document: Document) -> Document:
    """Return the document with the heading that is its title kept too.

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
            keep = selection.keep | (page.blocks.of_leaf == heading.block)
            return replace(document, selection=replace(selection, keep=keep))
    return document
