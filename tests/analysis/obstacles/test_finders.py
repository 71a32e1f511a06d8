"""The order in which obstacles are believed."""

from __future__ import annotations

from thresher.analysis.obstacles.challenges import find_challenge
from thresher.analysis.obstacles.error_pages import find_error_page
from thresher.analysis.obstacles.finders import FINDERS


def test_signatures_are_believed_first() -> None:
    """A bot check may say 403 too, and each is looked for once."""
    assert FINDERS.index(find_challenge) < FINDERS.index(find_error_page)
    assert len(FINDERS) == len(set(FINDERS))
