"""Hosts of addresses."""

from __future__ import annotations

import pytest

from thresher.support.hosts import (
    ascii_host,
    host_of,
    is_address,
    is_loopback,
    is_web,
    readable_host,
    source_of,
)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        (None, ""),
        ("rye.html", ""),
        ("http://[x", ""),
        ("http://[::1]:80/", "::1"),
        ("//A.b/", "a.b"),
        ("https://Mühle.example/", "xn--mhle-0ra.example"),
        ("https://xn--mhle-0ra.example/", "xn--mhle-0ra.example"),
    ],
)
def test_any_address_has_a_host_or_none(url: str | None, host: str) -> None:
    """Text that has no host must give an empty string rather than an error."""
    assert host == host_of(url)


@pytest.mark.parametrize(
    ("host", "is_one"),
    [("127.0.0.1", True), ("::1", True), ("mill.example", False), ("1.2.3", False), ("", False)],
)
def test_addresses_are_told_from_names(host: str, is_one: bool) -> None:
    """IPv4 and IPv6 addresses without brackets must be recognised, and names must not."""
    assert is_one == is_address(host)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("xn--mhle-0ra.example", "mühle.example"),
        ("mill.example", "mill.example"),
        ("xn--\u20ac.example", "xn--\u20ac.example"),
        ("xn--a-.example", "xn--a-.example"),
    ],
)
def test_names_are_shown_as_people_write_them(name: str, shown: str) -> None:
    """In Unicode, unless that is another name."""
    assert shown == readable_host(name)
    assert name == ascii_host(shown) or not name.isascii()


def test_names_without_an_ascii_form_stay() -> None:
    """Only their case changes."""
    assert "ü" * 80 == ascii_host("Ü" * 80)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://mill.example/rye", True),
        ("HTTP://mill.example", True),
        ("rye.html", False),
        ("//mill.example", False),
        ("javascript:alert(1)//http://", False),
        ("", False),
        (None, False),
    ],
)
def test_addresses_of_the_web_can_be_linked(url: str | None, expected: bool) -> None:
    """Only addresses of HTTP lead anywhere safe."""
    assert is_web(url) is expected


def test_one_customer_is_one_source() -> None:
    """An IPv6 network of one customer counts as one; an IPv4 address as itself."""
    assert source_of("2001:db8::1") == source_of("2001:db8::2:1%eth0")
    assert source_of("2001:db8::1") != source_of("2001:db8:0:1::1")
    assert "10.0.0.1" == source_of("10.0.0.1") == source_of("::ffff:10.0.0.1")


def test_loopback() -> None:
    """Only this machine reaches the loopback addresses."""
    assert is_loopback("127.8.0.1")
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback("")
    assert not is_loopback("0.0.0.0")
