"""Markdown: the main content as CommonMark with GFM tables."""

from __future__ import annotations

from functools import partial

from turbohtml import Element

from thresher.analysis.links import find_base
from thresher.chunking import OutputLayout
from thresher.deadline import check_deadline, watch
from thresher.document import Document, WriteOptions
from thresher.writers.blocks.definitions import mark_definitions, replace_definition_marks
from thresher.writers.blocks.grid import adapt_table, replace_alignment_marks
from thresher.writers.blocks.lists import adapt_lists
from thresher.writers.fragment.clean import clean_fragment
from thresher.writers.fragment.whole import lay_out_marked, write_whole_fragment
from thresher.writers.inline.markdown import mark_inline, replace_inline_marks
from thresher.writers.inline.marks import drop_marks
from thresher.writers.inline.texts import (
    SOFT_HYPHEN,
    adapt_attributes,
    drop_soft_hyphens,
    may_need_adapting,
)
from thresher.writers.shared.front_matter import write_front_matter
from thresher.writers.shared.limit import MARKDOWN, fit_to_limits
from thresher.writers.shared.note_marks import extract_notes

__all__ = ["lay_out", "write"]


def write(document: Document, options: WriteOptions) -> str:
    """Write Markdown; with ``options.metadata`` after YAML front matter."""
    if options.is_limited:
        return fit_to_limits(lay_out(document, options), options, MARKDOWN)
    return _write(document, options)


def lay_out(document: Document, options: WriteOptions) -> OutputLayout:
    """Write Markdown of any length, with the positions at which it can be cut."""
    text = _write(document, options)
    return lay_out_marked(
        document, options, text, lambda mark: _write(document, options, mark), for_markdown=True
    )


def _write(document: Document, options: WriteOptions, mark: str = "") -> str:
    front = write_front_matter(document) if options.metadata else ""
    fragment = drop_marks(write_whole_fragment(document, options, mark, for_markdown=True))
    tree = clean_fragment(
        fragment, find_base(document.page), marked=True, tracking=options.tracking
    )
    render = partial(
        _render, has_dollars=b"$" in fragment, adapts_texts=may_need_adapting(fragment)
    )
    if SOFT_HYPHEN.encode() in fragment:
        drop_soft_hyphens(tree)
    del fragment  # it is long
    adapt_attributes(tree)
    adapt_lists(tree)
    mark_definitions(tree)
    for table in watch(tree.find_all("table")):
        adapt_table(table)
    for link in tree.select("a[title]"):
        text = link.text.replace(mark, "") if mark else link.text
        if " ".join(text.split()) == (link.attr("title") or "").strip():
            link.attrs.pop("title", None)  # redundant
    notes = extract_notes(tree).items()
    parts = [render(tree), *(_define(label, render(note)) for label, note in notes)]
    return front + "\n\n".join(filter(None, parts))


def _render(tree: Element, *, has_dollars: bool, adapts_texts: bool) -> str:
    mark_inline(tree, has_dollars=has_dollars, adapts_texts=adapts_texts)
    check_deadline()
    return replace_alignment_marks(
        replace_definition_marks(replace_inline_marks(tree.to_markdown()))
    )


def _define(label: str, note: str) -> str:
    """Return the definition of a note; lines after its first are indented."""
    lines = note.split("\n")
    indented = [f"    {line}" if line else "" for line in lines[1:]]
    return "\n".join([f"[^{label}]: {lines[0]}", *indented])
