"""Text and attributes for XML 1.0.

`xml.sax.saxutils` imports all of `urllib.request`, which takes some 20 ms, so it is imported where
it is needed.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["format_attribute", "format_text"]

_FORBIDDEN: Final = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters not allowed in XML (XML 1.0, 2.2), and the carriage return, which parsers alter."""


def format_text(text: str) -> str:
    """Escape text between tags; characters that XML does not allow are omitted."""
    from xml.sax.saxutils import escape  # noqa: PLC0415

    return escape(_FORBIDDEN.sub("", text))


def format_attribute(name: str, value: str) -> str:
    """Format an attribute, with a space before it."""
    from xml.sax.saxutils import quoteattr  # noqa: PLC0415

    return f" {name}={quoteattr(_FORBIDDEN.sub('', value))}"
