"""Metadata and verdict as YAML front matter, before Markdown or plain text."""

from __future__ import annotations

import json
import re
from typing import Final

from thresher.document import Document
from thresher.writers.shared.short_values import shorten_values

__all__ = ["format_value", "write_front_matter"]

_SIGN_CHARS: Final = len(': ""\n')
"""Characters of a line besides name and value."""
_ESCAPED: Final = re.compile("[<`\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that begin markup; and those that JSON leaves as they are, but YAML does not allow, or
readers of YAML 1.1 take for the end of a line (YAML 1.2, 5.1; 1.1, 4.2)."""
_LINK: Final = re.compile(r"\](?=[(\[:])")
_LINK_ESCAPE: Final = r"\\u005d"
"""The middle of a link, or of its definition."""


def write_front_matter(document: Document, max_chars: int | None = None) -> str:
    """Return the document's metadata between two lines of dashes, and an empty line.

    The verdict comes last and, for methods that predict them, page type and confidence. Values are
    encoded as JSON, which is valid YAML 1.2; unknown fields are omitted. With ``max_chars`` values
    are shortened to about so many characters in all; empty if there is room for none.
    """
    judged = {
        "verdict": document.verdict.value,
        "page_type": document.page_type.name if document.page_type else None,
        "confidence": None if document.confidence is None else round(document.confidence, 2),
    }
    fields: dict[str, object] = {
        **document.metadata_values,
        **{name: value for name, value in judged.items() if value is not None},
    }
    if max_chars is not None:
        fields = shorten_values(fields, max_chars, _SIGN_CHARS)
    lines = [f"{name}: {format_value(value)}" for name, value in fields.items()]
    return "\n".join(("---", *lines, "---", "", "")) if lines else ""


def format_value(value: object) -> str:
    """Encode a value as JSON, which is valid YAML 1.2, in one line and without markup.

    Markdown readers that do not support front matter treat it as text, so it must not contain HTML
    tags, URLs in angle brackets, or links. Markup is in strings only, where it can be escaped.
    """
    escaped = _ESCAPED.sub(_escape, json.dumps(value, ensure_ascii=False))
    return _LINK.sub(_LINK_ESCAPE, escaped)


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
