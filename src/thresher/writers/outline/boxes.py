"""Cards, toggles and captions, whose paragraphs are not those of their markup."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from thresher.page import Page
from thresher.page.tags import CODE_OF, flags_of

__all__ = ["MAX_ROWS", "NO_BOXES", "BoxParts", "unmark"]

_DIV: Final = CODE_OF["div"]
_MARKED: Final = flags_of("h1 h2 h3 h4 h5 h6 p")
MAX_ROWS: Final = 200
"""Elements and texts of a box; a bound on the cost, as boxes can be nested."""


@dataclass(frozen=True, slots=True)
class BoxParts:
    """What boxes on a page are written as; each finder adds to it."""

    tags: dict[int, int] = field(default_factory=dict)
    """Row → the code of the tag that it is written as."""
    links: dict[int, str] = field(default_factory=dict)
    """Link of a card → its address; what its tooltip says is said of the card."""
    dropped: list[int] = field(default_factory=list)
    """Leaves that are not written."""
    texts: dict[int, str] = field(default_factory=dict)
    """Row of a leaf → the text that it is written as."""
    continued: list[int] = field(default_factory=list)
    """Leaves that continue the paragraph before."""


NO_BOXES: Final = BoxParts()


def unmark(page: Page, parts: BoxParts, box: int, leaf: int) -> None:
    """Write the paragraphs and headings around a leaf in a box as the box's own."""
    above = int(page.parent[page.leaves[leaf]])
    while above > box:
        if _MARKED[page.tag[above]]:
            parts.tags[above] = _DIV
        above = int(page.parent[above])
