"""The base of links, and resolving them."""

from __future__ import annotations

import pytest

from thresher.parse import parse
from thresher.writers.links import find_base, resolve_link


@pytest.mark.parametrize(
    ("html", "url", "expected"),
    [
        ("", "https://a.example/b/c", "https://a.example/b/c"),
        ("<base href='/d/'>", "https://a.example/b/c", "https://a.example/d/"),
        ("<base href=https://e.example/>", "https://a.example/", "https://e.example/"),
        ("<base href=https://e.example/>", None, "https://e.example/"),
        (
            "<base target=x><base href=/1/><base href=/2/>",
            "https://a.example/",
            "https://a.example/1/",
        ),
        ("<base href=/d/>", None, None),
        ("", "file:///a", None),
        ("", "not an address", None),
        ("<base href='https://[x'>", "https://a.example/", "https://[x"),
        ("", None, None),
    ],
)
def test_base_is_found_when_page_or_address_give_one(
    html: str, url: str | None, expected: str | None
) -> None:
    """The first base of the page must win, on the page's address; only the web is a base."""
    assert expected == find_base(parse(html, url=url))


@pytest.mark.parametrize(
    ("target", "base", "expected"),
    [
        ("a", "https://b.example/c/d", "https://b.example/c/a"),
        (" a ", None, "a"),
        ("https://[x", "https://b.example/", "https://[x"),
        ("#e", "https://b.example/c", "https://b.example/c#e"),
    ],
)
def test_link_is_resolved_when_a_base_is_known(
    target: str, base: str | None, expected: str
) -> None:
    """A target must be joined with its base, and stay as it is where that makes no address."""
    assert expected == resolve_link(target, base)
