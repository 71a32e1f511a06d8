"""Markdown: the main content as CommonMark with GFM tables."""

from __future__ import annotations

from functools import partial

from thresher.analysis.links import find_base
from thresher.chunking import OutputLayout
from thresher.document import Document, WriteOptions
from thresher.output_room import count_bytes, take_room
from thresher.writers.commonmark.markup import render_markup
from thresher.writers.fragment.fragment import lay_out_marked, write_whole_fragment
from thresher.writers.shared.added import write_front_matter
from thresher.writers.stream.markup import drop_marks

__all__ = ["lay_out", "write"]


def write(document: Document, options: WriteOptions) -> str:
    """Write Markdown; with ``options.metadata`` after YAML front matter."""
    if options.is_limited:
        # Most callers want all of it.
        from thresher.writers.shared.limit import MARKDOWN, write_limited  # noqa: PLC0415

        return write_limited(partial(lay_out, document, options), options, MARKDOWN)
    # Only the markup of the fragment is kept while it is rendered: outline and content are large.
    markup = write_whole_fragment(document, options, for_markdown=True).markup
    return _render(document, options, markup)


def lay_out(
    document: Document, options: WriteOptions, n_metadata: int | None = None
) -> OutputLayout:
    """Write Markdown of any length, with the positions at which it can be cut.

    Metadata have about ``n_metadata`` characters, or are complete.
    """
    render = partial(_render, document, options, n_metadata=n_metadata)
    return lay_out_marked(document, options, render, for_markdown=True)


def _render(
    document: Document,
    options: WriteOptions,
    markup: bytes,
    mark: str = "",
    *,
    n_metadata: int | None = None,
) -> str:
    """Render markup as Markdown; ``mark``, if any, is where runs of the outline start.

    The metadata have about ``n_metadata`` characters, or are complete.
    """
    base = find_base(document.page)
    content = render_markup(drop_marks(markup), base, tracking=options.tracking, mark=mark)
    take_room(count_bytes(content))
    front = write_front_matter(document, n_metadata) if options.metadata else ""
    return front + content
