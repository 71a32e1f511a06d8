"""Hosts of URLs."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

__all__ = ["host_of", "is_address"]


def host_of(url: str | None) -> str:
    """Return the host of a URL in lower case, the empty string if it has none."""
    try:
        # urlsplit takes what follows a % for the zone of an address and keeps its case.
        return (urlsplit(url or "").hostname or "").lower()
    except ValueError:  # brackets without an address
        return ""


def is_address(host: str) -> bool:
    """Return whether a host is an IP address, not a name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
