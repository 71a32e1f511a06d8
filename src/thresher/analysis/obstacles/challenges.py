"""Pages sent in place of others, by signature: bot checks, denials, parked domains.

The tables of signatures are from the vendors' documentation, from the source of their modules, or
from recorded pages; a comment says which where it matters. The pitfall is that the same services
leave marks on the ordinary pages they protect: of 3,126 pages with content, 144 have Cloudflare's
`/cdn-cgi/challenge-platform/`, 115 a `g-recaptcha`, 16 HUMAN's `_pxAppId` and 13 Imperva's
`_Incapsula_Resource`. Hence two groups: the marks in `CHALLENGES`, `INLINE`, `TEXTS` and `PARKING`
are on none of those pages, whatever their length, except two that really are bot checks; those in
`GUARDS` and `CAPTCHAS` are evidence only on a page with nothing else.

Patterns of marks are matched in lower case, see `PageSignals.matches`; `INLINE` and `TEXTS` are
matched against the unchanged source and text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import numpy as np

from thresher.analysis.obstacles import Obstacle
from thresher.analysis.obstacles.page_signals import Mark, PageSignals, word
from thresher.page.tags import CODE_OF

CHALLENGES: Final[tuple[Mark, ...]] = (
    # Cloudflare. Challenge pages load the orchestrator; `…/scripts/jsd/` is on ordinary pages
    # (developers.cloudflare.com, "JavaScript Detections"). Error and block pages are of the 5xx
    # and 1xxx kinds ("Cloudflare 5XX errors", "Cloudflare 1xxx errors").
    Mark(
        "src",
        rb"/cdn-cgi/challenge-platform/[^\0]{0,99}/orchestrate/",
        "Cloudflare's challenge page",
    ),
    Mark("id", word(rb"challenge-(?:error-text|running|stage)"), "Cloudflare's challenge page"),
    Mark("class", word(rb"cf-browser-verification"), "Cloudflare's challenge page"),
    Mark("id", word(rb"cf-error-details"), "Cloudflare's error page"),
    Mark("class", word(rb"cf-error-details(?:-wrapper)?"), "Cloudflare's error page"),
    # DataDome: blocked requests get a script or frame of this host; the tag on ordinary pages is
    # at js.datadome.co (docs.datadome.co, "Block page", "JavaScript tag").
    Mark("src", rb"//(?:ct|geo|c)\.captcha-delivery\.com/", "DataDome's block page"),
    # HUMAN, formerly PerimeterX: a meta of its block page. The container of its captcha is with
    # the widgets: some sites have it on every page.
    Mark("content", word(rb"px-captcha"), "HUMAN's (PerimeterX) block page"),
    # Imperva, formerly Incapsula: the block page is a frame with an incident number; the bare
    # resource is on ordinary pages.
    Mark("src", rb"/_incapsula_resource\?[^\0]{0,999}incident_id=", "Imperva's block page"),
    Mark("src", rb"/_incapsula_resource\?cwudnsai=", "Imperva's block page"),
    # Akamai Bot Manager: the challenge's container, and a refresh with a token. Denials are
    # detected by their text.
    Mark("id", word(rb"sec-(?:if-)?cpt-(?:container|if)"), "Akamai's challenge page"),
    Mark("content", rb"[?&]bm-verify=", "Akamai's challenge page"),
    Mark("href", rb"//errors\.edgesuite\.net/", "Akamai's block page"),
    # Others, each with a unique path or id.
    Mark("src", rb"/\.well-known/ddos-guard/(?:js-challenge|ddg-captcha)", "DDoS-Guard's check"),
    Mark("src", rb"/\.well-known/vercel/security/", "Vercel's security checkpoint"),
    Mark("src", rb"/\.within\.website/x/cmd/anubis/", "Anubis's check"),
    Mark("href", rb"/\.within\.website/x/(?:cmd/anubis|xess)/", "Anubis's check"),
    Mark("id", word(rb"anubis_challenge"), "Anubis's check"),
    Mark("content", rb"/\.well-known/sgcaptcha/", "SiteGround's captcha"),
    Mark("href", rb"/\.safeline/static/", "SafeLine's block page"),
    Mark("href", rb"cdn\.sucuri\.net/sucuri-firewall-block", "Sucuri's block page"),
    Mark("src", rb"//(?:captcha|validate|cas)\.perfdrive\.com/", "Radware's captcha page"),
    Mark("src", rb"_____tmd_____/punish", "Alibaba's captcha page"),
    Mark("href", rb"_____tmd_____/punish", "Alibaba's captcha page"),
    Mark("action", rb"/errors/validatecaptcha", "Amazon's robot check"),
    Mark("id", word(rb"captcha-form"), "a page that is only a captcha form"),
)
"""Marks found only on pages sent in place of others; `INLINE` has those in scripts."""

INLINE: Final[tuple[tuple[str, str], ...]] = (
    ("_cf_chl_opt", "Cloudflare's challenge page"),
    ("window.gokuProps", "AWS WAF's challenge page"),  # docs.aws.amazon.com/waf: the interstitial
    ("AwsWafIntegration.checkForceRefresh", "AWS WAF's challenge page"),
    ("captcha-delivery.com/c.js", "DataDome's block page"),
    ("triggerInterstitialChallenge", "Akamai's challenge page"),
    ("sucuri_cloudproxy_js", "Sucuri's challenge page"),
    ("SafeLineChallenge", "SafeLine's challenge page"),
    ("/.well-known/vercel/security/", "Vercel's security checkpoint"),
    ("_____tmd_____/punish", "Alibaba's captcha page"),
    ("acw_sc__v2", "Alibaba Cloud WAF's challenge page"),
    ("window.LANDER_SYSTEM", "a parked domain's page (GoDaddy)"),
    ('location.href="/lander"', "a parked domain's page (GoDaddy)"),
)
"""Case-sensitive names in inline scripts found on no ordinary page, and what they indicate."""

GUARDS: Final[tuple[Mark, ...]] = (
    # Scripts of the same services on ordinary pages: evidence only on a page with nothing else.
    Mark("src", rb"/_incapsula_resource\?", "Imperva's script"),
    Mark("src", rb"/cdn-cgi/challenge-platform/", "Cloudflare's script"),
    Mark("src", rb"\.awswaf\.com/", "AWS WAF's script"),
    Mark("src", rb"/[0-9a-f-]{36}/[0-9a-f-]{36}/(?:ips|p)\.js", "Kasada's script"),
    Mark("src", rb"//(?:client|captcha)\.(?:px-cloud|px-cdn|perimeterx)\.net/", "HUMAN's script"),
    Mark("src", rb"//js\.datadome\.co/", "DataDome's script"),
    Mark("src", rb"/_sec/cp_challenge/", "Akamai's script"),
    Mark("src", rb"//check\.ddos-guard\.net/", "DDoS-Guard's script"),
    Mark("src", rb"//[\w.-]+\.arkoselabs\.com/", "Arkose Labs' script"),
)

CAPTCHAS: Final[tuple[Mark, ...]] = (
    # Widgets that vendors document for any form: evidence only if they are the page's only
    # purpose.
    Mark("class", word(rb"g-recaptcha"), "a reCAPTCHA"),
    Mark("src", rb"/recaptcha/(?:api2|enterprise)/(?:anchor|bframe)", "a reCAPTCHA"),
    Mark("class", word(rb"h-captcha"), "an hCaptcha"),
    Mark("src", rb"//newassets\.hcaptcha\.com/", "an hCaptcha"),
    Mark("class", word(rb"cf-turnstile"), "a Cloudflare Turnstile"),
    Mark("class", word(rb"frc-captcha"), "a Friendly Captcha"),
    Mark("class", word(rb"geetest_\w+"), "a GeeTest captcha"),
    Mark("id", word(rb"tencentcaptcha"), "a Tencent captcha"),
    Mark("id", word(rb"px-captcha(?:-\w+)?"), "HUMAN's (PerimeterX) captcha"),
    Mark("src", rb"/(?:captcha|kaptcha|verifycode|validatecode)(?:\.\w+)?(?![^\0?])", "a captcha"),
)

TITLES: Final[dict[str, str]] = {
    "attention required! | cloudflare": "Cloudflare's block page",
    "access to this page has been denied": "HUMAN's (PerimeterX) block page",
    "access to this page has been denied.": "HUMAN's (PerimeterX) block page",
    "pardon our interruption": "Imperva's bot check",
    "pardon our interruption...": "Imperva's bot check",
    "radware captcha page": "Radware's captcha page",
    "radware bot manager captcha": "Radware's captcha page",
    "vercel security checkpoint": "Vercel's security checkpoint",
    "ddos-guard": "DDoS-Guard's check",
    "sucuri website firewall - access denied": "Sucuri's block page",
    "making sure you're not a bot!": "Anubis's check",
}
"""Whole titles in lower case, as shipped by vendors, that no other page would have."""

DEFAULT_TITLES: Final[dict[str, str]] = {
    "welcome to nginx!": "nginx's default page",
    "welcome to openresty!": "OpenResty's default page",
    "apache2 ubuntu default page: it works": "Apache's default page",
    "apache2 debian default page: it works": "Apache's default page",
    "test page for the apache http server": "Apache's default page",
    "iis windows server": "IIS's default page",
    "iis windows": "IIS's default page",
    "domain default page": "Plesk's default page",
}
"""Titles of servers' default pages."""

