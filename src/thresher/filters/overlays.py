"""What lies in front of a page and asks for something: consent to cookies, an address for letters.

These filters are today's; the paper knows none. A page's own markup is all they see, so boxes that
a script would put in front are met at the script: those of the services most sites use are known by
their hosts. Where the page holds nothing else, all stays as it is: that is a wall, not an overlay.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.analysis.obstacles.page_signals import PageSignals
from thresher.analysis.obstacles.walls import consent_rows
from thresher.filters.ads import hosts_within
from thresher.filters.blocklist import BlockList
from thresher.filters.case import BoolArray, Case, whole
from thresher.page.hidden import Hidden
from thresher.page.tags import CODE_OF, flags_of

__all__ = ["find_backdrops", "find_consent", "find_consent_scripts", "find_newsletters"]

_DIALOG: Final = CODE_OF["dialog"]
_BODY: Final = flags_of("html head body main article frameset")
"""Elements that are the page, or hold what it is about."""
_CONTENT: Final = flags_of("main article")
_ROLE: Final = whole(rb"dialog|alertdialog")
_FIXED: Final = rb"(?<![\w-])position\s*:\s*(?:fixed|sticky)"
_NOUN: Final = (
    rb"(?:bar|banner|box|dialog|drawer|interstitial|layer|lightbox|modal|overlay|pop-?up|prompt"
    rb"|slide-?in|slide-?up|toast|wall)"
)
_ASKS: Final = (
    rb"(?:newsletter|subscribe|subscription|sign-?up|mailing-?list|e?mail-?(?:capture|signup)"
    rb"|push-?notifications?|notification-?prompt|app-?(?:banner|install|promo)|exit-?intent)"
)
_NEWSLETTER_NAMES: Final = (
    rb"(?<![a-z0-9])" + _ASKS + rb"[\w-]{0,20}?[-_]" + _NOUN + rb"(?![a-z])",
    rb"(?<![a-z0-9])" + _NOUN + rb"[-_][\w-]{0,20}?" + _ASKS + rb"(?![a-z])",
    rb"(?<![\w-])(?:smart-?app-?banner|smartbanner|mc-modal|pum-overlay|regwall|exit-intent)",
)
"""Names that say both what it asks and that it lies in front."""
_NEWSLETTER_MARKS: Final = (
    *(b"newsletter", b"subscri", b"sign", b"mail", b"push", b"notification", b"app", b"exit"),
    *(b"smartbanner", b"mc-modal", b"pum-", b"regwall"),
)
"""One of these is in whatever the names match; so below."""
_CONSENT_MARKS: Final = (
    *(b"cookie", b"consent", b"gdpr", b"onetrust", b"usercentrics", b"didomi", b"truste"),
    *(b"cmp", b"sp_message", b"iubenda", b"klaro", b"uc-banner", b"cc-window", b"osano", b"termly"),
)
_BACKDROP_MARKS: Final = (
    *(b"backdrop", b"overlay", b"mask", b"curtain", b"shade", b"dimmer", b"background", b"bg"),
    *(b"onetrust-pc-dark-filter", b"qc-cmp-ui-container"),
)
_BACKDROP_NAMES: Final = (
    rb"(?<![\w-])(?:(?:modal|overlay|pop-?up|lightbox|dialog|consent|cookies?|newsletter|gdpr)[-_]*)"
    rb"(?:backdrop|overlay|mask|curtain|shade|dimmer|background|bg)(?![\w-])"
    rb"|(?<![\w-])(?:backdrop|onetrust-pc-dark-filter|qc-cmp-ui-container)(?![\w-])"
)
_CONSENT_WORDS: Final = (
    *("cookie", "consent", "gdpr", "dsgvo", "datenschutz", "einwilligung", "confidentialité"),
    *("consentement", "privacidad", "privacidade", "consentimiento", "consentimento"),
    *("riservatezza", "consenso", "toestemming", "samtycke", "samtykke", "suostumus"),
    *("soubory", "zgod", "согласие", "隐私", "隱私", "同意", "クッキー", "쿠키"),
)
_NEWSLETTER_WORDS: Final = (
    *("newsletter", "subscribe to", "mailing list", "sign up for", "join our", "our app"),
    *("abonnieren", "abonnez", "inscrivez", "suscríbete", "suscribete", "inscreva", "iscriviti"),
    *("nieuwsbrief", "nyhetsbrev", "nyhedsbrev", "uutiskirje", "рассыл", "订阅", "訂閱"),
    *("メールマガジン", "뉴스레터"),
)
_READ_CHARS: Final = 2000
"""Characters of a dialog that are searched for such words: what it asks stands at its top."""
_MIN_WORDS_BESIDE: Final = 20
"""Words that a page must have beside its overlays; with less, they are the page."""
_MAX_SHARE: Final = 0.5
"""Share of a page's words above which a box that is only named so is a wrapper of the page."""
_CONSENT_HOSTS: Final = BlockList.parse(
    # By the scripts that these services ask sites to include.
    """
    app.usercentrics.eu cdn-cookieyes.com cdn.consentmanager.net cdn.cookielaw.org cdn.iubenda.com
    cdn.privacy-mgmt.com cmp.inmobi.com cmp.osano.com cmp.quantcast.com cmp.uniconsent.com
    cmp.usercentrics.eu consensu.org consent.cookiebot.com consent.cookiefirst.com
    consent.trustarc.com consentcdn.cookiebot.com consentmanager.net cookie-cdn.cookiepro.com
    cookiehub.net fundingchoicesmessages.google.com optanon.blob.core.windows.net
    privacy-center.org quantcast.mgr.consensu.org sp-prod.net termly.io transcend-cdn.com
    web.cmp.usercentrics.eu
    """.split()
)
"""Hosts of services that ask for consent on behalf of sites, from general knowledge."""


