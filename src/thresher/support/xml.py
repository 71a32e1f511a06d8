"""Text and attributes for XML 1.0."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_FORBIDDEN: Final = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters not allowed in XML (XML 1.0, 2.2), and the carriage return, which parsers alter."""
_WHITE: Final = {"\n": "&#10;", "\t": "&#9;"}
"""White space that parsers would turn into spaces in attributes."""


def keep_allowed(text: str) -> str:
    """Return a text without the characters that XML does not allow."""
    return text if text.isprintable() else _FORBIDDEN.sub("", text)  # what is, is allowed


def format_text(text: str) -> str:
    """Escape text between tags; characters that XML does not allow are omitted."""
    return keep_allowed(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def format_attribute(name: str, value: str) -> str:
    """Format an attribute, with a space before it."""
    value = format_text(value)
    for char, reference in _WHITE.items():
        value = value.replace(char, reference)
    if '"' not in value:
        return f' {name}="{value}"'
    if "'" not in value:
        return f" {name}='{value}'"
    value = value.replace('"', "&quot;")
    return f' {name}="{value}"'


def format_attributes(attributes: Mapping[str, str]) -> str:
    """Format attributes by their names, with a space before each."""
    return "".join(format_attribute(name, value) for name, value in attributes.items())
