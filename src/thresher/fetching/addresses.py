"""Which addresses may be connected to: against requests forged to reach what is not public.

A page may name any host, and a host name may resolve to any address: that of this machine, of the
local network, or of the service that hands a cloud's secrets out (169.254.169.254). So a name is
resolved once, every address it has is checked, and exactly those are connected to: a name that
resolves to something else a moment later (DNS rebinding) gains nothing.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

__all__ = ["Resolver", "is_public", "read_literal", "resolve", "system_resolver"]

Resolver = Callable[[str, int], list[str]]
"""Host name and port → its addresses as text, the best first; OSError where it has none."""

_PROTOCOLS: Final = IPv4Network("192.0.0.0/24")
"""For the internet's own workings (RFC 6890, 2.2.2); older `ipaddress` lets most of it through."""
_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
"""All that IANA hands out for the public internet (RFC 4291, 2.4)."""
_NAT64: Final = IPv6Network("64:ff9b::/96")
"""IPv4 addresses as networks with IPv6 alone see them, in the last 32 bits (RFC 6052, 2.1)."""
_TUNNELS: Final = (IPv6Network("2001::/32"), IPv6Network("2002::/16"))
"""Teredo and 6to4: both carry IPv4 addresses, and nobody serves pages there (RFC 7526)."""


def system_resolver(host: str, port: int) -> list[str]:
    """Ask the operating system for the addresses of a host, in the order it prefers."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(place[0]) for *_, place in found))


def resolve(host: str, port: int, resolver: Resolver = system_resolver) -> list[str]:
    """Return the addresses of a host as text; an address, however spelled, stands for itself.

    OSError where it has none.
    """
    literal = read_literal(host)
    addresses = [str(literal)] if literal else resolver(host, port)
    if not addresses:
        raise OSError("it has no address")
    return addresses


def read_literal(host: str) -> IPv4Address | IPv6Address | None:
    """Read a host that is an address, None for a name.

    IPv4 may be spelled in all the ways that the C library takes: ``2130706433``, ``0x7f.1`` and
    ``0177.0.0.1`` are 127.0.0.1.
    """
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        # It would read a number behind white space, which no host of a URL has, as a comment.
        return None if host.split() != [host] else IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


def is_public(address: str) -> bool:
    """Tell whether an address is one of the public internet, for one host.

    Not those are this machine, private, shared and link-local networks, multicast, whatever is
    reserved (RFC 6890 and the IANA registries that `ipaddress` follows), and IPv6 addresses that
    stand for such IPv4 addresses. Text that is no address is not public.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        inner = found.ipv4_mapped
        if inner is None and found in _NAT64:
            inner = IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is None:
            in_tunnel = any(found in tunnel for tunnel in _TUNNELS)
            return found in _GLOBAL_UNICAST and found.is_global and not in_tunnel
        found = inner
    return found.is_global and not found.is_multicast and found not in _PROTOCOLS
