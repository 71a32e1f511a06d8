"""The fragment with what options add before and after it, and the layout of its output."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from thresher.chunking import OutputLayout
from thresher.deadline import check_deadline
from thresher.document import Document, WriteOptions
from thresher.writers.fragment.fragment import Fragment, write_fragment
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
) -> Fragment:
    """Write title, content and removed links as markup, as requested by the options.

    ``mark``, if any, is put before each run, into the title and each removed link.
    ``for_markdown`` is passed to `write_fragment`.
    """
    title = _find_title(document, options)
    heading = f"<h1>{mark}{escape(title)}</h1>" if title else ""
    fragment = write_fragment(document, options, mark, for_markdown=for_markdown)
    markup = heading.encode(errors="surrogatepass") + fragment.markup
    if options.removed_links:
        links = mark_links(list_as_markup(document, tracking=options.tracking), mark)
        markup += links.encode(errors="surrogatepass")
    return fragment._replace(markup=markup)


def lay_out_marked(
    document: Document,
    options: WriteOptions,
    render: Callable[[bytes, str], str],
    *,
    for_markdown: bool = False,
) -> OutputLayout:
    """Lay out an output: ``render`` turns markup into it, with the mark where each run starts."""
    mark = choose_mark(document.page) or ""
    fragment = write_whole_fragment(document, options, mark, for_markdown=for_markdown)
    written = render(fragment.markup, mark)
    check_deadline()
    text, offsets = split_at_marks(written, mark) if mark else (written, None)
    check_deadline()
    if for_markdown and moves_notes(fragment.content):
        offsets = None
    links = list_as_markup(document, tracking=options.tracking) if options.removed_links else ""
    has_title = _find_title(document, options) is not None
    return lay_out(text, fragment.outline, offsets, count_links(links), has_title=has_title)


def _find_title(document: Document, options: WriteOptions) -> str | None:
    """Return the title to be written: on request, and by default before anything kept."""
    wanted = document.selection.keep.any() if options.title is None else options.title
    return find_missing_title(document) if wanted else None
