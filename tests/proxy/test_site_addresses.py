"""Addresses of a site whose readers know it by another one."""

from __future__ import annotations

import pytest

from thresher.proxy.navigation import is_authority, origin_of, to_path, with_paths

SITE = "http://inner.example:8000"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"{SITE}/a/b?c=d#e", "/a/b?c=d#e"),
        ("HTTP://INNER.example:8000/a", "/a"),
        (SITE, "/"),
        (f"{SITE}?a", "/?a"),
        (f"{SITE}//evil.example/a", "/evil.example/a"),
        (f"{SITE}/\\evil.example", "/evil.example"),
        ("http://inner.example:8001/a", "http://inner.example:8001/a"),
        ("https://inner.example:8000/a", "https://inner.example:8000/a"),
        ("http://inner.example:8000@evil.example/", "http://inner.example:8000@evil.example/"),
        ("/a", "/a"),
        ("mailto:a@inner.example", "mailto:a@inner.example"),
        ("http://[", "http://["),
    ],
)
def test_addresses_of_the_site_become_paths(url: str, expected: str) -> None:
    """An address of the site is a path that no browser reads as a host; others are unchanged."""
    assert expected == to_path(url, SITE)


def test_the_default_port_may_be_named() -> None:
    """Port 443 of HTTPS is the same origin as none."""
    assert "https://a.example" == origin_of("https://a.example:443/b")
    assert "/b" == to_path("https://a.example:443/b", "https://a.example")
    assert "http://[::1]:80" != origin_of("http://[::1]:80/") == "http://[::1]"


def test_a_fragment_keeps_what_it_says() -> None:
    """Links, pictures and their candidates lead to paths; the text stays."""
    said = f'<p>At <code>&lt;a href="{SITE}/a"&gt;</code> {SITE}/b</p>'
    linked = f'<p><a href="{SITE}/a?b&amp;c">d</a><img src="{SITE}/e" srcset="{SITE}/f 2x"></p>'
    paths = '<p><a href="/a?b&amp;c">d</a><img src="/e" srcset="/f 2x"></p>'
    assert said + paths == with_paths(said + linked, SITE)


@pytest.mark.parametrize("host", ["a.example", "a.example:80", "[::1]:8080", "10.0.0.1"])
def test_hosts(host: str) -> None:
    """A Host header is a name or an address, with or without a port, and nothing else."""
    assert is_authority(host)
    assert not is_authority(f"{host}/a")
    assert not is_authority(f'{host}"')
