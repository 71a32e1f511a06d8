"""JSON Lines: one flat record per page, on one line; the schema is docs/agents.md."""

from __future__ import annotations

import json
from typing import Final

from thresher.document import Document, WriteOptions
from thresher.writers import markdown, text

_METADATA: Final = ("title", "authors", "published", "modified", "language", "site_name")
COLUMNS: Final = ("url", *_METADATA, "verdict", "page_type", "confidence", "text")
"""The fields of a record."""


def describe(document: Document, text: str) -> dict[str, object]:
    """Return the record of a document, with its text; null for unknown values."""
    metadata = document.metadata_values
    url = document.page.url or metadata.get("canonical_url")
    return {
        "url": url,
        **{name: metadata.get(name) for name in _METADATA},
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


SCHEMA: Final = "thresher.page/1"
"""Name and version of the record. Fields may be added; a change of meaning is a new version."""


def write(document: Document, options: WriteOptions) -> str:
    """Write one line, without its line end; links and images apply to the Markdown in it."""
    plain, whole = text.write_within(document, options)
    shown = WriteOptions(
        links=options.links,
        images=options.images,
        title=options.title,
        max_chars=options.max_chars,
        max_tokens=options.max_tokens,
    )
    record = {
        "schema": SCHEMA,
        **describe(document, plain),
        "markdown": markdown.write(document, shown),
        "truncated": describe_cut(options, whole, plain),
    }
    return json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
