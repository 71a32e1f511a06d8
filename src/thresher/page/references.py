"""Character references of a text, or an attribute, that a page can make as long as itself."""

from __future__ import annotations

import html
import re
from typing import Final

from thresher.deadline import watch_parts

__all__ = ["unescape"]

_SIGN: Final = re.compile("&")
"""The sign that begins a reference; none contains another."""


def unescape(text: str) -> str:
    """Replace character references as `html.unescape` does, checking the deadline."""
    if "&" not in text:
        return text
    return "".join(map(html.unescape, watch_parts(text, _SIGN)))
