"""Detection by signature of pages sent in place of others: bot checks, denials, parked domains."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import numpy as np

from thresher.analysis.obstacles import signatures
from thresher.analysis.obstacles.model import Obstacle, ObstacleKind
from thresher.analysis.obstacles.page_signals import PageSignals, format_count
from thresher.page.tags import CODE_OF

__all__ = ["find_captcha", "find_challenge", "find_guarded", "find_parking"]

# Most words outside links of such a page. Cloudflare's block pages have some 150, Anubis's check
# 200, HUMAN's block page 75 around its captcha. For default pages (Debian's Apache: 350), the limit
# of all obstacles suffices.
MAX_CHALLENGE_WORDS: Final = 300
MAX_SOURCE_BYTES: Final = 200_000
"""Bytes of the source that are searched; such pages have a tenth of that, without images."""
MAX_VAGUELY_TITLED_WORDS: Final = 80
MAX_PARKING_WORDS: Final = 200
MAX_CAPTCHA_WORDS: Final = 80
MAX_GUARDED_WORDS: Final = 5
"""Words of any kind on a page with nothing but a bot protection's script."""
MAX_GUARDED_SOURCE_CHARS: Final = 20_000
MAX_GUARDED_SCRIPTS: Final = 4
MAX_FIELDS: Final = 50
"""Input fields examined."""

_SURE, _CLEAR, _LIKELY = 0.95, 0.9, 0.8
_INPUT, _TEXTAREA = CODE_OF["input"], CODE_OF["textarea"]
_TYPED: Final = frozenset(("", "text", "email", "search", "tel", "url", "number", "password"))
"""Types of input fields that accept typed text."""
_RESPONSE: Final = re.compile(r"captcha|response|code", re.IGNORECASE)
"""Names of the fields for a captcha's answer."""


def find_challenge(signals: PageSignals) -> Obstacle | None:
    """Find a mark unique to bot checks and denials: an attribute, a script, a text."""
    if signals.plain_words <= MAX_CHALLENGE_WORDS:
        mark = signals.find_mark(signatures.CHALLENGES)
        if mark:
            return _blocked(str(mark), signals, _SURE)
        # A page that shows such a name in its text is about it.
        source, text = signals.page.utf8, signals.page.text
        for name, what in signatures.INLINE:
            if source.find(name.encode(), 0, MAX_SOURCE_BYTES) >= 0 and name not in text:
                return _blocked(f"{what} (`{name}` in its source)", signals, _SURE)
        for pattern, what in signatures.TEXTS:
            found = re.search(pattern, text)
            if found:
                return _blocked(f"{what} (its text has “{found.group()}”)", signals, _CLEAR)
        found_title = _find_title(signals, signatures.TITLES, _CLEAR)
        if found_title:
            return found_title
    if signals.plain_words <= MAX_VAGUELY_TITLED_WORDS:
        return _find_title(signals, signatures.VAGUE_TITLES, _LIKELY)
    return None


def find_parking(signals: PageSignals) -> Obstacle | None:
    """Find a mark of placeholder pages: parked domains, default pages."""
    if signals.plain_words <= MAX_PARKING_WORDS:
        mark = signals.find_mark(signatures.PARKING)
        if mark:
            return _blocked(str(mark), signals, _CLEAR)
    return _find_title(signals, signatures.DEFAULT_TITLES, _CLEAR)


def find_captcha(signals: PageSignals) -> Obstacle | None:
    """Find a captcha that is the page's only purpose: few words, no other field to fill in."""
    if signals.shown_words > 2 * MAX_CAPTCHA_WORDS or signals.plain_words > MAX_CAPTCHA_WORDS:
        return None
    mark = signals.find_mark(signatures.CAPTCHAS)
    if not mark or _has_fields(signals):
        return None
    return _blocked(f"{mark} and nothing to fill in", signals, _LIKELY)


def find_guarded(signals: PageSignals) -> Obstacle | None:
    """Find a bot protection's script on a page with nothing else, not even its own scripts."""
    if (
        signals.shown_words > MAX_GUARDED_WORDS
        or signals.scripts > MAX_GUARDED_SCRIPTS
        or len(signals.page.source) > MAX_GUARDED_SOURCE_CHARS
    ):
        return None
    mark = signals.find_mark(signatures.GUARDS)
    return _blocked(f"{mark} and nothing else", signals, _LIKELY) if mark else None


def _find_title(
    signals: PageSignals, titles: Mapping[str, str], confidence: float
) -> Obstacle | None:
    what = titles.get(signals.title.lower().replace("’", "'"))
    if what is None:
        return None
    return _blocked(f"{what} (its title is “{signals.title}”)", signals, confidence)


def _has_fields(signals: PageSignals) -> bool:
    """Return whether there is a field for typed text other than a captcha's answer."""
    page = signals.page
    fields = np.flatnonzero((page.tag == _INPUT) | (page.tag == _TEXTAREA))
    for row in fields[:MAX_FIELDS].tolist():
        attrs = page.attrs(row)
        if page.tag[row] == _INPUT and attrs.get("type", "").lower() not in _TYPED:
            continue
        if not _RESPONSE.search(f"{attrs.get('name', '')} {attrs.get('id', '')}"):
            return True
    return False


def _blocked(what: str, signals: PageSignals, confidence: float) -> Obstacle:
    words = format_count(signals.plain_words, "word")
    sentence = f"{what[0].upper()}{what[1:]}; {words} outside links."
    return Obstacle(ObstacleKind.BLOCKED, sentence, confidence)
