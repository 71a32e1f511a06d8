"""Removal of tracking from addresses."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.analysis.links import clean_address

SITE: Final = "https://a.example/p"
CASES: Final = {
    f"{SITE}?utm_source=x&utm_medium=y": SITE,
    f"{SITE}?id=7&utm_source=x&b=%20+ä&&c": f"{SITE}?id=7&b=%20+ä&&c",
    f"{SITE}?UTM_Source=x#part": f"{SITE}#part",
    f"{SITE}?fbclid=1&id=7": f"{SITE}?id=7",
    f"{SITE}?mc_eid": SITE,
    f"{SITE}?id=7&amp;gclid=1": f"{SITE}?id=7",
    f"{SITE}#utm_source=x": SITE,
    f"{SITE}#xtor=RSS-1": SITE,
    f"{SITE}#part?utm": f"{SITE}#part?utm",
    f"{SITE}?q=utm_source": f"{SITE}?q=utm_source",
    f"{SITE}?autm_source=x": f"{SITE}?autm_source=x",
    f"{SITE}?ref=x&source=y": f"{SITE}?ref=x&source=y",
    f"{SITE}?": f"{SITE}?",
    "?utm_source=x": "",
    "../p?gclid=1&b": "../p?b",
    "mailto:a@b.example?subject=c": "mailto:a@b.example?subject=c",
    "https://www.google.com/url?sa=t&q=https%3A%2F%2Fb.example%2F%3Fc%3Dd%26utm_id%3D1&x=y": (
        "https://b.example/?c=d"
    ),
    "https://www.google.co.uk/url?url=http://b.example/": "http://b.example/",
    "https://l.facebook.com/l.php?u=https%3A%2F%2Fb.example%2Fc&h=AT0": "https://b.example/c",
    "https://www.youtube.com/redirect?event=x&q=https%3A%2F%2Fb.example": "https://b.example",
    "https://www.google.com/url?q=javascript:x": "https://www.google.com/url?q=javascript:x",
    "https://www.google.com/url?q=/maps": "https://www.google.com/url?q=/maps",
    "https://www.google.com/search?q=https://b.example": (
        "https://www.google.com/search?q=https://b.example"
    ),
    "https://www.google.com.evil.example/url?q=https://b.example": (
        "https://www.google.com.evil.example/url?q=https://b.example"
    ),
    "https://[x.google.com/url?q=https://b.example": (
        "https://[x.google.com/url?q=https://b.example"
    ),
}


@pytest.mark.parametrize(("url", "expected"), CASES.items())
def test_address_is_bare_when_it_tracks(url: str, expected: str) -> None:
    """Known tracking must be removed and the rest kept byte for byte."""
    assert expected == clean_address(url)


@given(st.text(alphabet="?&#;=/:ab_utmgclid%+", max_size=30))
def test_nothing_is_left_to_clean_when_an_address_is_clean(path: str) -> None:
    """Cleaning must be idempotent and add nothing."""
    once = clean_address(SITE + path)
    assert once == clean_address(once)
    assert len(once) <= len(SITE + path)


def test_redirects_are_undone_when_they_are_nested() -> None:
    """A redirect to a redirect must lead to the page."""
    url = "https://www.google.com/url?q=https%3A%2F%2Fl.facebook.com%2Fl.php%3Fu%3Dhttps%253A%252F%252Fb.example"
    assert "https://b.example" == clean_address(url)
