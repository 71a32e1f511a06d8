"""Removal of tracking parameters and redirects from link addresses.

Campaigns, mailings and click counters append parameters to links; search engines and networks send
readers through a redirect of their own first. Neither changes where a link leads. Those that are
known are listed here; everything else in an address is kept byte for byte.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote, urlsplit

from thresher.support.bounded_cache import MAX_ADDRESS_CHARS
from thresher.support.late import compile_late

__all__ = ["clean_address"]

_PREFIXES: Final = (
    "utm_",  # Google Analytics, and others that adopted its names
    "mtm_",  # Matomo
    "pk_",  # Matomo under its former name, Piwik
    "bsft_",  # Blueshift
    "guce_",  # Yahoo
    "__hs",  # HubSpot
    "_hs",
)
_NAMES: Final = frozenset(
    (
        "_ga _gl dclid gad_campaignid gad_source gbraid gclid gclsrc srsltid wbraid"  # Google
        " fb_action_ids fb_action_types fb_ref fb_source fbclid igsh igshid"  # Meta
        " msclkid"  # Microsoft Advertising
        " twclid"  # X
        " ttclid"  # TikTok
        " li_fat_id"  # LinkedIn
        " epik"  # Pinterest
        " rdt_cid"  # Reddit
        " _openstat yclid ysclid"  # Yandex
        " ef_id s_kwcid"  # Adobe Advertising
        " at_campaign at_medium xtor"  # AT Internet
        " mc_cid mc_eid"  # Mailchimp
        " hsctatracking"  # HubSpot
        " mkt_tok"  # Marketo
        " ml_subscriber ml_subscriber_hash"  # MailerLite
        " ck_subscriber_id"  # Kit
        " vero_conv vero_id"  # Vero
        " oly_anon_id oly_enc_id"  # Omeda
        " dm_i"  # Dotdigital
        " trk_contact trk_module trk_msg trk_sid"  # Listrak
        " _branch_match_id _branch_referrer"  # Branch
        " wickedid"  # Wicked Reports
        " guccounter"  # Yahoo
    ).split()
)
"""Parameters that identify a click or its origin, by the service that sets them; lower case.

Collected by hand from the documentation of these services. Names that select content on some sites
(`ref`, `source`, `cid`) are left out.
"""
_MAYBE: Final = compile_late(
    rf"[?&#;](?:{'|'.join(map(re.escape, (*_PREFIXES, *sorted(_NAMES))))})", re.IGNORECASE
)
_REDIRECTS: Final[tuple[tuple[re.Pattern[str], str, tuple[str, ...]], ...]] = (
    (re.compile(r"(?:www\.)?google\.[a-z.]{2,6}"), "/url", ("q", "url")),
    (re.compile(r"(?:l|lm)\.(?:facebook|instagram)\.com"), "/l.php", ("u",)),
    (re.compile(r"l\.instagram\.com"), "/", ("u",)),
    (re.compile(r"(?:www\.)?facebook\.com"), "/l.php", ("u",)),
    (re.compile(r"(?:www\.)?youtube\.com"), "/redirect", ("q",)),
    (re.compile(r"duckduckgo\.com"), "/l/", ("uddg",)),
    (re.compile(r"(?:www\.)?linkedin\.com"), "/redir/redirect", ("url",)),
    (re.compile(r"vk\.com"), "/away.php", ("to",)),
    (re.compile(r"steamcommunity\.com"), "/linkfilter/", ("url", "u")),
    (re.compile(r"slack-redir\.net"), "/link", ("url",)),
    (re.compile(r"\w+\.safelinks\.protection\.outlook\.com"), "/", ("url",)),
)
"""Host, path, and the parameters that hold the target address."""
_MAYBE_REDIRECT: Final = compile_late(
    r"https?://[\w.-]*(?:google|facebook|instagram|youtube|duckduckgo|linkedin|vk|steamcommunity"
    r"|slack-redir|outlook)\.[a-z.]{1,40}/[^?#]*\?",
    re.IGNORECASE,
)
_WEB: Final = re.compile(r"https?://[^\s/]", re.IGNORECASE)
_MAX_REDIRECTS: Final = 3
"""Nested redirects that are resolved."""


def clean_address(url: str) -> str:
    """Return an address without the parameters and redirects that only count clicks."""
    if not ("?" in url or "#" in url or "&" in url or ";" in url):
        return url
    for _ in range(_MAX_REDIRECTS):
        target = _redirect_target(url) if _MAYBE_REDIRECT.match(url) else None
        if target is None:
            break
        url = target
    if not _MAYBE.search(url):
        return url
    head, hash_sign, fragment = url.partition("#")
    path, mark, query = head.partition("?")
    query, fragment = _without_tracking(query), _without_tracking(fragment)
    return f"{path}{mark if query else ''}{query}{hash_sign if fragment else ''}{fragment}"


def _without_tracking(query: str) -> str:
    """Return the other parameters, in their original order and spelling."""
    parameters = query.split("&")
    kept = [each for each in parameters if not _tracks(each)]
    return query if len(kept) == len(parameters) else "&".join(kept)


def _tracks(parameter: str) -> bool:
    name = parameter.removeprefix("amp;").partition("=")[0].lower()
    return name in _NAMES or name.startswith(_PREFIXES)


def _redirect_target(url: str) -> str | None:
    """Return the target of a redirect; None for any other address."""
    if len(url) > MAX_ADDRESS_CHARS:
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return None
    for pattern, path, names in _REDIRECTS:
        if parts.path != path or not pattern.fullmatch(host):
            continue
        values = dict(each.partition("=")[::2] for each in reversed(parts.query.split("&")))
        targets = (unquote(values.get(name, "").replace("+", "%20")) for name in names)
        return next((target for target in targets if _WEB.match(target)), None)
    return None