VAGUE_TITLES: Final[dict[str, str]] = {
    "just a moment...": "Cloudflare's challenge page",
    "human verification": "AWS WAF's captcha page",
    "request rejected": "F5's block page",
    "client challenge": "a bot check",
    "robot check": "Amazon's robot check",
    "one moment, please...": "a bot check",
    "verify you are human": "a bot check",
    "are you a robot?": "a bot check",
    "robot or human?": "a bot check",
    "bot verification": "a bot check",
    "security check": "a bot check",
    "account suspended": "a host's page for suspended accounts",
}
"""Whole titles in lower case that a longer page with content could have too."""

TEXTS: Final[tuple[tuple[str, str], ...]] = (
    # Reference numbers that CDNs print on denials.
    (r"Reference\s*#\d{1,3}\.[0-9a-f]{6,}\.\d{8,}\.[0-9a-f]{4,}", "Akamai's block page"),
    (r"Incapsula incident ID:", "Imperva's block page"),
    (r"Your support ID is:?\s*<?\d{10,}", "F5's block page"),
    (r"Generated by cloudfront \(CloudFront\)", "CloudFront's error page"),
    (r"Cloudflare Ray ID: ?\W*[0-9a-f]{16}\b", "Cloudflare's error page"),
    (r"XID: \d{5,}", "Varnish's error page"),
    (r"Details: cache-[\w-]+ \d{8,}", "Fastly's error page"),
)
"""Case-sensitive regular expressions for the text."""

