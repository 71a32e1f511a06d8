"""Obstacles: detection of pages that were never going to yield content, from the page alone.

A bot check, an error page, a login or a consent form sent in place of the page, or a page that is
empty until scripts run. Extracting such a page gives nothing, or worse, the text of the obstacle;
so the caller is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from thresher.deadline import check_deadline
from thresher.page import Page
from thresher.support.cached import cached_view

__all__ = ["Obstacle", "ObstacleKind", "find_obstacle"]


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


MAX_WORDS: Final = 400
"""Words outside links, including titles and hidden text, above which a page has content: the
longest known pages that are sent in place of others have some 350."""


@cached_view
def find_obstacle(page: Page) -> Obstacle | None:
    """Find the obstacle between a reader and the content of a page; None for ordinary pages.

    Cost: two look-ups for a page with more than `MAX_WORDS` words outside links; some searches in
    attributes and source for any other, once. A page that was completed with text from its scripts
    (`thresher.analysis.embedded`) no longer needs a browser.
    """
    check_deadline()
    if page.words_before[-1] - page.link_words_before[-1] > MAX_WORDS:
        return None
    # Imported late: most pages have content and do not need the rest.
    from thresher.analysis.obstacles import absence, challenges, errors
    from thresher.analysis.obstacles.page_signals import PageSignals

    signals = PageSignals(page)
    finders = (
        # Signatures first: a bot check also asks for scripts, and may mention 403.
        challenges.find_challenge,
        challenges.find_parking,
        errors.find_error_page,
        absence.find_login_wall,
        challenges.find_captcha,
        challenges.find_guarded,
        absence.find_redirect,
        absence.find_empty_root,
        absence.find_frames,
        absence.find_unwritten,
        absence.find_consent_wall,
        absence.find_script_prose,
    )
    for find in finders:
        obstacle = find(signals)
        if obstacle and not (page.attached and obstacle.kind is ObstacleKind.NEEDS_BROWSER):
            return obstacle
    return None
