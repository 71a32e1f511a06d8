"""Addresses: which are public, how hosts are resolved, and normal forms of URLs."""

from __future__ import annotations

import socket

import pytest

from thresher.fetching.addresses import is_public, read_literal, resolve, system_resolver
from thresher.fetching.session import normalize_url


@pytest.mark.parametrize(
    "address",
    [
        *("93.184.215.14", "8.8.8.8", "172.15.255.255", "172.32.0.1"),
        *("2606:2800:21f:cb07:6820:80da:af6b:8b2c", "2a00:1450:4001:80b::200e"),
        *("::ffff:8.8.8.8", "64:ff9b::808:808"),
    ],
)
def test_public_addresses(address: str) -> None:
    """Addresses of the public internet are public, also as IPv4 embedded in IPv6."""
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1"),
        *("172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.8"),
        *("192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1"),
        *("240.0.0.1", "255.255.255.255"),
        *("::", "::1", "fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1"),
        *("2001:db8::1", "100::1", "64:ff9b:1::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1"),
        *("64:ff9b::7f00:1", "64:ff9b::10.0.0.1"),
        *("2002:7f00:1::", "2002:808:808::", "2001:0:7f00:1::"),
        *("", "localhost", "256.1.1.1"),
    ],
)
def test_other_addresses(address: str) -> None:
    """Loopback, private and reserved addresses are not public, also embedded in IPv6."""
    assert not is_public(address)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "017700000001"],
)
def test_notations_of_an_address(host: str) -> None:
    """All notations of IPv4 that the C library accepts are recognised."""
    assert ["127.0.0.1"] == resolve(host, 80, lambda *_: pytest.fail("nobody should be asked"))


@pytest.mark.parametrize("host", ["", "grain.example", "1.2.3.4.5", "0x7g", "127.0.0.1 x", "a.1"])
def test_names_are_not_literals(host: str) -> None:
    """Names are not literals, and one without an address raises an error."""
    assert read_literal(host) is None
    assert ["192.0.2.7"] == resolve(host, 80, lambda *_: ["192.0.2.7"])
    with pytest.raises(OSError, match="no address"):
        resolve(host, 80, lambda *_: [])


def test_system_resolver_keeps_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Addresses keep the system's order, without duplicates."""
    places = [("2001:db8::1", 80, 0, 0), ("192.0.2.1", 80), ("192.0.2.1", 80)]
    answer = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", place) for place in places]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answer)

    assert ["2001:db8::1", "192.0.2.1"] == system_resolver("grain.example", 80)


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        (" https://example.org ", "https://example.org/"),
        ("HTTP://Example.ORG/A b?q=ä&r=%20#top", "http://example.org/A%20b?q=%C3%A4&r=%20"),
        ("http://bücher.example/ß", "http://xn--bcher-kva.example/%C3%9F"),
        ("http://example.org:8080/a/../b", "http://example.org:8080/b"),
        ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]:80/"),
        ("http://example.org/a\nb", "http://example.org/ab"),
    ],
)
def test_normalize_url(url: str, normal: str) -> None:
    """A URL is spelled in ASCII, percent-encoded, without a fragment, and stays so."""
    assert normal == normalize_url(url)
    assert normal == normalize_url(normal)
