"""Detection of pages that only lead to another address: redirects, frames."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from thresher.analysis.obstacles.model import Obstacle, ObstacleKind
from thresher.analysis.obstacles.page_signals import PageSignals, format_count, word
from thresher.analysis.obstacles.scripts import inline_scripts
from thresher.page.hidden import Hidden
from thresher.page.tags import CODE_OF

__all__ = ["find_frames", "find_redirect"]

_FRAME, _FRAMESET, _IFRAME, _META = (
    CODE_OF[name] for name in ("frame", "frameset", "iframe", "meta")
)
MAX_WORDS: Final = 40
"""Shown words of a page that only redirects: a notice and a link."""
MAX_SCRIPTED_WORDS: Final = 15
"""Shown words of a page that a script redirects; other scripts may navigate on a click."""
MAX_SCRIPTED_SOURCE_CHARS: Final = 10_000
MAX_FRAMED_WORDS: Final = 5
MAX_FRAMES: Final = 20
"""Frames examined."""
MAX_QUOTED_CHARS: Final = 80

_REFRESH: Final = re.compile(r"[\d.]+ ?[;, ] ?(?:url ?= ?)?[\"']?([^\"']+)", re.IGNORECASE)
"""A meta refresh to another address, spaces collapsed (HTML Living Standard, 4.2.5.3)."""
_SCRIPTED: Final = re.compile(
    r"\blocation(?:\.href)?\s*=(?!=)\s*[\"'`]|\blocation\.(?:replace|assign)\s*\("
)
_NO_CONTENT: Final = re.compile(r"googletagmanager|doubleclick|facebook\.com/tr|about:blank", re.I)
"""Frames that count visits."""
_SURE, _LIKELY, _WEAK = 0.95, 0.8, 0.6


def find_redirect(signals: PageSignals) -> Obstacle | None:
    """Find a page that redirects by a meta refresh or a script."""
    page = signals.page
    if signals.shown_words > MAX_WORDS:
        return None
    for row, _ in signals.matches("http-equiv", word(b"refresh")):
        target = _REFRESH.match(" ".join((page.attr(row, "content") or "").split()))
        if target and page.tag[row] == _META and not page.hidden[row] & np.uint8(Hidden.NOSCRIPT):
            where = target[1].strip()[:MAX_QUOTED_CHARS]
            return _elsewhere(f"It refreshes to {where}", signals, _SURE)
    if (
        signals.shown_words <= MAX_SCRIPTED_WORDS
        and len(page.source) <= MAX_SCRIPTED_SOURCE_CHARS
        and any(map(_SCRIPTED.search, inline_scripts(page.source)))
    ):
        return _elsewhere("A script leads to another page", signals, _LIKELY)
    return None


def find_frames(signals: PageSignals) -> Obstacle | None:
    """Find a page whose text is in the frames it shows."""
    page = signals.page
    if signals.shown_words > MAX_WORDS:
        return None
    frames = int((page.tag == _FRAME).sum())
    if frames and (page.tag == _FRAMESET).any():
        return _elsewhere(
            f"The text is in a frameset of {format_count(frames, 'frame')}", signals, _SURE
        )
    if signals.shown_words <= MAX_FRAMED_WORDS and not signals.pictures:
        for row in np.flatnonzero(page.tag == _IFRAME)[:MAX_FRAMES].tolist():
            src = page.attr(row, "src") or ""
            if src and not _NO_CONTENT.search(src) and not page.hidden[row]:
                return _elsewhere(
                    f"The text is in a frame, {src[:MAX_QUOTED_CHARS]}", signals, _WEAK
                )
    return None


def _elsewhere(what: str, signals: PageSignals, confidence: float) -> Obstacle:
    sentence = f"{what}; {format_count(signals.plain_words, 'word')} outside links."
    return Obstacle(ObstacleKind.NEEDS_BROWSER, sentence, confidence)
