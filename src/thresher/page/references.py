"""Character references of a text, or an attribute, that a page can make as long as itself."""

from __future__ import annotations

import html
from typing import Final

from thresher.deadline import check_deadline

__all__ = ["unescape"]

_PART_CHARS: Final = 2**16
"""Characters between two looks at the clock; some 10 ms of references."""


def unescape(text: str) -> str:
    """Replace character references as `html.unescape` does, checking the deadline."""
    if len(text) <= _PART_CHARS:
        return html.unescape(text) if "&" in text else text
    parts: list[str] = []
    start = 0
    while start < len(text):
        check_deadline()
        # No reference contains the sign that begins one.
        stop = text.find("&", start + _PART_CHARS)
        stop = len(text) if stop < 0 else stop
        parts.append(html.unescape(text[start:stop]))
        start = stop
    return "".join(parts)
