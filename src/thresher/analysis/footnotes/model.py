"""Model of the footnotes of a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from thresher.analysis.inner_links import InnerLink

__all__ = ["NO_FOOTNOTES", "Footnotes", "Note", "NoteReference"]


class Note(NamedTuple):
    """One note and its position."""

    label: str
    """The mark of its references, letters and digits only; a number if that is empty or taken by
    another note."""
    mark: str
    """The mark as the page has it, without brackets."""
    row: int
    """The element that is the note, −1 if it is only a range of lines or blocks."""
    first: int
    stop: int
    """Its leaves are the range from ``first`` up to ``stop``."""
    is_inline: bool = False
    """Whether it stands in the sentence with its reference, and is written after that."""


class NoteReference(NamedTuple):
    """A reference and the note that it may refer to."""

    link: InnerLink
    """The link; for a mark without one, its element and that of the same mark before the note."""
    mark: str
    row: int
    first: int
    stop: int
    """The row and the leaves of the note, as in `Note`."""


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The footnotes of the kept content of a page."""

    notes: tuple[Note, ...] = ()
    """In document order."""
    references: dict[int, int] = field(default_factory=dict)
    """Row of a link, or of a `sup` without one → the index of the note it refers to."""
    back_links: dict[int, int] = field(default_factory=dict)
    """Row of a link → the index of the note that it is in."""
    brackets: tuple[int, ...] = ()
    """Leaves that are only the brackets around a reference."""
    arrows: tuple[int, ...] = ()
    """Leaves of back links after notes that have no target."""
    ornaments: tuple[int, ...] = ()
    """Leaves of notes that link back or repeat the mark."""

    @property
    def edges(self) -> list[int]:
        """The leaves at which notes that are no elements begin, and those behind them."""
        ends = ((note.first, note.stop) for note in self.notes if note.row < 0)
        return [leaf for pair in ends for leaf in pair]


NO_FOOTNOTES: Final = Footnotes()
