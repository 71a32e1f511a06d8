"""Obstacles: why a page never had a chance, told from the page alone.

A bot check, an error page, a login or a consent form that was sent in place of the page, or a page
that is empty until scripts write it. Extracting such a page gives nothing, or worse, the text of
the obstacle; so who asks "did it work?" is told.

    signatures   the tables: marks of bot checks, captchas, parked domains, consent boxes
    challenges   pages told by them
    error_pages  errors by title, heading and template; error_texts: what such texts say
    walls        logins and consent forms
    browser      what scripts would have to write; scripts: the text that only they hold
    redirects    redirects and frames
    finders      the table of all these: what is believed before what
    page_signals the few numbers and texts all these look at
    model        Obstacle and ObstacleKind
"""

from __future__ import annotations

from typing import Final

from thresher.analysis.obstacles.model import Obstacle, ObstacleKind
from thresher.page import Page

__all__ = ["Obstacle", "ObstacleKind", "find_obstacle"]

MAX_WORDS: Final = 400
"""Words outside links, titles and hidden text included, above which a page has content: the
longest pages known that are sent in place of others have some 350."""


def find_obstacle(page: Page) -> Obstacle | None:
    """Find what stands between a reader and the content of a page; None for ordinary pages.

    Cost: a page with more than `MAX_WORDS` words outside links is let go after two look-ups; any
    other costs some searches in its attributes and source. No page makes it raise. A page that was
    completed with a text of its scripts (`thresher.analysis.embedded`) needs no browser any more.
    """
    if page.words_before[-1] - page.link_words_before[-1] > MAX_WORDS:
        return None
    # Most pages have content, and need nothing of what follows.
    from thresher.analysis.obstacles.finders import FINDERS  # noqa: PLC0415
    from thresher.analysis.obstacles.page_signals import PageSignals  # noqa: PLC0415

    signals = PageSignals(page)
    obstacles = (found for find in FINDERS if (found := find(signals)))
    if page.attached:
        obstacles = (each for each in obstacles if each.kind is not ObstacleKind.NEEDS_BROWSER)
    return next(obstacles, None)
