"""Addresses of links and images: made absolute, and safe to follow."""

from __future__ import annotations

import re
from typing import Final

from thresher.analysis.links import ADDRESS_BREAKS, clean_address, resolve_link

__all__ = ["SCHEMES", "clean_image_url", "clean_link_url", "encode_url"]

SCHEMES: Final = frozenset({"http", "https", "mailto", "tel"})
"""Schemes of addresses that are safe to follow."""
_SCHEME: Final = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_MAYBE_SCHEME: Final = re.compile(r"&|[^/?#\\&][^/?#\\&]*[\\&]")
"""The beginning of a relative address, which unescaped once too often could become a scheme."""
_IGNORED: Final = re.compile(r"[\x00-\x20\x7f-\x9f\u200b\ufeff]+")
"""Characters that browsers ignore before or in a scheme, and that could hide one."""
_USUAL: Final = ("https://", "http://")
_UNUSUAL: Final = re.compile(r'[\t\n\r "<>`]')
_ESCAPED: Final = {ord(char): f"%{ord(char):02X}" for char in ' "<>`'}
"""Characters that they percent-encode (URL Standard, 1.3), and that would break Markdown."""


def clean_link_url(url: str, base: str | None, *, tracking: bool) -> str | None:
    """Return the address of a link, without tracking unless asked for; None if it is not safe."""
    cleaned = _clean(url, base)
    if not cleaned or tracking:
        return cleaned
    # A URL of nothing but tracking points to the page itself.
    return clean_address(cleaned) or base or "#"


def clean_image_url(url: str, base: str | None) -> str | None:
    """Return the address of an image; None if it is not safe."""
    return _clean(url, base)


def encode_url(url: str) -> str:
    """Return an address as a browser would send it."""
    url = url.strip()
    return ADDRESS_BREAKS.sub("", url).translate(_ESCAPED) if _UNUSUAL.search(url) else url


def _clean(url: str, base: str | None) -> str | None:
    resolved = resolve_link(url, base) if base is not None else url
    encoded = encode_url(resolved)
    if encoded.startswith(_USUAL):
        return encoded
    scheme = _SCHEME.match(_IGNORED.sub("", resolved))
    if scheme is None:
        return f"./{encoded}" if _MAYBE_SCHEME.match(encoded) else encoded or None
    return encoded if encoded and scheme[1].lower() in SCHEMES else None
