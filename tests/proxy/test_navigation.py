"""Detection of navigations and pages, and addresses of sites."""

from __future__ import annotations

import pytest

from thresher.proxy.navigation import (
    charset_of,
    destination_of,
    has_destination,
    is_authority,
    is_navigation,
    origin_of,
    skip_reason,
    to_path,
    with_paths,
)

CHROME = {"user-agent": "Mozilla/5.0", "accept": "text/html,*/*;q=0.8"}
FRAME = {"sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate"}
WORKED = {"sec-fetch-dest": "empty", "sec-fetch-mode": "navigate"}


@pytest.mark.parametrize(
    ("method", "headers", "expected"),
    [
        ("GET", {"sec-fetch-dest": "document", "sec-fetch-mode": "navigate"}, "document"),
        ("POST", {"sec-fetch-dest": "document", "sec-fetch-mode": "navigate"}, "document"),
        ("GET", {"sec-fetch-dest": "frame"}, "document"),
        ("GET", FRAME, "iframe"),
        ("GET", WORKED, "document"),
        ("GET", {"sec-fetch-dest": "", "sec-fetch-mode": "navigate"}, "document"),
        ("GET", {"sec-fetch-mode": "navigate"}, "document"),
        ("GET", {"sec-fetch-dest": "empty"}, ""),
        ("GET", {"sec-fetch-dest": "empty", "sec-fetch-mode": "same-origin"}, ""),
        ("GET", {"sec-fetch-dest": "empty", "sec-fetch-mode": "cors"}, ""),
        ("GET", {"sec-fetch-dest": "document", "sec-fetch-mode": "cors"}, ""),
        ("GET", {"sec-fetch-dest": "image"}, ""),
        ("GET", CHROME, "document"),
        ("GET", {"user-agent": "curl/8", "accept": "*/*"}, "document"),
        ("GET", {"user-agent": "curl/8", "accept": "*/*", "origin": "null"}, ""),
        ("GET", CHROME | {"accept": "*/*"}, ""),
        ("GET", CHROME | {"accept": "*/*", "upgrade-insecure-requests": "1"}, "document"),
        ("GET", {"accept": "application/json"}, ""),
        ("GET", {"accept": "text/event-stream"}, ""),
        ("GET", CHROME | {"x-requested-with": "XMLHttpRequest"}, ""),
        ("GET", CHROME | {"hx-request": "true"}, ""),
        ("GET", CHROME | {"range": "bytes=0-9"}, ""),
        ("GET", CHROME | {"upgrade": "websocket"}, ""),
        ("HEAD", CHROME, ""),
        ("PUT", CHROME, ""),
    ],
)
def test_destinations(method: str, headers: dict[str, str], expected: str) -> None:
    """Fetch Metadata decides; without it older signals; in doubt it is not a navigation.

    A page of its own is a navigation, a frame is not; a worker states no destination.
    """
    assert expected == destination_of(method, headers)
    assert (False, True) == (is_navigation(FRAME), has_destination(FRAME))
    assert (True, False) == (is_navigation(WORKED), has_destination(WORKED))


@pytest.mark.parametrize(
    ("status", "headers", "expected"),
    [
        (200, {}, None),
        (200, {"content-type": "Text/HTML; charset=x"}, None),
        (200, {"content-type": "application/xhtml+xml"}, None),
        (200, {"content-type": "application/xml"}, ""),
        (200, {"content-type": ""}, ""),
        (204, {}, ""),
        (404, {}, ""),
        (200, {"content-disposition": "Attachment; x"}, ""),
        (200, {"content-range": "bytes 0-9/10"}, ""),
        (200, {"content-length": "1001"}, "too large"),
        (200, {"content-length": "9" * 5_000}, "too large"),
        (200, {"content-length": "1000"}, None),
        (200, {"cache-control": "public, No-Transform"}, "the server forbids changes"),
    ],
)
def test_pages(status: int, headers: dict[str, str], expected: str | None) -> None:
    """Pages are HTML responses with status 200 that may be changed, if that is to be obeyed."""
    headers = {"content-type": "text/html"} | headers
    assert expected == skip_reason(status, headers, max_bytes=1000, obey_no_transform=True)
    if "cache-control" in headers:
        assert skip_reason(status, headers, max_bytes=1000, obey_no_transform=False) is None


def test_charsets() -> None:
    """The charset of a Content-Type header is found with and without quotes."""
    assert "x" == charset_of('text/html; a=b; Charset="x"')
    assert "utf-8" == charset_of("text/html;charset=utf-8")
    assert charset_of("text/html") is None
    assert charset_of("text/html; charset=") is None


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


def test_a_fragment_keeps_what_it_says() -> None:
    """Links, pictures and candidates lead to paths, with or without default port; text stays."""
    said = f'<p>At <code>&lt;a href="{SITE}/a"&gt;</code> {SITE}/b</p>'
    linked = f'<p><a href="{SITE}/a?b&amp;c">d</a><img src="{SITE}/e" srcset="{SITE}/f 2x"></p>'
    paths = '<p><a href="/a?b&amp;c">d</a><img src="/e" srcset="/f 2x"></p>'
    assert said + paths == with_paths(said + linked, SITE)
    assert "https://a.example" == origin_of("https://a.example:443/b")
    assert "/b" == to_path("https://a.example:443/b", "https://a.example")
    assert "http://[::1]:80" != origin_of("http://[::1]:80/") == "http://[::1]"


@pytest.mark.parametrize("host", ["a.example", "a.example:80", "[::1]:8080", "10.0.0.1"])
def test_hosts(host: str) -> None:
    """A Host header is a name or an address, with or without a port, and nothing else."""
    assert is_authority(host)
    assert not is_authority(f"{host}/a")
    assert not is_authority(f'{host}"')
