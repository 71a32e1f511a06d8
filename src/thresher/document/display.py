"""A document as Jupyter shows it: the reader view, under a line with what is known of it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thresher.document.document import Document

__all__ = ["show_document"]


def show_document(document: Document) -> str:
    """Return HTML that is safe to show: the writer's, which is sanitised, and escaped facts."""
    facts = [document.verdict.value]
    if document.page_type:
        facts.append(document.page_type.name)
    if document.confidence is not None:
        facts.append(f"confidence {document.confidence:.2f}")
    facts.append(f"{document.selection.words:,} words")
    if document.page.url:
        facts.append(document.page.url)
    line = escape(" · ".join(facts))
    return f'<div style="max-width:42em"><p><small>{line}</small></p>{document.html}</div>'
