"""Model of a text in a page's script data."""

from __future__ import annotations

from dataclasses import dataclass

from thresher.page import Origin

__all__ = ["Embedded"]


@dataclass(frozen=True, slots=True)
class Embedded:
    """A text found in script data, as markup, and its path."""

    origin: Origin
    markup: str
    """Unsanitised HTML: as in the data, or paragraphs made from plain text."""
    path: str
    """Its path in the data, of keys and indices, such as ``article.blocks[2].text``."""
    words: int
    """Estimated words of its text."""
