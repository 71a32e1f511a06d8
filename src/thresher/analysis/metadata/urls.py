"""Resolution, validation and comparison of addresses on a page."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import SplitResult, quote, urljoin, urlsplit

__all__ = ["absolute_url", "address_key", "host_of", "licence_url", "split_address"]

MAX_URL_CHARS: Final = 2000
"""Longest address kept, in characters: accepted by every browser and server in use."""
_UNSAFE: Final = re.compile(r"[\s\x00-\x20\x7f-\x9f\"<>\\^`{|}]")
"""Characters that browsers escape in an address (URL Living Standard, 1.3), except non-ASCII
letters."""
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
    return _UNSAFE.sub(lambda found: quote(found[0]), url)


def host_of(parts: SplitResult) -> str:
    """Return the host of an address in lower case; empty if it has none."""
    place = parts.netloc
    if "@" in place or ":" in place or "[" in place or "%" in place:
        return parts.hostname or ""
    return place.lower()  # most are a host alone, and the property takes ten times as long


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
    found = _CC.search(text)
    if not found:
        return None
    if found["terms"].lower() in ("0", "zero"):
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    version = found["version"] or _CC_VERSION
    return f"https://creativecommons.org/licenses/{found['terms'].lower()}/{version}/"
