"""Networks, ports and hosts, as settings of the proxy name them."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import Final

from thresher.errors import UsageError
from thresher.sites.rulebook import normalize_host
from thresher.support.hosts import ascii_host, is_address, readable_host
from thresher.support.quoting import quote

__all__ = [
    "Network",
    "check_key",
    "ignored_hosts",
    "is_in_networks",
    "is_loopback",
    "is_named",
    "is_within_ports",
    "read_host",
    "read_network",
    "read_ports",
]

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_KEY: Final = re.compile(r"[A-Za-z0-9]?")
_PORTS: Final = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")


def check_key(name: str, text: str) -> None:
    """Raise UsageError, naming the setting, unless a text is a letter, a digit or empty."""
    if not _KEY.fullmatch(text):
        raise UsageError(f"{name} must be a letter or a digit, or empty, not {quote(text)}")


def read_network(name: str, text: str) -> Network:
    """Parse an address or a network such as 192.168.0.0/16; UsageError, naming the setting."""
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError as error:
        raise UsageError(f"{name}: {quote(text)} is not an address or network") from error


def read_ports(name: str, text: str) -> range:
    """Parse a port or a range of ports such as 8000-8999; UsageError, naming the setting."""
    if match := _PORTS.fullmatch(text):
        found = range(int(match[1]), int(match[2] or match[1]) + 1)
        if found and found[0] > 0 and found[-1] <= 65_535:
            return found
    raise UsageError(f"{name}: {quote(text)} is not a port from 1 to 65535, nor a range of ports")


def read_host(name: str, text: str) -> str:
    """Return a host in Unicode; ``*.example.org`` is example.org, which includes its subdomains.

    UsageError, naming the setting, if it is not a host.
    """
    try:
        return readable_host(normalize_host(text))
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from error


def is_in_networks(address: str, networks: Iterable[str]) -> bool:
    """Return whether an address is in one of the networks; host names among them are ignored."""
    if not is_address(address):
        return False
    found = ipaddress.ip_address(address)
    known = getattr(found, "ipv4_mapped", None) or found
    return any(known in read_network("", each) for each in networks if _is_network(each))


def is_named(host: str, hosts: Iterable[str]) -> bool:
    """Return whether a host or a domain above it is among hosts, in either spelling of an IDN."""
    name = ascii_host(host).rstrip(".")
    return any(name == each or name.endswith(f".{each}") for each in map(ascii_host, hosts))


def is_within_ports(port: int, ports: Iterable[str]) -> bool:
    """Return whether a port is one of those named, singly or in ranges."""
    return any(port in read_ports("", each) for each in ports)


def is_loopback(host: str) -> bool:
    """Return whether a name or address to listen on is reached from this machine only."""
    if host == "localhost":
        return True
    return is_address(host) and ipaddress.ip_address(host).is_loopback


def _is_network(text: str) -> bool:
    return is_address(text.partition("/")[0])


def ignored_hosts(hosts: tuple[str, ...]) -> list[str]:
    """Return patterns of hosts and their subdomains for mitmproxy's ``ignore_hosts``."""
    return [rf"^(.+\.)?{re.escape(ascii_host(host))}:\d+$" for host in hosts]
