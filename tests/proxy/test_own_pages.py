"""Answers of the proxy's own address."""

from __future__ import annotations

import pytest

from thresher.proxy.own_pages import lead_to, names_site, read_form, write_page


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/", True),
        ("http://[", False),
        ("javascript:alert()", False),
        ("/a", False),
        ("https://a.example/\n", False),
    ],
)
def test_addresses_of_the_web(url: str, expected: bool) -> None:
    """Links lead to addresses of the web, and nowhere else."""
    assert expected == names_site(url)


def test_answers() -> None:
    """Sentences are escaped, headers are ASCII, and of duplicate fields the first counts."""
    assert b"&lt;b&gt;" in write_page(400, "<b>").body
    assert (
        "https://a.example/%C3%A9?a=%20" == lead_to("https://a.example/é?a=%20").headers["location"]
    )
    assert {"a": "1", "b": "2"} == read_form("a=1&a=3&b=2&c=")
    assert {} == read_form("&".join("a=1" for _ in range(200)))
