"""Metadata and verdict as YAML front matter, before Markdown or plain text."""

from __future__ import annotations

import json
import re
from typing import Final

from thresher.document import Document

__all__ = ["write_front_matter"]

_SPELLED: Final = {ord(char): f"\\u{ord(char):04x}" for char in "<`\x85\u2028\u2029"}
"""What begins markup; and what JSON leaves as it is, but readers of YAML 1.1 take for the end of a
line (YAML 1.1, 4.2)."""
_LINK: Final = re.compile(r"\](?=[(\[:])")
_LINK_SPELLED: Final = r"\\u005d"
"""The middle of a link, or of its definition."""


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
    lines = [f"{name}: {_spell(value)}" for name, value in fields.items()]
    return "\n".join(("---", *lines, "---", "", ""))


def _spell(value: object) -> str:
    """Spell a value as JSON in which there is no markup.

    Readers of Markdown that know no front matter take it for text: it must hold no tag or address
    of HTML, and no link.
    """
    return _LINK.sub(_LINK_SPELLED, json.dumps(value, ensure_ascii=False).translate(_SPELLED))
