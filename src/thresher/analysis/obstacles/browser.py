"""Detection of pages whose content is not in the HTML: scripts fetch it or hold it as data."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from thresher.analysis.obstacles.model import Obstacle, ObstacleKind
from thresher.analysis.obstacles.page_signals import PageSignals, format_count, word
from thresher.analysis.obstacles.scripts import count_script_words
from thresher.analysis.obstacles.walls import consent_rows
from thresher.page.hidden import Hidden
from thresher.page.tags import CODE_OF

__all__ = ["find_empty_root", "find_script_prose", "find_unwritten"]

_LINK, _MAIN = CODE_OF["link"], CODE_OF["main"]

# Limits. Words are those outside links and the consent box; shown words are all. Measured on 2,275
# pages: truly empty roots have 0 to 115 words around them, up to 556 shown; the next empty roots,
# on pages with content beside them, have 234 words or more.
MAX_ROOT_WORDS: Final = 120
MAX_ROOT_SHOWN_WORDS: Final = 700
MAX_WORDS_IN_ROOT: Final = 5
"""Words in a root that counts as empty: "Loading …"."""
MAX_PICTURES_IN_ROOT: Final = 2
"""A logo and a spinner."""
MAX_ROOTS: Final = 20
"""Roots examined; a page has one or two."""
MAX_SPARE_WORDS: Final = 60
"""Words for browsers without scripts; more of them are the content itself: forums that provide it
have 289 or more, messages that ask for scripts have up to 35."""
MAX_UNWRITTEN_WORDS: Final = 20
"""Shown words of a page without a root that counts as unwritten; a caption may have more."""
MIN_NOSCRIPT_WORDS: Final = 3
MIN_SCRIPTS: Final = 5
MIN_INLINE_CHARS: Final = 20_000
"""Characters of the source besides markup and text: scripts, styles, comments."""
MAX_PICTURES: Final = 2
"""Above, the page may consist of pictures with hardly any words."""
MAX_PROSE_PAGE_WORDS: Final = 50
MAX_PROSE_PAGE_SHOWN_WORDS: Final = 200
MIN_PROSE_WORDS: Final = 100
MIN_PROSE_RATIO: Final = 3
"""Words in scripts per shown word."""

_ROOTS: Final = word(
    # React, Vue, Angular, Svelte and others leave the choice; their starters use root and app.
    rb"(?:(?:react|vue|svelte|ng|angular|ember|spa|redux|site|web|client|main|my|the)[-_]?)?"
    rb"(?:root|app|application)(?:[-_]?(?:root|mount|container|wrapper|content|element|shell))?"
    # Next.js, Nuxt, Gatsby, Quasar, SvelteKit, Docusaurus, AEM's single-page editor, Salesforce.
    rb"|__next|__nuxt|___gatsby|gatsby-focus-wrapper|q-app|svelte|__docusaurus|mount|auraloadingbox"
    rb"|page-container"
)
"""Ids of the elements that applications render into."""
_CUSTOM_ROOTS: Final = re.compile(
    rb"<(app-root|discourse-assets|flt-glass-pane|ion-app|my-app|shreddit-app|ytd-app)[ >]"
)
"""Elements that applications render into: starters of Angular, Ionic, Polymer and Flutter, and some
single-application sites."""
STATES: Final = (
    *("__NEXT_DATA__", "self.__next_f", "__NUXT__", "__NUXT_DATA__", "__INITIAL_STATE__"),
    *("__PRELOADED_STATE__", "__APOLLO_STATE__", "__INITIAL_DATA__", "__remixContext"),
    *("__sveltekit_", "ytInitialData", "window._sharedData", 'id="ng-state"', "data-preloaded"),
    *("window.__DATA__", "window.__STATE__", "__staticRouterHydrationData"),
)
"""Names under which applications keep their data in the page: Next.js, Nuxt, Redux, Apollo, Remix,
SvelteKit, React Router, Angular and some single sites."""
_SURE, _LIKELY, _WEAK, _STEP = 0.95, 0.7, 0.6, 0.1


def find_empty_root(signals: PageSignals) -> Obstacle | None:
    """Find the empty element that an application would render into."""
    if signals.shown_words > MAX_ROOT_SHOWN_WORDS or signals.spare_words > MAX_SPARE_WORDS:
        return None
    words = _own_words(signals)
    if words > MAX_ROOT_WORDS:
        return None
    root = _empty_root(signals)
    if root is None:
        return None
    reasons, confidence = _support(signals)
    confidence += _STEP * (words <= MAX_UNWRITTEN_WORDS)
    return _browser([f"the application's root `{root}` is empty", *reasons], words, confidence)


def find_unwritten(signals: PageSignals) -> Obstacle | None:
    """Find a page with hardly any shown words that must be written by scripts."""
    if signals.shown_words > MAX_UNWRITTEN_WORDS or signals.spare_words > MAX_SPARE_WORDS:
        return None
    page = signals.page
    reasons, confidence = _support(signals)
    inline_chars = len(page.source) - len(page.buffer)
    scripted = signals.scripts >= (1 if inline_chars >= MIN_INLINE_CHARS else MIN_SCRIPTS)
    if signals.noscript_words >= MIN_NOSCRIPT_WORDS or (
        scripted and signals.pictures <= MAX_PICTURES
    ):
        loaded = f"{format_count(signals.scripts, 'script')} and hardly any text"
        return _browser([loaded, *reasons], signals.plain_words, confidence)
    # Nothing is shown, but scripts or styles are loaded for it.
    if not page.leaves.size and (signals.scripts or (page.tag == _LINK).any()):
        return _browser(["scripts or styles but nothing to show", *reasons], 0, _WEAK)
    return None


def find_script_prose(signals: PageSignals) -> Obstacle | None:
    """Find text that is only in scripts: data that an application would show."""
    if signals.shown_words > MAX_PROSE_PAGE_SHOWN_WORDS or signals.spare_words > MAX_SPARE_WORDS:
        return None
    words = _own_words(signals)
    if words > MAX_PROSE_PAGE_WORDS:
        return None
    in_scripts = count_script_words(signals.page.source)
    if in_scripts < max(MIN_PROSE_WORDS, MIN_PROSE_RATIO * signals.shown_words):
        return None
    reason = f"{format_count(in_scripts, 'word')} of prose stand in scripts only"
    return _browser([reason], words, _LIKELY)


def _own_words(signals: PageSignals) -> int:
    """Count words outside links and outside a consent box."""
    rows = consent_rows(signals)
    return signals.plain_words - (signals.plain_words_within(rows) if rows.any() else 0)


def _empty_root(signals: PageSignals) -> str | None:
    """Return the name of a root that is empty."""
    page = signals.page
    found = [(row, f"{page.name(row)}#{value}") for row, value in signals.matches("id", _ROOTS)]
    tags = {tag.start(): tag[1].decode() for tag in _CUSTOM_ROOTS.finditer(page.buffer)}
    rows = np.searchsorted(page.open_start, np.array(list(tags), np.int64)).tolist()
    found += zip(rows, tags.values(), strict=True)
    found += [(row, "main") for row in np.flatnonzero(page.tag == _MAIN).tolist()]
    for row, name in found[:MAX_ROOTS]:
        if page.hidden[row] & np.uint8(Hidden.NOSCRIPT | Hidden.TEMPLATE):
            continue
        if (
            signals.words_of(row) <= MAX_WORDS_IN_ROOT
            and signals.pictures_of(row) <= MAX_PICTURES_IN_ROOT
        ):
            return name
    return None


def _support(signals: PageSignals) -> tuple[list[str], float]:
    """Return further evidence that scripts write the page, and the confidence it gives."""
    reasons, confidence = [], _LIKELY
    if signals.noscript_words >= MIN_NOSCRIPT_WORDS:
        reasons.append("there is a message for browsers without scripts")
        confidence += _STEP
    state = next((name for name in STATES if name in signals.page.source), None)
    if state:
        reasons.append(f"data is kept in `{state}`")
        confidence += _STEP
    return reasons, confidence


def _browser(reasons: list[str], words: int, confidence: float) -> Obstacle:
    what = ", ".join(reasons)
    sentence = f"{what[0].upper()}{what[1:]}; {format_count(words, 'word')} outside links."
    return Obstacle(ObstacleKind.NEEDS_BROWSER, sentence, round(min(confidence, _SURE), 2))
