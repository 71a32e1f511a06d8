"""Hosts of addresses."""

from __future__ import annotations

import pytest

from thresher.support.hosts import host_of, is_address


@pytest.mark.parametrize(
    ("url", "host"),
    [
        (None, ""),
        ("rye.html", ""),
        ("http://[x", ""),
        ("http://[::1]:80/", "::1"),
        ("//A.b/", "a.b"),
    ],
)
def test_any_address_has_a_host_or_none(url: str | None, host: str) -> None:
    """What is no address has none, rather than an error."""
    assert host == host_of(url)


@pytest.mark.parametrize(
    ("host", "is_one"),
    [("127.0.0.1", True), ("::1", True), ("mill.example", False), ("1.2.3", False), ("", False)],
)
def test_addresses_are_told_from_names(host: str, is_one: bool) -> None:
    """Of both versions of the protocol, without brackets."""
    assert is_one == is_address(host)