def find_consent(case: Case) -> BoolArray:
    """Flag the boxes in front that ask for consent to cookies; bool[n_row]."""
    found = _find_asking(case, _find_dialogs(case), _CONSENT_WORDS)
    if case.holds_word(_CONSENT_MARKS):
        found |= consent_rows(PageSignals(case.page))
    return _settle(case, found)


def find_newsletters(case: Case) -> BoolArray:
    """Flag the boxes in front that ask to subscribe or install; bool[n_row].

    A dialog that is not open is left, unless its name says what it is: a click may open it.
    """
    named = case.named(_NEWSLETTER_MARKS, *_NEWSLETTER_NAMES)
    is_open = (case.page.hidden & np.uint8(Hidden.ATTRIBUTE | Hidden.STYLE | Hidden.ARIA)) == 0
    dialogs = _find_dialogs(case) & is_open
    return _settle(case, named | _find_asking(case, dialogs, _NEWSLETTER_WORDS))


def find_backdrops(case: Case) -> BoolArray:
    """Flag the empty boxes that darken a page behind an overlay; bool[n_row]."""
    page = case.page
    named = case.named(_BACKDROP_MARKS, _BACKDROP_NAMES)
    empty: BoolArray = page.leaf_offset[page.end] == page.leaf_offset[:-1]
    return named & empty & ~_BODY[page.tag]


def find_consent_scripts(case: Case) -> BoolArray:
    """Flag what loads from services that ask for consent on behalf of sites; bool[n_row]."""
    return hosts_within(case, lambda host: _CONSENT_HOSTS.blocks_host(host, case.host))


def _find_dialogs(case: Case) -> BoolArray:
    """Flag dialogs, by what they say of themselves, and boxes fixed by their own style."""
    rows = case.flag(case.matching("role", _ROLE))
    rows |= case.flag(case.matching("aria-modal", whole(rb"true")))
    rows |= case.flag(case.matching("style", _FIXED))
    rows |= (case.page.tag == _DIALOG) & case.flag(case.rows_with("open"))
    return rows


def _find_asking(case: Case, boxes: BoolArray, words: tuple[str, ...]) -> BoolArray:
    """Flag those of some boxes whose text begins with one of these words in it."""
    page = case.page
    rows = []
    for row in np.flatnonzero(boxes & ~page.below(boxes)).tolist():
        start, stop = page.text_offset[row], page.text_offset[page.end[row]]
        text = page.text[start : min(stop, start + _READ_CHARS)].casefold()
        if any(word in text for word in words):
            rows.append(row)
    return case.flag(rows)


def _settle(case: Case, found: BoolArray) -> BoolArray:
    """Leave out what holds the page's content or a login, and all where nothing would be left."""
    page = case.page
    n_word = np.diff(page.words_before)
    words = page.words_before[page.end] - page.words_before[:-1]
    passwords = case.flag(case.matching("type", whole(rb"password")))
    holds = page.subtree_sums(_CONTENT[page.tag] | passwords) > 0
    found = found & ~_BODY[page.tag] & ~holds & (words <= _MAX_SHARE * max(1, int(n_word.sum())))
    if not found.any():
        return found
    beside = int(n_word[~page.within(found)].sum())
    return found if beside >= _MIN_WORDS_BESIDE else np.zeros_like(found)
