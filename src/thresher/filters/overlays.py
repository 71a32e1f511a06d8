"""Overlays in front of a page: consent dialogs, newsletter forms and the like.

These filters are not in the paper. They see only the page's own markup, so boxes that a script
would add are prevented by removing the script: those of the most common services are known by their
hosts. If a page contains nothing else, it is left unchanged: that is a wall, not an overlay.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.analysis.obstacles.absence import CONSENT_BOXES
from thresher.analysis.obstacles.page_signals import PageSignals
from thresher.filters.ads import hosts_within
from thresher.filters.blocklist import BlockList
from thresher.filters.filter_context import FilterContext
from thresher.page.attributes import whole
from thresher.page.hidden import Hidden
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of

_DIALOG: Final = flags_of("dialog")
_BODY: Final = flags_of("html head body main article frameset")
"""Elements that are the page or contain its main content."""
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
"""Names that indicate both the request and an overlay."""
_NEWSLETTER_MARKS: Final = tuple(
    (
        b"newsletter subscri sign mail push notification app exit smartbanner mc-modal pum- regwall"
    ).split()
)
"""Every matching name contains one of these; the same applies below."""
_CONSENT_MARKS: Final = tuple(
    (
        b"cookie consent gdpr onetrust usercentrics didomi truste cmp sp_message iubenda "
        b"klaro uc-banner cc-window osano termly"
    ).split()
)
_BACKDROP_MARKS: Final = tuple(
    (
        b"backdrop overlay mask curtain shade dimmer background bg onetrust-pc-dark-filter "
        b"qc-cmp-ui-container"
    ).split()
)
_BACKDROP_NAMES: Final = (
    rb"(?<![\w-])(?:(?:modal|overlay|pop-?up|lightbox|dialog|consent|cookies?|newsletter|gdpr)[-_]*)"
    rb"(?:backdrop|overlay|mask|curtain|shade|dimmer|background|bg)(?![\w-])"
    rb"|(?<![\w-])(?:backdrop|onetrust-pc-dark-filter|qc-cmp-ui-container)(?![\w-])"
)
_CONSENT_WORDS: Final = tuple(
    (
        "cookie consent gdpr dsgvo datenschutz einwilligung confidentialité consentement "
        "privacidad privacidade consentimiento consentimento riservatezza consenso "
        "toestemming samtycke samtykke suostumus soubory zgod согласие 隐私 隱私 同意 クッキー 쿠키"
    ).split()
)
_NEWSLETTER_WORDS: Final = tuple(
    (
        "newsletter,subscribe to,mailing list,sign up for,join our,our app,abonnieren,"
        "abonnez,inscrivez,suscríbete,suscribete,inscreva,iscriviti,nieuwsbrief,nyhetsbrev,"
        "nyhedsbrev,uutiskirje,рассыл,订阅,訂閱,メールマガジン,뉴스레터"
    ).split(",")
)
_READ_CHARS: Final = 2000
"""Characters at the beginning of a dialog that are searched for such words."""
_MIN_WORDS_BESIDE: Final = 20
"""Minimum words of a page besides its overlays; with fewer, the overlays are the page."""
_MAX_SHARE: Final = 0.5
"""Share of a page's words above which a box with only such a name is a wrapper of the page."""
_CONSENT_HOSTS: Final = BlockList.parse(
    # From the scripts that these services ask sites to include.
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
"""Hosts of consent management services, from general knowledge."""


def find_consent(context: FilterContext) -> BoolArray:
    """Flag the overlays that ask for consent to cookies; bool[n_row]."""
    overlays = _find_asking(context, _find_dialogs(context), _CONSENT_WORDS)
    if context.holds_word(_CONSENT_MARKS):
        overlays |= PageSignals(context.page).marked(CONSENT_BOXES)
    return _settle(context, overlays)


def find_newsletters(context: FilterContext) -> BoolArray:
    """Flag the overlays that ask to subscribe or install; bool[n_row].

    A closed dialog is left unless its name identifies it: a click may open it.
    """
    named = context.named(_NEWSLETTER_MARKS, *_NEWSLETTER_NAMES)
    is_open = (context.page.hidden & np.uint8(Hidden.ATTRIBUTE | Hidden.STYLE | Hidden.ARIA)) == 0
    dialogs = _find_dialogs(context) & is_open
    return _settle(context, named | _find_asking(context, dialogs, _NEWSLETTER_WORDS))


def find_backdrops(context: FilterContext) -> BoolArray:
    """Flag the empty boxes that darken a page behind an overlay; bool[n_row]."""
    page = context.page
    named = context.named(_BACKDROP_MARKS, _BACKDROP_NAMES)
    empty: BoolArray = page.leaf_offset[page.end] == page.leaf_offset[:-1]
    return named & empty & ~_BODY[page.tag]


def find_consent_scripts(context: FilterContext) -> BoolArray:
    """Flag elements that load from consent management services; bool[n_row]."""
    return hosts_within(context, lambda host: is_consent_service(host, context.host))


def is_consent_service(host: str, page_host: str | None = None) -> bool:
    """Return whether a host is that of a consent management service, other than the page's own."""
    return _CONSENT_HOSTS.blocks_host(host, page_host)


def _find_dialogs(context: FilterContext) -> BoolArray:
    """Flag dialogs, by element or role, and boxes fixed by their own style attribute."""
    page = context.page
    return (
        context.matching("role", _ROLE)
        | context.matching("aria-modal", whole(rb"true"))
        | context.matching("style", _FIXED)
        | (_DIALOG[page.tag] & page.flag(page.attributes.rows_named("open")))
    )


def _find_asking(context: FilterContext, boxes: BoolArray, words: tuple[str, ...]) -> BoolArray:
    """Flag those of some boxes with one of these words at the beginning of their text."""
    page = context.page
    rows = []
    for row in np.flatnonzero(boxes & ~page.below(boxes)).tolist():
        start, stop = page.text_offset[row], page.text_offset[page.end[row]]
        text = page.text[start : min(stop, start + _READ_CHARS)].casefold()
        if any(word in text for word in words):
            rows.append(row)
    return context.page.flag(rows)


def _settle(context: FilterContext, overlays: BoolArray) -> BoolArray:
    """Exclude boxes with the page's content or a login; all if nothing else would remain."""
    if not overlays.any():
        return overlays
    page = context.page
    n_word = np.diff(page.words_before)
    words = page.subtree_words
    passwords = context.matching("type", whole(rb"password"))
    holds = page.subtree_sums(_CONTENT[page.tag] | passwords) > 0
    overlays = (
        overlays & ~_BODY[page.tag] & ~holds & (words <= _MAX_SHARE * max(1, int(n_word.sum())))
    )
    if not overlays.any():
        return overlays
    beside = int(n_word[~page.within(overlays)].sum())
    return overlays if beside >= _MIN_WORDS_BESIDE else np.zeros_like(overlays)
