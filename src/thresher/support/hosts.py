"""Hosts of addresses."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

__all__ = ["host_of", "is_address"]


def host_of(url: str | None) -> str:
    """Return the host of an address in lower case, the empty string where there is none."""
    try:
        # What follows a % is taken for the zone of an address, and left as it is.
        return (urlsplit(url or "").hostname or "").lower()
    except ValueError:  # brackets that hold no address
        return ""


def is_address(host: str) -> bool:
    """Say whether a host is an address of the Internet Protocol, not a name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
