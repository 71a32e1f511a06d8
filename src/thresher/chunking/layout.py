"""Where the output of a document can be cut: its pieces, and how closely each joins the one before.

A piece is what stands or falls together: a paragraph, a heading, a row of a table, the text of an
item, all of a code block.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

__all__ = ["Join", "Layout", "Piece"]


class Join(IntEnum):
    """How closely a piece joins the one before; the loosest joins are cut first.

    Below `BLOCK` are the levels of headings, 1 to 6: before a heading a text parts by itself.
    """

    BLOCK = 7
    """Both stand in the text itself, or in different lists, tables or quotes."""
    PART = 8
    """Two items of a list, rows of a table, paragraphs of a quote."""
    INSIDE = 9
    """Parts of one item or row."""
    HEADED = 10
    """The piece before is a heading, which means nothing without what it heads."""
    CUT = 11
    """Both are of one piece, which is larger than any part may be."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A span of the output that is not cut without need."""

    start: int
    stop: int
    """Offsets in the output, without the white space and rules between pieces."""
    blocks: tuple[int, ...]
    """The page's blocks it was written from; none for what comes from elsewhere."""
    join: int
    """A `Join`, or the level of the heading that it begins with."""
    head: tuple[int, int] | None = None
    """For a row of a table, where the head of the table is in the output; None for others."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The whole output of a document in one format, and its pieces in order."""

    text: str
    pieces: tuple[Piece, ...]
