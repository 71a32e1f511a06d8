"""Comparison of hosts by site."""

from __future__ import annotations

import pytest

from thresher.filters.address_rules import is_same_site


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
