"""The events of a document's content: blocks that open and close, and runs of inline tokens.

A run is a paragraph's worth of text. Its tokens are strings and the classes below; the strings
contain the marks of `thresher.writers.stream.markup` around what is emphasised, raised or lowered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

Attributes = dict[str, str]

LISTS: Final = ("ol", "ul")
SEPARATE: Final = ("blockquote", *LISTS)
"""Tags of blocks that begin on a line of their own in an item."""
HEADING_LEVELS: Final = {f"h{level}": level for level in range(1, 7)}


class LinkStart(NamedTuple):
    """The beginning of a link."""

    url: str
    title: str


class LinkEnd(NamedTuple):
    """The end of a link."""


class CodeSpan(NamedTuple):
    """A code span; its text as on the page."""

    text: str


class FormulaText(NamedTuple):
    """A formula."""

    tex: str
    is_display: bool


class InlineImage(NamedTuple):
    """An image; without a safe URL, only its alternative text is shown."""

    url: str
    alt: str
    title: str


class Break(NamedTuple):
    """A line break; a soft one, at a block in a cell, is written between lines only."""

    is_soft: bool


class Box(NamedTuple):
    """The checkbox of a task."""

    is_checked: bool


class Reference(NamedTuple):
    """A reference to a footnote."""

    label: str


class RunStart(NamedTuple):
    """The beginning of a run of the outline, whose offset in the output is asked for."""


Token = (
    str
    | LinkStart
    | LinkEnd
    | CodeSpan
    | FormulaText
    | InlineImage
    | Break
    | Box
    | Reference
    | RunStart
)


class Open(NamedTuple):
    """The start of a block-level element."""

    tag: str
    attributes: Attributes


class Close(NamedTuple):
    """The end of a block-level element."""

    tag: str


class Run(NamedTuple):
    """A paragraph's worth of inline tokens."""

    tokens: list[Token]


class Preformatted(NamedTuple):
    """A block of code."""

    language: str
    text: str
    n_run: int
    """Runs of the outline that begin before it, 0 or 1."""


class Rule(NamedTuple):
    """A thematic break."""


@dataclass(slots=True)
class Cell:
    """A cell of a table."""

    tokens: list[Token]
    n_column: int = 1
    n_row: int = 1
    alignment: str = ""


class Grid(NamedTuple):
    """A table, as its rows of cells."""

    rows: list[list[Cell]]


Event = Open | Close | Run | Preformatted | Rule | Grid
