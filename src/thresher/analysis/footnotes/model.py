"""Model of the footnotes of a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

__all__ = ["NO_FOOTNOTES", "Footnotes", "Note"]


class Note(NamedTuple):
    """One note and its position."""

    label: str
    """The mark of its references, letters and digits only; a number if that is empty or taken by
    another note."""
    mark: str
    """The mark as the page has it, without brackets."""
    row: int
    """The element that is the note; −1 if it is only a range of blocks."""
    first: int
    stop: int
    """Its leaves are the range from ``first`` up to ``stop``."""


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The footnotes of the kept content of a page."""

    notes: tuple[Note, ...] = ()
    """In document order."""
    references: dict[int, int] = field(default_factory=dict)
    """Row of a link → the index of the note it refers to."""
    back_links: dict[int, int] = field(default_factory=dict)
    """Row of a link → the index of the note that it is in."""
    brackets: tuple[int, ...] = ()
    """Leaves that are only the brackets around a reference."""
    arrows: tuple[int, ...] = ()
    """Leaves of back links after notes that have no target."""
    ornaments: tuple[int, ...] = ()
    """Leaves of notes that link back or repeat the mark."""


NO_FOOTNOTES: Final = Footnotes()
