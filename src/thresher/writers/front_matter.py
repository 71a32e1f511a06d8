"""Metadata and verdict as YAML front matter, before Markdown or plain text."""

from __future__ import annotations

import json

from thresher.document import Document

__all__ = ["write_front_matter"]


def write_front_matter(document: Document) -> str:
    """Return the document's metadata between two lines of dashes, and an empty line.

    Last come the verdict and, of methods that judge pages, page type and confidence. Values are
    spelled as JSON, which YAML 1.2 reads as it is; known fields only.
    """
    judged = {
        "verdict": document.verdict.value,
        "page_type": document.page_type.name if document.page_type else None,
        "confidence": None if document.confidence is None else round(document.confidence, 2),
    }
    fields = {
        **document.metadata.as_dict(),
        **{name: value for name, value in judged.items() if value is not None},
    }
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    # JSON leaves these as they are, YAML 1.1 readers take them for line ends (YAML 1.1, 4.2).
    body = "\n".join(lines).translate({0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"})
    return f"---\n{body}\n---\n\n"
