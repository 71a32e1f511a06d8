"""The verdict of an extraction, and the type of a page."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

__all__ = ["PageType", "Verdict"]


class Verdict(Enum):
    """Outcome of an extraction."""

    CONTENT = "content"
    LISTING = "listing only"
    """There is no single main text: the kept items link to pages of their own."""
    TEASER = "teaser only"
    """The page states that its text is not free, and has no more than its beginning."""
    NO_MAIN_CONTENT = "no main content"
    """Nothing was kept: no words, pictures, formulas, audio or video."""
    BLOCKED = "blocked or error page"
    """A block or error page was sent instead of the page; what was kept is from that."""
    PARTIAL = "partial"
    """The page exceeds a limit: what was kept is from the part within it."""
    NEEDS_BROWSER = "needs a browser"
    """The content is not in the HTML: scripts would fetch or render it, or it is elsewhere."""


class PageType(NamedTuple):
    """The most probable type of a page."""

    name: str
    probability: float
