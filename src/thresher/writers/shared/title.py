"""The title, for content that does not begin with it."""

from __future__ import annotations

from thresher.chunking import find_headings
from thresher.document import Document

__all__ = ["find_missing_title"]


def find_missing_title(document: Document) -> str | None:
    """Return the page's title in one line; None if it is unknown or is the first heading."""
    if document.metadata.title is None:
        return None
    title = " ".join(document.metadata.title.value.split())
    first = next((heading.title for heading in find_headings(document.selection)), "")
    return title if title and title.casefold() != first.casefold() else None
