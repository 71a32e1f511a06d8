"""The fragment with what options add before and after it, and the layout of its output."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from thresher.chunking import OutputLayout
from thresher.document import Document, WriteOptions
from thresher.writers.fragment.fragment import outline_fragment, write_fragment
from thresher.writers.outline.content import moves_notes
from thresher.writers.outline.layout import (
    choose_mark,
    count_links,
    lay_out,
    mark_links,
    split_at_marks,
)
from thresher.writers.shared.removed_links import list_as_markup
from thresher.writers.shared.title import find_missing_title

__all__ = ["lay_out_marked", "write_whole_fragment"]


def write_whole_fragment(
    document: Document, options: WriteOptions, mark: str = "", *, for_markdown: bool = False
) -> bytes:
    """Return title, content and removed links as markup in UTF-8, as requested by the options.

    ``mark``, if any, is put before each run and into each removed link. ``for_markdown`` is passed
    to `write_fragment`.
    """
    title = find_missing_title(document) if options.title else None
    heading = f"<h1>{escape(title)}</h1>" if title else ""
    fragment = heading.encode(errors="surrogatepass")
    fragment += write_fragment(document, options, mark, for_markdown=for_markdown)
    if options.removed_links:
        links = mark_links(list_as_markup(document, tracking=options.tracking), mark)
        fragment += links.encode(errors="surrogatepass")
    return fragment


def lay_out_marked(
    document: Document,
    options: WriteOptions,
    write: Callable[[str], str],
    *,
    for_markdown: bool = False,
) -> OutputLayout:
    """Lay out an output; ``write`` writes it with a mark where each run of the outline starts."""
    moves = for_markdown and moves_notes(document)
    mark = None if moves else choose_mark(document.page)
    text, offsets = split_at_marks(write(mark), mark) if mark else (write(""), None)
    outline = outline_fragment(document, options, for_markdown=for_markdown)
    links = list_as_markup(document, tracking=options.tracking) if options.removed_links else ""
    return lay_out(text, outline, offsets, count_links(links))
