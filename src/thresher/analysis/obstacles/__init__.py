"""Obstacles: detection of pages that were never going to yield content, from the page alone.

A bot check, an error page, a login or a consent form sent in place of the page, or a page that is
empty until scripts run. Extracting such a page gives nothing, or worse, the text of the obstacle;
so the caller is told.

    signatures    tables: marks of bot checks, captchas, parked domains, consent boxes
    challenges    pages detected by these marks
    error_pages   errors by title, heading and template; error_texts: the wording of such texts
    walls         logins and consent forms
    browser       content that scripts would have to write; scripts: text that is only in scripts
    redirects     redirects and frames
    finders       the table of all detectors, in order of precedence
    page_signals  the counts and texts that the detectors use
    model         Obstacle and ObstacleKind
"""

from __future__ import annotations

from typing import Final

from thresher.analysis.obstacles.model import Obstacle, ObstacleKind
from thresher.deadline import check_deadline
from thresher.page import Page
from thresher.support.cached import cached_view

__all__ = ["Obstacle", "ObstacleKind", "find_obstacle"]

MAX_WORDS: Final = 400
"""Words outside links, including titles and hidden text, above which a page has content: the
longest known pages that are sent in place of others have some 350."""


@cached_view
def find_obstacle(page: Page) -> Obstacle | None:
    """Find the obstacle between a reader and the content of a page; None for ordinary pages.

    Computed once per page, and shared by the algorithm, the completion from script data and the
    document. Cost: two look-ups for a page with more than `MAX_WORDS` words outside links; some
    searches in attributes and source for any other. A page that was completed with
    text from its scripts (`thresher.analysis.embedded`) no longer needs a browser.
    """
    check_deadline()
    if page.words_before[-1] - page.link_words_before[-1] > MAX_WORDS:
        return None
    # Imported late: most pages have content and do not need the rest.
    from thresher.analysis.obstacles.finders import FINDERS  # noqa: PLC0415
    from thresher.analysis.obstacles.page_signals import PageSignals  # noqa: PLC0415

    signals = PageSignals(page)
    obstacles = (found for find in FINDERS if (found := find(signals)))
    if page.attached:
        obstacles = (each for each in obstacles if each.kind is not ObstacleKind.NEEDS_BROWSER)
    return next(obstacles, None)
