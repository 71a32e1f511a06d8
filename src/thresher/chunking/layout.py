"""Layout of a document's output: the pieces that it can be cut into, and how closely they join.

A piece is cut only if it is too large: a paragraph, a heading, a row of a table, the text of an
item, a code block.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

__all__ = ["Join", "OutputLayout", "Piece"]


class Join(IntEnum):
    """The closeness of a piece to the preceding one; the loosest joins are cut first.

    The values below `BLOCK` are levels of headings, 1 to 6, which begin a new section.
    """

    BLOCK = 7
    """Both are in the running text, or in different lists, tables or quotes."""
    PART = 8
    """Two items of a list, rows of a table, paragraphs of a quote."""
    INSIDE = 9
    """Parts of one item or row."""
    HEADED = 10
    """The preceding piece is the heading of this one."""
    CUT = 11
    """Both are parts of one piece that was too large."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A span of the output that is cut only if necessary."""

    start: int
    stop: int
    """Offsets in the output, without the white space and rules between pieces."""
    blocks: tuple[int, ...]
    """The page's blocks it was written from; empty for text from elsewhere."""
    join: int
    """A `Join`, or the level of the heading that it begins with."""
    head: tuple[int, int] | None = None
    """For a row of a table, the span of the table's head in the output; otherwise None."""


@dataclass(frozen=True, slots=True)
class OutputLayout:
    """The whole output of a document in one format, and its pieces in order."""

    text: str
    pieces: tuple[Piece, ...]
