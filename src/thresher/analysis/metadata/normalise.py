"""Normalisation of short texts from markup and structured data."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

__all__ = ["is_plain", "key_of", "plain_text", "shorten", "words_of"]

_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_INLINE_TAG: Final = re.compile(
    r"</?(?:a|abbr|b|br|cite|code|div|em|font|h[1-6]|i|img|li|p|q|s|small|span|strong|sub|sup|u|ul"
    r"|wbr)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
"""Markup left in headlines and descriptions; other tags may be their subject."""
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
"""Control characters, soft hyphens, zero-width spaces, marks of writing direction."""
_NOT_WORD: Final = re.compile(r"[\W_]+")
_ASCII_NOT_WORD: Final = bytes(each for each in range(128) if not chr(each).isalnum())
_TO_LOWER: Final = bytes(range(256)).lower()


def plain_text(text: str) -> str:
    """Return text on one line: entities decoded once more, remaining tags and white space removed.

    Content management systems often escape twice, so `&amp;` in a headline is never intended.
    """
    if is_plain(text):
        return text.strip()
    if "&" in text:
        text = _ENTITY.sub(lambda found: unescape(found[0]), text)
    if "<" in text:
        text = _INLINE_TAG.sub(" ", text)
    if not text.isprintable():  # none of these characters is
        text = _INVISIBLE.sub("", text)
    return " ".join(text.split())


def is_plain(text: str) -> bool:
    """Return whether a text, like most, has nothing to normalise but spaces around it."""
    return "&" not in text and "<" not in text and text.isprintable() and "  " not in text


def shorten(text: str, max_chars: int) -> str:
    """Cut text at the last space that keeps it within ``max_chars``, and mark the cut."""
    if len(text) <= max_chars:
        return text
    cut = text[: max_chars - 1]
    return (cut.rpartition(" ")[0] or cut).rstrip(" ,;:–-") + "…"


def words_of(table: str) -> frozenset[str]:
    """Return the set of words of a table written as text."""
    return frozenset(table.split())


def key_of(text: str) -> str:
    """Return letters and digits only, casefolded: equal for texts that read the same."""
    if text.isascii():  # most are, and this takes a fifth of the time
        return text.encode().translate(_TO_LOWER, _ASCII_NOT_WORD).decode()
    return _NOT_WORD.sub("", text).casefold()
