"""Model of an obstacle between a reader and the content of a page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

__all__ = ["Obstacle", "ObstacleKind"]


class ObstacleKind(Enum):
    """Reasons for a page not to yield its content. Values read as verdicts."""

    BLOCKED = "blocked or error page"
    """Something else was sent in place of the page: a bot check, an error, a login, a consent
    form, an advertisement for the domain."""
    NEEDS_BROWSER = "needs a browser"
    """The content is not in the HTML: scripts would fetch or write it, or it is elsewhere."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One obstacle that was found."""

    kind: ObstacleKind
    evidence: str
    """One sentence that states what was found."""
    confidence: float
    """Between 0 and 1; orders findings by trust, not a measured probability."""

    def __str__(self) -> str:
        return f"{self.kind.value}: {self.evidence}"
