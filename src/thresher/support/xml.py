"""Text and attributes as XML 1.0 can have them.

`xml.sax.saxutils` imports the whole of `urllib.request`, some 20 ms, for what no one asks of it
here; so it is imported where it is needed.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["spell_attribute", "spell_text"]

_FORBIDDEN: Final = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What is no character of XML (XML 1.0, 2.2), and the carriage return, which readers change."""


def spell_text(text: str) -> str:
    """Spell a text between tags; characters that XML has no way to spell are left out."""
    from xml.sax.saxutils import escape  # noqa: PLC0415

    return escape(_FORBIDDEN.sub("", text))


def spell_attribute(name: str, value: str) -> str:
    """Spell an attribute, with the space before it."""
    from xml.sax.saxutils import quoteattr  # noqa: PLC0415

    return f" {name}={quoteattr(_FORBIDDEN.sub('', value))}"