PARKING: Final[tuple[Mark, ...]] = (
    # A key by which ad blockers allow ads on parked domains (help.eyeo.com, "Sitekeys").
    Mark("data-adblockkey", rb"[^\0]{40}", "a parked domain's page"),
    Mark("src", rb"[/.]sedoparking\.com/", "a parked domain's page (Sedo)"),
    Mark("src", rb"[/.]parkingcrew\.net/", "a parked domain's page (ParkingCrew)"),
    Mark("src", rb"[/.]bodis\.com/", "a parked domain's page (Bodis)"),
    Mark("src", rb"wsimg\.com/parking-lander/", "a parked domain's page (GoDaddy)"),
    Mark("src", rb"[/.]parklogic\.com/", "a parked domain's page (ParkLogic)"),
    Mark("href", rb"[/.]afternic\.com/(?:forsale|domain)/", "a domain's sales page"),
    Mark("href", rb"[/.]hugedomains\.com/domain_profile", "a domain's sales page"),
    Mark("href", rb"[/.]dan\.com/buy-domain/", "a domain's sales page"),
    Mark("href", rb"[/.]sedo\.com/search/details", "a domain's sales page"),
    Mark("content", rb"=/cgi-sys/(?:defaultwebpage|suspendedpage)\.cgi", "cPanel's default page"),
)
"""Marks of placeholder pages: the vendors' hosts and paths."""


