"""Networks, ports and hosts in settings."""

from __future__ import annotations

import pytest

from thresher.errors import UsageError
from thresher.proxy.settings import (
    is_in_networks,
    is_loopback,
    is_named,
    is_within_ports,
    read_host,
    read_network,
    read_ports,
)


def test_networks() -> None:
    """An address is in a network in any notation; names are no networks."""
    networks = ("10.0.0.0/8", "mill.example", "::1")
    assert is_in_networks("10.1.2.3", networks)
    assert is_in_networks("::ffff:10.1.2.3", networks)
    assert is_in_networks("0:0::1", networks)
    assert not is_in_networks("11.1.2.3", networks)
    assert not is_in_networks("mill.example", networks)
    with pytest.raises(UsageError, match='clients: "home" is not an address'):
        read_network("clients", "home")


def test_ports() -> None:
    """Ports are single or ranges."""
    assert range(443, 444) == read_ports("p", "443")
    assert is_within_ports(8001, ("443", "8000-8001"))
    assert not is_within_ports(8002, ("443", "8000-8001"))
    for text in ("", "0", "65536", "9-8", "http", "1-", "-1", "1-2-3", "²", "999999999999"):
        with pytest.raises(UsageError, match=r"p: .* is not a port"):
            read_ports("p", text)


def test_hosts() -> None:
    """Hosts include their subdomains, in either spelling; anything else is an error."""
    assert "bank.example" == read_host("h", "*.Bank.example.") == read_host("h", ".bank.example")
    assert "mühle.example" == read_host("h", "xn--mhle-0ra.example")
    assert is_named("www.xn--mhle-0ra.example", ("mühle.example",))
    assert is_named("MÜHLE.example.", ("xn--mhle-0ra.example",))
    assert not is_named("notbank.example", ("bank.example",))
    for text in (
        "",
        "*",
        "a b",
        "bank.*",
        "a/b",
        "http://a.example",
        "a..b",
        "-a.example",
        "é" * 99,
    ):
        with pytest.raises(UsageError, match="h: "):
            read_host("h", text)


def test_loopback() -> None:
    """Only this machine reaches the loopback addresses."""
    assert is_loopback("127.8.0.1")
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback("")
    assert not is_loopback("0.0.0.0")
