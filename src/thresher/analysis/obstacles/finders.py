"""Detectors of obstacles in order of precedence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from thresher.analysis.obstacles.browser import find_empty_root, find_script_prose, find_unwritten
from thresher.analysis.obstacles.challenges import (
    find_captcha,
    find_challenge,
    find_guarded,
    find_parking,
)
from thresher.analysis.obstacles.error_pages import find_error_page
from thresher.analysis.obstacles.model import Obstacle
from thresher.analysis.obstacles.page_signals import PageSignals
from thresher.analysis.obstacles.redirects import find_frames, find_redirect
from thresher.analysis.obstacles.walls import find_consent_wall, find_login_wall

__all__ = ["FINDERS"]

FINDERS: Final[tuple[Callable[[PageSignals], Obstacle | None], ...]] = (
    # Signatures first: a bot check also asks for scripts, and may mention 403.
    find_challenge,
    find_parking,
    find_error_page,
    find_login_wall,
    find_captcha,
    find_guarded,
    find_redirect,
    find_empty_root,
    find_frames,
    find_unwritten,
    find_consent_wall,
    find_script_prose,
)
"""The first result in this order is the page's obstacle."""
