"""Precedence of the detectors of obstacles."""

from __future__ import annotations

from thresher.analysis.obstacles.challenges import find_challenge
from thresher.analysis.obstacles.error_pages import find_error_page
from thresher.analysis.obstacles.finders import FINDERS


def test_signatures_are_believed_first() -> None:
    """Bot checks come first, because they may mention 403, and each detector is listed once."""
    assert FINDERS.index(find_challenge) < FINDERS.index(find_error_page)
    assert len(FINDERS) == len(set(FINDERS))
