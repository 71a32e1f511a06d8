"""Pages whose content is elsewhere.

It is behind a login or a consent form, at another address, in frames, or in scripts that fetch it
or hold it as data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from thresher.analysis.obstacles import Obstacle
from thresher.analysis.obstacles.page_signals import Mark, PageSignals, format_count, word
from thresher.deadline import check_deadline
from thresher.page.hidden import Hidden
from thresher.page.tags import CODE_OF
from thresher.page.text import count_words

_OPEN: Final = re.compile(r"<script\b", re.IGNORECASE)
_CLOSE: Final = re.compile(r"</script", re.IGNORECASE)
_ESCAPES: Final = re.compile(r"(?<!\\)\\+(?:u([0-9a-fA-F]{4})|([^\\\n]))")
_MARKUP: Final = re.compile(r"<[^<>]{1,300}>")
_RUN: Final = re.compile(r"[^\"<>{}\[\]=;\\|`_()/*]{60,}")
"""Text without characters that code and addresses can hardly avoid."""
_SURROGATES: Final = ("d8", "d9", "da", "db", "dc", "dd", "de", "df")
MIN_RUN_WORDS: Final = 10
MAX_WORD_CHARS: Final = 12
"""Maximum mean letters of a word in prose; encoded data has more."""
MAX_SCRIPT_CHARS: Final = 1_000_000


def inline_scripts(source: str) -> Iterator[str]:
    """Yield the contents of the script elements of a page, long ones truncated."""
    # Step by step: a single expression would search to the end for each unclosed tag.
    at = 0
    while opened := _OPEN.search(source, at):
        start = source.find(">", opened.end()) + 1
        closed = _CLOSE.search(source, start) if start else None
        if not closed:
            return
        if closed.start() > start:
            yield source[start : min(closed.start(), start + MAX_SCRIPT_CHARS)]
        at = closed.end()


def count_script_words(source: str) -> int:
    """Count the words of running text in the scripts of a page; repeated text once."""
    runs: set[str] = set()
    for script in inline_scripts(source):
        # Twice: Next.js keeps its data as JSON inside a JSON string.
        text = _ESCAPES.sub(_unescape, _ESCAPES.sub(_unescape, script))
        runs.update(run.strip() for run in _RUN.findall(_MARKUP.sub(" ", text)))
    total = 0
    for run in runs:
        words, chars = count_words(run, np.array((0, len(run)), np.int32))
        n_word, n_char = int(words[-1]), int(chars[-1])
        if n_word >= MIN_RUN_WORDS and n_char <= MAX_WORD_CHARS * n_word:
            total += n_word
    return total


def _unescape(escape: re.Match[str]) -> str:
    """Undo one escape of JSON or JavaScript; white space and surrogates become a space."""
    code, char = escape.groups()
    if code:
        return " " if code[:2].lower() in _SURROGATES else chr(int(code, 16))
    return " " if char in "nrt" else str(char)


# -- walls -----------------------------------------------------------------------------------------

CONSENT_FORMS: Final[tuple[Mark, ...]] = (
    Mark("action", rb"//consent\.(?:google|youtube)\.[\w.]+/(?:save|s\b)", "Google's consent page"),
    Mark("action", rb"/v2/collectconsent", "Yahoo's consent page"),
    Mark("name", word(rb"originaldoneurl"), "Yahoo's consent page"),
)
"""Marks of consent pages shown before the requested page: hosts, paths and fields of forms."""

_BOX_NAMES: Final = (
    rb"(?:\w+-)?(?:cookies?|consent|gdpr|age)[-_]?(?:banner|bar|box|consent|dialog|gate|layer"
    rb"|message|modal|notice|notification|overlay|popup|prompt|verification|wall)"
)
"""Common names that sites choose."""
CONSENT_BOXES: Final[tuple[Mark, ...]] = (
    # Boxes of consent managers, by the documented ids and classes.
    Mark(
        "id",
        word(
            rb"onetrust-(?:consent-sdk|banner-sdk)|cybotcookiebotdialog|usercentrics-root|didomi-host"
            rb"|truste-consent-track|qc-cmp2-container|cmpbox|sp_message_container_\d+"
            rb"|cmplz-cookiebanner-container|cookie-law-info-bar|iubenda-cs-banner|klaro|uc-banner|"
            + _BOX_NAMES
        ),
        "a consent box",
    ),
    Mark(
        "class",
        word(
            rb"onetrust-pc-dark-filter|cky-consent-container|cmplz-cookiebanner|cc-window|osano-cm-\w+"
            rb"|qc-cmp2-container|fc-consent-root|termly-consent-banner|" + _BOX_NAMES
        ),
        "a consent box",
    ),
)
"""Marks of the boxes that ask for consent to cookies or for an age."""

MAX_LOGIN_WORDS: Final = 80
"""Words outside links of a page that is only a login: labels, a greeting, a notice."""
MAX_LOGIN_SHOWN_WORDS: Final = 200
"""Shown words of such a page in total: it links languages and terms, not articles."""
MAX_LOGIN_BLOCK_WORDS: Final = 30
MAX_CONSENT_WORDS: Final = 400
"""Words outside links of a consent page; Yahoo's and Google's have some 250."""
MAX_WORDS_BESIDE_CONSENT: Final = 15
MIN_CONSENT_WORDS: Final = 10
_CLEAR, _LIKELY_WALL = 0.9, 0.75
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
    return signals.blocked("a login: a field asks for a password", _LIKELY_WALL)


def find_consent_wall(signals: PageSignals) -> Obstacle | None:
    """Find a consent form or box on a page with nothing else."""
    if signals.plain_words > MAX_CONSENT_WORDS:
        return None
    if mark := signals.find_mark(CONSENT_FORMS):
        return signals.blocked(f"{mark} and nothing else", _CLEAR)
    rows = signals.marked(CONSENT_BOXES)
    if not rows.any():
        return None
    inside = signals.plain_words_within(rows)
    beside = signals.plain_words - inside
    if inside < MIN_CONSENT_WORDS or beside > min(MAX_WORDS_BESIDE_CONSENT, inside // 2):
        return None
    what = f"a consent box of {format_count(inside, 'word')} and nothing else"
    return signals.blocked(what, _LIKELY_WALL)


# -- redirects and frames --------------------------------------------------------------------------

_FRAME, _FRAMESET, _IFRAME, _META = (
    CODE_OF[name] for name in ("frame", "frameset", "iframe", "meta")
)
MAX_REDIRECT_WORDS: Final = 40
"""Shown words of a page that only redirects: a notice and a link."""
MAX_SCRIPTED_WORDS: Final = 15
"""Shown words of a page that a script redirects; other scripts may navigate on a click."""
MAX_SCRIPTED_SOURCE_CHARS: Final = 10_000
MAX_FRAMED_WORDS: Final = 5
MAX_FRAMES: Final = 20
MAX_QUOTED_CHARS: Final = 80

_REFRESH: Final = re.compile(r"[\d.]+ ?[;, ] ?(?:url ?= ?)?[\"']?([^\"']+)", re.IGNORECASE)
"""A meta refresh to another address, spaces collapsed (HTML Living Standard, 4.2.5.3)."""
_SCRIPTED: Final = re.compile(
    r"\blocation(?:\.href)?\s*=(?!=)\s*[\"'`]|\blocation\.(?:replace|assign)\s*\("
)
_NO_CONTENT: Final = re.compile(r"googletagmanager|doubleclick|facebook\.com/tr|about:blank", re.I)
"""Frames that count visits."""
_SURE, _LIKELY_REDIRECT, _WEAK = 0.95, 0.8, 0.6


def find_redirect(signals: PageSignals) -> Obstacle | None:
    """Find a page that redirects by a meta refresh or a script."""
    page = signals.page
    if signals.shown_words > MAX_REDIRECT_WORDS:
        return None
    for row, _ in signals.matches("http-equiv", word(b"refresh")):
        target = _REFRESH.match(" ".join((page.attr(row, "content") or "").split()))
        if target and page.tag[row] == _META and not page.hidden[row] & np.uint8(Hidden.NOSCRIPT):
            where = target[1].strip()[:MAX_QUOTED_CHARS]
            return signals.needs_browser(f"It refreshes to {where}", _SURE)
    if (
        signals.shown_words <= MAX_SCRIPTED_WORDS
        and len(page.source) <= MAX_SCRIPTED_SOURCE_CHARS
        and any(map(_SCRIPTED.search, inline_scripts(page.source)))
    ):
        return signals.needs_browser("A script leads to another page", _LIKELY_REDIRECT)
    return None


def find_frames(signals: PageSignals) -> Obstacle | None:
    """Find a page whose text is in the frames it shows."""
    page = signals.page
    if signals.shown_words > MAX_REDIRECT_WORDS:
        return None
    frames = int((page.tag == _FRAME).sum())
    if frames and (page.tag == _FRAMESET).any():
        what = f"The text is in a frameset of {format_count(frames, 'frame')}"
        return signals.needs_browser(what, _SURE)
    if signals.shown_words <= MAX_FRAMED_WORDS and not signals.pictures:
        for row in np.flatnonzero(page.tag == _IFRAME)[:MAX_FRAMES].tolist():
            src = page.attr(row, "src") or ""
            if src and not _NO_CONTENT.search(src) and not page.hidden[row]:
                what = f"The text is in a frame, {src[:MAX_QUOTED_CHARS]}"
                return signals.needs_browser(what, _WEAK)
    return None


# -- scripts that would write the page -------------------------------------------------------------

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
_LIKELY, _STEP = 0.7, 0.1


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
    reasons = [f"the application's root `{root}` is empty", *reasons]
    return _browser(signals, reasons, words, confidence)


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
        return _browser(signals, [loaded, *reasons], signals.plain_words, confidence)
    # Nothing is shown, but scripts or styles are loaded for it.
    if not page.leaves.size and (signals.scripts or (page.tag == _LINK).any()):
        reasons = ["scripts or styles but nothing to show", *reasons]
        return _browser(signals, reasons, 0, _WEAK)
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
    what = f"{format_count(in_scripts, 'word')} of prose stand in scripts only"
    return signals.needs_browser(what, _LIKELY, words)


def _own_words(signals: PageSignals) -> int:
    """Count words outside links and outside a consent box."""
    rows = signals.marked(CONSENT_BOXES)
    return signals.plain_words - (signals.plain_words_within(rows) if rows.any() else 0)


def _empty_root(signals: PageSignals) -> str | None:
    page = signals.page
    roots = [(row, f"{page.name(row)}#{value}") for row, value in signals.matches("id", _ROOTS)]
    tags = {tag.start(): tag[1].decode() for tag in _CUSTOM_ROOTS.finditer(page.buffer)}
    rows = np.searchsorted(page.open_start, np.array(list(tags), np.int64)).tolist()
    roots += zip(rows, tags.values(), strict=True)
    roots += [(row, "main") for row in np.flatnonzero(page.tag == _MAIN).tolist()]
    for row, name in roots[:MAX_ROOTS]:
        if page.hidden[row] & np.uint8(Hidden.NOSCRIPT | Hidden.TEMPLATE):
            continue
        n_word, n_picture = signals.words_of(row), signals.pictures_of(row)
        if n_word <= MAX_WORDS_IN_ROOT and n_picture <= MAX_PICTURES_IN_ROOT:
            return name
    return None


def _support(signals: PageSignals) -> tuple[list[str], float]:
    """Return further evidence that scripts write the page, and the confidence it gives."""
    reasons, confidence = [], _LIKELY
    if signals.noscript_words >= MIN_NOSCRIPT_WORDS:
        reasons.append("there is a message for browsers without scripts")
        confidence += _STEP
    source = signals.page.source
    for state in STATES:
        check_deadline()
        if state in source:
            return [*reasons, f"data is kept in `{state}`"], confidence + _STEP
    return reasons, confidence


def _browser(signals: PageSignals, reasons: list[str], words: int, confidence: float) -> Obstacle:
    return signals.needs_browser(", ".join(reasons), round(min(confidence, _SURE), 2), words)
