"""Detection of login and consent walls: pages with only a login or a consent form."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.obstacles.model import Obstacle, ObstacleKind
from thresher.analysis.obstacles.page_signals import PageSignals, format_count, word
from thresher.analysis.obstacles.signatures import CONSENT_BOXES, CONSENT_FORMS
from thresher.page.tags import CODE_OF

__all__ = ["consent_rows", "find_consent_wall", "find_login_wall"]

MAX_LOGIN_WORDS: Final = 80
"""Words outside links of a page that is only a login: labels, a greeting, a notice."""
MAX_LOGIN_SHOWN_WORDS: Final = 200
"""Shown words of such a page in total: it links languages and terms, not articles."""
MAX_LOGIN_BLOCK_WORDS: Final = 30
MAX_CONSENT_WORDS: Final = 400
"""Words outside links of a consent page; Yahoo's and Google's have some 250."""
MAX_WORDS_BESIDE_CONSENT: Final = 15
MIN_CONSENT_WORDS: Final = 10
_CLEAR, _LIKELY = 0.9, 0.75
_INPUT: Final = CODE_OF["input"]


def find_login_wall(signals: PageSignals) -> Obstacle | None:
    """Find a password field on a page with little else."""
    page = signals.page
    if (
        signals.plain_words > MAX_LOGIN_WORDS
        or signals.spare_words > MAX_LOGIN_WORDS
        or signals.shown_words > MAX_LOGIN_SHOWN_WORDS
        or signals.longest_block_words > MAX_LOGIN_BLOCK_WORDS
    ):
        return None
    fields = [row for row, _ in signals.matches("type", word(b"password"))]
    if not any((page.tag[row] == _INPUT and not page.hidden[row]) for row in fields):
        return None
    words = format_count(signals.plain_words, "word")
    return Obstacle(
        ObstacleKind.BLOCKED,
        f"A login: a field asks for a password; {words} outside links.",
        _LIKELY,
    )


def find_consent_wall(signals: PageSignals) -> Obstacle | None:
    """Find a consent form or box on a page with nothing else."""
    if signals.plain_words > MAX_CONSENT_WORDS:
        return None
    mark = signals.find_mark(CONSENT_FORMS)
    if mark:
        return _wall(str(mark), signals, _CLEAR)
    rows = consent_rows(signals)
    if not rows.any():
        return None
    inside = signals.plain_words_within(rows)
    beside = signals.plain_words - inside
    if inside < MIN_CONSENT_WORDS or beside > min(MAX_WORDS_BESIDE_CONSENT, inside // 2):
        return None
    what = f"a consent box of {format_count(inside, 'word')}"
    return _wall(what, signals, _LIKELY)


def consent_rows(signals: PageSignals) -> npt.NDArray[np.bool_]:
    """Flag the boxes of a page that ask for consent to cookies or for an age; bool[n_row]."""
    return signals.marked(CONSENT_BOXES)


def _wall(what: str, signals: PageSignals, confidence: float) -> Obstacle:
    words = format_count(signals.plain_words, "word")
    sentence = f"{what[0].upper()}{what[1:]} and nothing else; {words} outside links."
    return Obstacle(ObstacleKind.BLOCKED, sentence, confidence)
