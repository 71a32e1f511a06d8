"""Addresses of links and images."""

from __future__ import annotations

import pytest

from thresher.writers.stream.markup import clean_image_url, clean_link_url

BASE = "https://a.example/b/"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("c", f"{BASE}c"),
        ("//c.example", "https://c.example"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("HTTP://c.example/", "HTTP://c.example/"),
        ("javascript:a()", None),
        ("java\tscript:a()", None),
        ("\x01javascript:a()", None),
        (" \x01 javascript:a()", None),
        ("data:text/html,a", None),
        ("vbscript:a", None),
        ('c"d e', f"{BASE}c%22d%20e"),
        ("http://[a", "http://[a"),
    ],
)
def test_only_safe_addresses_stay(url: str, expected: str | None) -> None:
    """Addresses that run scripts must go, however they are hidden; others must be absolute."""
    assert expected == clean_image_url(url, BASE)
    assert expected == clean_link_url(url, BASE, tracking=True)


def test_tracking_goes_unless_asked_for() -> None:
    """Parameters that count clicks must be removed from links."""
    url = "https://c.example/?utm_source=a"
    assert clean_link_url(url, None, tracking=False) == "https://c.example/"
    assert clean_link_url(url, None, tracking=True) == url


@pytest.mark.parametrize("url", ["javascript&colon;a", "&Tab;javascript:a", "java\\script:a"])
def test_a_relative_address_stays_one_when_it_is_unescaped_again(url: str) -> None:
    """A reader that unescapes once too often must find no scheme in it."""
    assert f"./{url}" == clean_link_url(url, None, tracking=True)
    assert f"{BASE}c&d" == clean_link_url("c&d", BASE, tracking=True)
    assert "c?d&e" == clean_link_url("c?d&e", None, tracking=True)
