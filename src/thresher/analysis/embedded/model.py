"""Embedded: one text that stands in a page's script data."""

from __future__ import annotations

from dataclasses import dataclass

from thresher.page import Origin

__all__ = ["Embedded"]


@dataclass(frozen=True, slots=True)
class Embedded:
    """A text found in script data, as markup, and where it was."""

    origin: Origin
    markup: str
    """HTML, not yet made safe: as the data has it, or paragraphs made of plain text."""
    path: str
    """Where in the data it was: names and numbers of steps, such as ``article.blocks[2].text``."""
    words: int
    """Words of its text, about."""
