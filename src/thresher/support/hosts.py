"""Hosts of URLs, and internationalised host names (IDN), which have two spellings.

Names are compared in ASCII (Punycode) and shown to people in Unicode.
"""

from __future__ import annotations

import re
from ipaddress import IPv6Address, ip_address
from typing import Final
from urllib.parse import urlsplit

_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
"""RFC 1034, 3.5, with the underscores that servers have nevertheless."""
_MAX_NAME_CHARS: Final = 253
"""RFC 1035, 2.3.4, as text."""


def host_of(url: str | None) -> str:
    """Return the host of a URL in lower case and in ASCII, the empty string if it has none."""
    try:
        # urlsplit takes what follows a % for the zone of an address and keeps its case.
        return ascii_host(urlsplit(url or "").hostname or "")
    except ValueError:  # brackets without an address
        return ""


def is_web(url: str | None) -> bool:
    """Return whether an address is of HTTP, and so can be linked; `javascript:` is unsafe."""
    return (url or "").lower().startswith(("http://", "https://"))


def ascii_host(name: str) -> str:
    """Return a host name in lower case and in ASCII; names that IDNA lacks keep their letters."""
    try:
        return name.lower() if name.isascii() else to_ascii(name)
    except UnicodeError:
        return name.lower()


def to_ascii(name: str) -> str:
    """Return a host name in lower case and in ASCII; UnicodeError if IDNA has no such name."""
    return name.encode("idna").decode("ascii").lower()


def readable_host(name: str) -> str:
    """Return a host name in Unicode, unless that would be read back as another name."""
    try:
        readable = name.encode("ascii").decode("idna") if "xn--" in name else name
    except UnicodeError:
        return name
    return readable if ascii_host(readable) == name else name


def is_host(name: str) -> bool:
    """Return whether a text in lower case and in ASCII is a host name or an IP address."""
    if is_address(name):
        return True
    labels = name.split(".")
    return len(name) <= _MAX_NAME_CHARS and all(map(_LABEL.fullmatch, labels))


def is_address(host: str) -> bool:
    """Return whether a host is an IP address, not a name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Return whether a name or address to listen on is reached from this machine only."""
    if host == "localhost":
        return True
    return is_address(host) and ip_address(host).is_loopback


def source_of(address: str) -> str:
    """Return who an address stands for: itself, or the network of one customer (IPv6, /64)."""
    parsed = ip_address(address.partition("%")[0])
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> 64 << 64))
