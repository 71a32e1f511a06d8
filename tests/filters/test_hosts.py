"""Hosts of addresses, and whether they are of one site."""

from __future__ import annotations

import pytest

from thresher.filters.hosts import host_of, is_same_site


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://WWW.Example.org:8080/x", "www.example.org"),
        ("//cdn.example.org./a", "cdn.example.org"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("/a/b", None),
        ("a.example/b", None),
        ("data:text/html,x", None),
        ("", None),
    ],
)
def test_host_of_addresses(url: str, host: str | None) -> None:
    """Only an absolute address names a host, in lower case and in ASCII."""
    assert host == host_of(url)


@pytest.mark.parametrize(
    ("host", "other", "same"),
    [
        ("a.example", "a.example", True),
        ("www.a.example", "a.example", True),
        ("img.a.example", "news.a.example", True),
        ("a.example", "b.example", False),
        ("shop.co.uk", "news.co.uk", False),
        ("x.shop.co.uk", "y.shop.co.uk", True),
        ("10.0.0.1", "10.9.0.1", False),
        ("a.example", None, False),
    ],
)
def test_sites_of_hosts(host: str, other: str | None, same: bool) -> None:
    """Hosts below one registered name are of one site; addresses of machines only themselves."""
    assert same == is_same_site(host, other)
