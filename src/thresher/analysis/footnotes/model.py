"""Footnotes of a page, and where they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

__all__ = ["NO_FOOTNOTES", "Footnotes", "Note"]


class Note(NamedTuple):
    """One note, and where it is."""

    label: str
    """The mark of its references, letters and digits only; a number where that is none, or is that
    of another note."""
    mark: str
    """The mark as the page has it, without brackets."""
    row: int
    """The element that is the note; −1 where it is just some blocks."""
    first: int
    stop: int
    """Its leaves are those from ``first`` up to ``stop``."""


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The footnotes of what is kept of a page."""

    notes: tuple[Note, ...] = ()
    """In document order."""
    references: dict[int, int] = field(default_factory=dict)
    """Row of a link → the index of the note it refers to."""
    back_links: dict[int, int] = field(default_factory=dict)
    """Row of a link → the index of the note it leads back from."""
    brackets: tuple[int, ...] = ()
    """Leaves that only put a reference into brackets."""
    arrows: tuple[int, ...] = ()
    """Leaves behind notes that would lead back if they led anywhere."""
    ornaments: tuple[int, ...] = ()
    """Leaves of notes that lead back, or repeat the mark."""


NO_FOOTNOTES: Final = Footnotes()
