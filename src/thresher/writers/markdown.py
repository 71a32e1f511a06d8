"""Markdown: the main content as CommonMark with GFM tables."""

from __future__ import annotations

from functools import partial

from thresher.analysis.links import find_base
from thresher.chunking import OutputLayout
from thresher.document import Document, WriteOptions
from thresher.writers.commonmark.renderer import render_events
from thresher.writers.fragment.whole import lay_out_marked, write_whole_fragment
from thresher.writers.shared.front_matter import write_front_matter
from thresher.writers.stream.definitions import join_definitions
from thresher.writers.stream.events import Event
from thresher.writers.stream.lists import arrange_lists
from thresher.writers.stream.marks import drop_marks
from thresher.writers.stream.notes import extract_notes
from thresher.writers.stream.reader import read_events

__all__ = ["lay_out", "write"]


def write(document: Document, options: WriteOptions) -> str:
    """Write Markdown; with ``options.metadata`` after YAML front matter."""
    if options.is_limited:
        # Most callers want all of it.
        from thresher.writers.shared.limit import MARKDOWN, fit_to_limits  # noqa: PLC0415

        return fit_to_limits(lay_out(document, options), options, MARKDOWN)
    fragment = write_whole_fragment(document, options, for_markdown=True)
    return _render(document, options, fragment.markup)


def lay_out(document: Document, options: WriteOptions) -> OutputLayout:
    """Write Markdown of any length, with the positions at which it can be cut."""
    return lay_out_marked(document, options, partial(_render, document, options), for_markdown=True)


def _render(document: Document, options: WriteOptions, markup: bytes, mark: str = "") -> str:
    """Render markup as Markdown; ``mark``, if any, is where runs of the outline start."""
    events = read_events(
        str(drop_marks(markup), "utf-8", "surrogatepass"),
        find_base(document.page),
        tracking=options.tracking,
        mark=mark,
    )
    content, notes = extract_notes(events)
    parts = [
        _render_events(content, mark),
        *(_define(label, _render_events(note, mark)) for label, note in notes.items()),
    ]
    front = write_front_matter(document) if options.metadata else ""
    return front + "\n\n".join(filter(None, parts))


def _render_events(events: list[Event], mark: str) -> str:
    return render_events(join_definitions(arrange_lists(events)), mark)


def _define(label: str, note: str) -> str:
    """Return the definition of a note; lines after its first are indented."""
    lines = note.split("\n")
    indented = [f"    {line}" if line else "" for line in lines[1:]]
    return "\n".join([f"[^{label}]: {lines[0]}", *indented])
