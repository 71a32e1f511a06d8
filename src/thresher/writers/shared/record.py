"""The flat record of a page for pipelines: author, title, date, source, and the text."""

from __future__ import annotations

from typing import Final

from thresher.document import Document, WriteOptions

__all__ = ["COLUMNS", "describe", "describe_cut"]

_METADATA: Final = ("title", "authors", "published", "modified", "language", "site_name")
COLUMNS: Final = ("url", *_METADATA, "verdict", "page_type", "confidence", "text")
"""The fields of a record."""


def describe(document: Document, text: str) -> dict[str, object]:
    """Return the record of a document, with its text; null for unknown values."""
    known = document.metadata_values
    url = document.page.url or known.get("canonical_url")
    return {
        "url": url,
        **{name: known.get(name) for name in _METADATA},
        "verdict": document.verdict.value,
        "page_type": document.page_type.name if document.page_type else None,
        "confidence": document.confidence,
        "text": text,
    }


def describe_cut(options: WriteOptions, whole: str, text: str) -> dict[str, int] | None:
    """Return how much of a text was left out for the limits of ``options``; None for nothing."""
    if not options.is_limited or whole == text:
        return None
    return {"chars": len(whole), "written_chars": len(text)}
