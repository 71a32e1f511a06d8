"""Each request of a rendered page is checked as a fetch is."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest

from tests.fetching.web import Web
from thresher.errors import FetchError
from thresher.fetching.fetch import fetch
from thresher.fetching.model import Fetched
from thresher.filters import own_blocklist
from thresher.rendering.gate import MAX_REQUESTS, Gate
from thresher.rendering.process import Order

PAGE = "https://tidewater.example/app"
PIXEL = {"status": 200, "content_type": "image/gif"}


class Shelf:
    """Pages by address, in place of the web."""

    def __init__(self, **pages: bytes) -> None:
        self.pages = {f"https://tidewater.example/{name}": body for name, body in pages.items()}
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, url: str, **options: Any) -> Fetched:
        self.calls.append((url, options))
        if url not in self.pages:
            raise FetchError("HTTP 404", url=url, status=404)
        return Fetched(url, self.pages[url], None, "text/plain", 200, True, allow_origin="*")

    @property
    def asked(self) -> list[str]:
        return [url for url, _ in self.calls]


def order(**changes: Any) -> Order:
    settings = {"timeout_s": 10.0, "max_bytes": 1000, "user_agent": "thresher/1"}
    return Order(**{"url": PAGE, "allow_private": True, **settings, **changes})


def answers(gate: Gate, *requests: SimpleNamespace) -> list[dict[str, Any] | None]:
    """Return what the gate gives to each request, after the page itself; None if it is stopped."""
    given: list[dict[str, Any] | None] = []

    async def run() -> None:
        await gate.open()
        for request in requests:

            async def fulfill(**answer: Any) -> None:
                given.append(answer)

            async def abort() -> None:
                given.append(None)

            route: Any = SimpleNamespace(request=request, fulfill=fulfill, abort=abort)
            await gate.handle(route)

    asyncio.run(run())
    return given


def request(url: str, kind: str = "fetch", **changes: Any) -> SimpleNamespace:
    settings: dict[str, Any] = {"method": "GET", "headers": {}, "frame": None} | changes
    is_page = kind == "document"
    return SimpleNamespace(
        url=url, resource_type=kind, is_navigation_request=lambda: is_page, **settings
    )


def gate_of(shelf: Any, **changes: Any) -> Gate:
    return Gate(order(**changes), time.monotonic() + 10, get=shelf)


def test_requests_are_fetched_with_the_limits_of_the_page() -> None:
    """A request gets the rest of the bytes, our user agent and its headers but for cookies."""
    shelf = Shelf(app=b"x" * 100, data=b"y" * 50)
    sent = {"accept": "application/json", "cookie": "a=b", "sec-fetch-mode": "cors"}
    (given,) = answers(gate_of(shelf), request("https://tidewater.example/data", headers=sent))
    url, options = shelf.calls[-1]
    assert "https://tidewater.example/data" == url
    assert 900 == options["max_bytes"]
    assert "thresher/1" == options["user_agent"]
    assert {"accept": "application/json"} == options["headers"]
    assert given is not None
    assert b"y" * 50 == given["body"]
    assert "*" == given["headers"]["access-control-allow-origin"]


def test_page_of_the_web_reaches_no_private_address(web: Web) -> None:
    """Private addresses are refused to a public page, though the user may name them."""
    target = web.serve("/secret", b"secret")

    def get(url: str, **options: Any) -> Fetched:
        if url == PAGE:
            return Fetched(PAGE, b"<p>", None, "text/html", 200, is_public=True)
        return fetch(url, **options)

    assert [None] == answers(gate_of(get), request(target))
    assert [] == web.requests


def test_robots_txt_holds_for_what_a_page_loads() -> None:
    """What robots.txt disallows is not fetched, except the page that the user named."""
    rules = b"User-agent: *\nDisallow: /api/\nDisallow: /app"
    shelf = Shelf(app=b"<p>", **{"robots.txt": rules, "api/data": b"x", "free": b"y"})
    url = "https://tidewater.example/{}".format
    given = answers(gate_of(shelf), request(url("api/data")), request(url("free")))
    assert given[0] is None
    assert given[1] is not None
    assert [PAGE, url("robots.txt"), url("free")] == shelf.asked


@pytest.mark.parametrize(
    "stopped",
    [
        request("https://tidewater.example/data", method="POST"),
        request("https://tidewater.example/font", "font"),
        request("https://tidewater.example/film", "media"),
        request(f"https://{min(own_blocklist().blocked)}/t.js", "script"),
        request(f"{PAGE}/in", "document", frame=SimpleNamespace(parent_frame=object())),
    ],
    ids=["post", "font", "media", "tracker", "frame"],
)
def test_requests_that_bring_no_text_are_stopped(stopped: SimpleNamespace) -> None:
    """Forms, fonts, films, trackers and frames are not even looked up in robots.txt.

    Pictures are not fetched, and do not fail, which would let scripts replace them.
    """
    shelf = Shelf(app=b"<p>")
    refused, pixel = answers(gate_of(shelf), stopped, request(f"{PAGE}.png", "image"))
    assert refused is None
    assert pixel is not None
    assert PIXEL == {name: pixel[name] for name in PIXEL}
    assert [PAGE] == shelf.asked


def test_bytes_and_requests_are_limited_altogether() -> None:
    """What would exceed the limit with what was loaded before is asked for so little, or not."""
    shelf = Shelf(app=b"x" * 600, data=b"y" * 300)
    data = request("https://tidewater.example/data")
    answers(gate_of(shelf), data, data)
    assert [400, 100] == [options["max_bytes"] for url, options in shelf.calls if "data" in url]
    given = answers(gate_of(Shelf(app=b"<p>", data=b"y")), *[data] * (MAX_REQUESTS + 3))
    assert MAX_REQUESTS == sum(answer is not None for answer in given)


def test_nothing_is_fetched_once_the_time_is_over() -> None:
    """The page itself is an error then."""
    shelf = Shelf(app=b"<p>")
    gate = Gate(order(), time.monotonic() - 1, get=shelf)
    with pytest.raises(FetchError, match="time"):
        answers(gate)
    assert [] == shelf.asked
