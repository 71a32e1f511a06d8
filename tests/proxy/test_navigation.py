"""Detection of navigations and pages."""

from __future__ import annotations

import pytest

from thresher.proxy.navigation import (
    charset_of,
    destination_of,
    has_destination,
    is_navigation,
    skip_reason,
)

CHROME = {"user-agent": "Mozilla/5.0", "accept": "text/html,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("method", "headers", "expected"),
    [
        ("GET", {"sec-fetch-dest": "document", "sec-fetch-mode": "navigate"}, "document"),
        ("POST", {"sec-fetch-dest": "document", "sec-fetch-mode": "navigate"}, "document"),
        ("GET", {"sec-fetch-dest": "frame"}, "document"),
        ("GET", {"sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate"}, "iframe"),
        ("GET", {"sec-fetch-dest": "empty", "sec-fetch-mode": "navigate"}, "document"),
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
        ("GET", {"user-agent": "Mozilla/5.0", "accept": "*/*"}, ""),
        (
            "GET",
            {"user-agent": "Mozilla/5.0", "accept": "*/*", "upgrade-insecure-requests": "1"},
            "document",
        ),
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
    """Fetch Metadata decides; without it older signals; in doubt it is not a navigation."""
    assert expected == destination_of(method, headers)


def test_navigations_and_destinations() -> None:
    """A page of its own is a navigation, a frame is not; a worker states no destination."""
    frame = {"sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate"}
    worked = {"sec-fetch-dest": "empty", "sec-fetch-mode": "navigate"}
    assert (False, True) == (is_navigation(frame), has_destination(frame))
    assert (True, False) == (is_navigation(worked), has_destination(worked))


@pytest.mark.parametrize(
    ("status", "headers", "expected"),
    [
        (200, {"content-type": "text/html"}, None),
        (200, {"content-type": "Text/HTML; charset=x"}, None),
        (200, {"content-type": "application/xhtml+xml"}, None),
        (200, {"content-type": "application/xml"}, ""),
        (200, {}, ""),
        (204, {"content-type": "text/html"}, ""),
        (404, {"content-type": "text/html"}, ""),
        (200, {"content-type": "text/html", "content-disposition": "Attachment; x"}, ""),
        (200, {"content-type": "text/html", "content-range": "bytes 0-9/10"}, ""),
        (200, {"content-type": "text/html", "content-length": "1001"}, "too large"),
        (200, {"content-type": "text/html", "content-length": "9" * 5_000}, "too large"),
        (200, {"content-type": "text/html", "content-length": "1000"}, None),
        (
            200,
            {"content-type": "text/html", "cache-control": "public, No-Transform"},
            "the server forbids changes",
        ),
    ],
)
def test_pages(status: int, headers: dict[str, str], expected: str | None) -> None:
    """Pages are HTML responses with status 200 that may be changed."""
    assert expected == skip_reason(status, headers, max_bytes=1000, obey_no_transform=True)


def test_a_server_need_not_be_obeyed() -> None:
    """no-transform can be ignored by a setting."""
    headers = {"content-type": "text/html", "cache-control": "no-transform"}
    assert skip_reason(200, headers, max_bytes=1000, obey_no_transform=False) is None


def test_charsets() -> None:
    """The charset of a Content-Type header is found with and without quotes."""
    assert "x" == charset_of('text/html; a=b; Charset="x"')
    assert "utf-8" == charset_of("text/html;charset=utf-8")
    assert charset_of("text/html") is None
    assert charset_of("text/html; charset=") is None
