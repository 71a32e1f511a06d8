"""Check that addresses are public, against server-side request forgery (SSRF).

A page may name any host, and a host name may resolve to any address: this machine, the local
network, or a cloud's metadata service (169.254.169.254). So a name is resolved once, each of its
addresses is checked, and connections go to exactly these addresses, which defeats DNS rebinding.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

Resolver = Callable[[str, int], list[str]]
"""Host name and port → its addresses as text, the preferred one first; OSError if it has none."""

_PROTOCOLS: Final = IPv4Network("192.0.0.0/24")
"""IETF protocol assignments (RFC 6890, 2.2.2); older `ipaddress` treats most of it as global."""
_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
"""All addresses allocated for the public internet (RFC 4291, 2.4)."""
_NAT64: Final = IPv6Network("64:ff9b::/96")
"""IPv4 addresses in IPv6-only networks, in the last 32 bits (RFC 6052, 2.1)."""
_TUNNELS: Final = (IPv6Network("2001::/32"), IPv6Network("2002::/16"))
"""Teredo and 6to4: both embed IPv4 addresses, and serve no pages (RFC 7526)."""


def system_resolver(host: str, port: int) -> list[str]:
    """Resolve a host with the operating system, in its order of preference."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(place[0]) for *_, place in answers))


def resolve(host: str, port: int, resolver: Resolver = system_resolver) -> list[str]:
    """Return the addresses of a host as text; a literal address in any notation is itself.

    OSError if it has none.
    """
    literal = read_literal(host)
    addresses = [str(literal)] if literal else resolver(host, port)
    if not addresses:
        raise OSError("it has no address")
    return addresses


def read_literal(host: str) -> IPv4Address | IPv6Address | None:
    """Parse a host that is an address; None for a name.

    All notations of IPv4 that the C library accepts are recognised: ``2130706433``, ``0x7f.1`` and
    ``0177.0.0.1`` are 127.0.0.1.
    """
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        # inet_aton ignores anything after white space, which hosts of URLs cannot contain.
        return None if host.split() != [host] else IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


def is_public(address: str) -> bool:
    """Return whether an address is a public unicast address.

    Loopback, private, shared and link-local networks, multicast and reserved addresses (RFC 6890
    and the IANA registries that `ipaddress` follows) are not public, nor are IPv6 addresses that
    embed such IPv4 addresses, nor text that is not an address.
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, IPv6Address):
        inner = parsed.ipv4_mapped
        if inner is None and parsed in _NAT64:
            inner = IPv4Address(int(parsed) & 0xFFFFFFFF)
        if inner is None:
            in_tunnel = any(parsed in tunnel for tunnel in _TUNNELS)
            return parsed in _GLOBAL_UNICAST and parsed.is_global and not in_tunnel
        parsed = inner
    return parsed.is_global and not parsed.is_multicast and parsed not in _PROTOCOLS
