"""Markdown: the main content as CommonMark with GFM tables."""

from __future__ import annotations

from thresher.document import Document, WriteOptions
from thresher.links import find_base
from thresher.writers.clean import clean_fragment
from thresher.writers.fragment import write_fragment
from thresher.writers.front_matter import write_front_matter
from thresher.writers.grid import straighten_table
from thresher.writers.inline import drop_marks, mark_inline, spell_inline
from thresher.writers.removed_links import list_as_markup

__all__ = ["write"]


def write(document: Document, options: WriteOptions) -> str:
    """Write Markdown; with ``options.metadata`` after YAML front matter."""
    front = write_front_matter(document) if options.metadata else ""
    fragment = write_fragment(document, options)
    if options.removed_links:
        fragment += list_as_markup(document)
    fragment = drop_marks(fragment)
    tree = clean_fragment(fragment, find_base(document.page))
    for table in tree.find_all("table"):
        straighten_table(table)
    for link in tree.find_all("a"):
        if " ".join(link.text.split()) == (link.attr("title") or "").strip():
            link.attrs.pop("title", None)  # it says the same again
    mark_inline(tree)
    return front + spell_inline(tree.to_markdown())
