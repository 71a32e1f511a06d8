"""Normalisation of short texts and of addresses, and their comparison."""

from __future__ import annotations

import re
from html import unescape
from typing import Final
from urllib.parse import SplitResult, quote, urljoin, urlsplit

_ENTITY: Final = re.compile(
    r"&(?:amp;(?!lt;|gt;))?(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});"
)
"""A reference, also one that was escaped once more; `&amp;lt;` may be about markup."""
_INLINE_TAG: Final = re.compile(
    r"</?(?:a|abbr|b|br|cite|code|div|em|font|h[1-6]|i|img|li|p|q|s|small|span|strong|sub|sup|u|ul"
    r"|wbr)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
"""Markup left in headlines and descriptions; other tags may be their subject."""
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
"""Control characters, soft hyphens, zero-width spaces, marks of writing direction."""
_NOT_WORD: Final = re.compile(r"[\W_]+")
_ASCII_NOT_WORD: Final = bytes(code for code in range(128) if not chr(code).isalnum())
_TO_LOWER: Final = bytes(range(256)).lower()


def plain_text(text: str) -> str:
    """Return text on one line: entities decoded once more, remaining tags and white space removed.

    Content management systems often escape twice, so `&amp;` in a headline is never intended.
    """
    if is_plain(text):
        return text.strip()
    if "&" in text:
        text = _ENTITY.sub(lambda entity: unescape(unescape(entity[0])), text)
    if "<" in text:
        text = _INLINE_TAG.sub(" ", text)
    if not text.isprintable():  # none of these characters is
        text = _INVISIBLE.sub("", text)
    return " ".join(text.split())


def is_plain(text: str) -> bool:
    """Return whether a text, like most, has nothing to normalise but spaces around it."""
    return "&" not in text and "<" not in text and text.isprintable() and "  " not in text


def shorten(text: str, max_chars: int) -> str:
    """Cut text at the last space that keeps it within ``max_chars``, and mark the cut."""
    if len(text) <= max_chars:
        return text
    cut = text[: max_chars - 1]
    return (cut.rpartition(" ")[0] or cut).rstrip(" ,;:–-") + "…"


def words_of(table: str) -> frozenset[str]:
    """Return the set of words of a table written as text."""
    return frozenset(table.split())


def key_of(text: str) -> str:
    """Return letters and digits only, casefolded: equal for texts that read the same."""
    if text.isascii():  # most are, and this takes a fifth of the time
        return text.encode().translate(_TO_LOWER, _ASCII_NOT_WORD).decode()
    return _NOT_WORD.sub("", text).casefold()


# -- addresses -------------------------------------------------------------------------------------

MAX_URL_CHARS: Final = 2000
"""Longest address kept, in characters: accepted by every browser and server in use."""
_UNSAFE: Final = re.compile(r"[\s\x00-\x20\x7f-\x9f\"<>\\^`{|}]")
"""Characters that browsers escape in an address (URL Living Standard, 1.3), except non-ASCII
letters."""
_DOMAIN_LABELS: Final = 2
"""Last labels of a host that all hosts of a site share."""
_CC: Final = re.compile(
    r"\b(?:CC|Creative Commons)[ -]*(?P<terms>BY(?:-NC)?(?:-SA|-ND)?|0|Zero)"
    r"(?:[ -]*v?(?P<version>[1-4]\.[0-9]))?\b",
    re.IGNORECASE,
)
_CC_VERSION: Final = "4.0"
"""Version assumed if none is given: the newest (2013)."""


def absolute_url(href: str, base: str | None) -> str | None:
    """Resolve an address; None unless it is http or https with a host."""
    href = href.strip().replace("&amp;", "&")
    if not href or len(href) > MAX_URL_CHARS:
        return None
    try:
        url = urljoin(base or "", href)
        parts = urlsplit(url)
        host = host_of(parts)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host:
        return None
    return _UNSAFE.sub(lambda character: quote(character[0]), url)


def host_of(parts: SplitResult) -> str:
    """Return the host of an address in lower case; empty if it has none."""
    place = parts.netloc
    if "@" in place or ":" in place or "[" in place or "%" in place:
        return parts.hostname or ""
    return place.lower()  # most are a host alone, and the property takes ten times as long


def share_domain(one: str, other: str) -> bool:
    """Return whether two hosts end alike, as all hosts of a site do."""
    return one.split(".")[-_DOMAIN_LABELS:] == other.split(".")[-_DOMAIN_LABELS:]


def split_address(url: str | None) -> SplitResult:
    """Split an address; its parts are empty if there is none, or if it cannot be read."""
    try:
        return urlsplit(url or "")
    except ValueError:
        return urlsplit("")


def address_key(url: str) -> str:
    """Return normalised host and path, so that addresses of one page compare equal."""
    try:
        parts = urlsplit(url)
        host = host_of(parts).removeprefix("www.")
    except ValueError:
        return ""
    return f"{host}{parts.path.rstrip('/')}".casefold()


def licence_url(text: str, base: str | None) -> str | None:
    """Return the address of a licence, given its address or a Creative Commons name."""
    if re.match(r"(?:https?:)?/", text.strip(), re.IGNORECASE):
        return absolute_url(text, base)
    licence = _CC.search(text)
    if not licence:
        return None
    if licence["terms"].lower() in ("0", "zero"):
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    version = licence["version"] or _CC_VERSION
    return f"https://creativecommons.org/licenses/{licence['terms'].lower()}/{version}/"