# -- detection -------------------------------------------------------------------------------------

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

_SURE, _CLEAR, _LIKELY = 0.95, 0.9, 0.8
_INPUT, _TEXTAREA = CODE_OF["input"], CODE_OF["textarea"]
_TYPED: Final = frozenset(("", "text", "email", "search", "tel", "url", "number", "password"))
"""Types of input fields that accept typed text."""
_RESPONSE: Final = re.compile(r"captcha|response|code", re.IGNORECASE)
"""Names of the fields for a captcha's answer."""


def find_challenge(signals: PageSignals) -> Obstacle | None:
    """Find a mark unique to bot checks and denials: an attribute, a script, a text."""
    if signals.plain_words <= MAX_CHALLENGE_WORDS:
        if mark := signals.find_mark(CHALLENGES):
            return signals.blocked(str(mark), _SURE)
        # A page that shows such a name in its text is about it.
        source, text = signals.page.utf8, signals.page.text
        for name, what in INLINE:
            if source.find(name.encode(), 0, MAX_SOURCE_BYTES) >= 0 and name not in text:
                return signals.blocked(f"{what} (`{name}` in its source)", _SURE)
        for pattern, what in TEXTS:
            if match := re.search(pattern, text):
                return signals.blocked(f"{what} (its text has “{match.group()}”)", _CLEAR)
        if obstacle := _find_title(signals, TITLES, _CLEAR):
            return obstacle
    if signals.plain_words <= MAX_VAGUELY_TITLED_WORDS:
        return _find_title(signals, VAGUE_TITLES, _LIKELY)
    return None


def find_parking(signals: PageSignals) -> Obstacle | None:
    """Find a mark of placeholder pages: parked domains, default pages."""
    if signals.plain_words <= MAX_PARKING_WORDS and (mark := signals.find_mark(PARKING)):
        return signals.blocked(str(mark), _CLEAR)
    return _find_title(signals, DEFAULT_TITLES, _CLEAR)


def find_captcha(signals: PageSignals) -> Obstacle | None:
    """Find a captcha that is the page's only purpose: few words, no other field to fill in."""
    if signals.shown_words > 2 * MAX_CAPTCHA_WORDS or signals.plain_words > MAX_CAPTCHA_WORDS:
        return None
    mark = signals.find_mark(CAPTCHAS)
    if not mark or _has_fields(signals):
        return None
    return signals.blocked(f"{mark} and nothing to fill in", _LIKELY)


def find_guarded(signals: PageSignals) -> Obstacle | None:
    """Find a bot protection's script on a page with nothing else, not even its own scripts."""
    if (
        signals.shown_words > MAX_GUARDED_WORDS
        or signals.scripts > MAX_GUARDED_SCRIPTS
        or len(signals.page.source) > MAX_GUARDED_SOURCE_CHARS
    ):
        return None
    mark = signals.find_mark(GUARDS)
    return signals.blocked(f"{mark} and nothing else", _LIKELY) if mark else None


def _find_title(
    signals: PageSignals, titles: Mapping[str, str], confidence: float
) -> Obstacle | None:
    what = titles.get(signals.title.lower().replace("’", "'"))
    if what is None:
        return None
    return signals.blocked(f"{what} (its title is “{signals.title}”)", confidence)


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
