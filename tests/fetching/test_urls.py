"""Normalisation of URLs."""

from __future__ import annotations

import pytest

from thresher.fetching.urls import normalize_url


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
