"""The gate through which all requests of a rendered page pass: each is fetched by us, or stopped.

The browser itself has no way to the network. So the checks of addresses, the limits and robots.txt
hold for scripts, style sheets and the requests of scripts just as they do for pages.
"""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from thresher.errors import FetchError, ThresherError
from thresher.fetching.model import MAX_ROBOTS_BYTES, Fetched
from thresher.fetching.robots import Robots
from thresher.filters import own_blocklist
from thresher.filters.address_rules import Request as Asked
from thresher.rendering.process import Order

if TYPE_CHECKING:
    from playwright.async_api import Request, Route

MAX_REQUESTS: Final = 300
"""Requests of a page, stopped ones too: four times the median of pages of the web (about 70, HTTP
Archive's Web Almanac 2024)."""
_MAX_AT_ONCE: Final = 6
"""Fetches at a time: as many as browsers open to one host over HTTP/1.1."""
_TEXTLESS: Final = frozenset(("eventsource", "font", "manifest", "media", "ping", "texttrack"))
"""Kinds of requests that bring no text, or do not end."""
_PIXEL: Final = base64.b64decode("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==")
"""A transparent GIF: a picture that fails may be replaced by scripts, and its address lost."""
_OWN: Final = frozenset(
    "accept-encoding connection content-length cookie host user-agent"
    " if-modified-since if-none-match range upgrade-insecure-requests".split()
)
"""Headers that are not passed on: fetching sets them, or has no use for them."""


@dataclass  # Playwright sets an attribute on objects whose methods it calls: no slots
class Gate:
    """Answers the requests of one page. Used in one event loop; fetches are made in threads."""

    order: Order
    ends_at: float
    """When the time is over, in seconds of `time.monotonic`."""
    get: Callable[..., Fetched]
    """Fetches an address; called as `thresher.fetching.fetch.fetch` is."""
    page: Fetched | None = None
    """The page itself, once it has been fetched."""
    n_pending: int = 0
    """Requests that are being answered."""
    _allow_private: bool = field(init=False)
    _robots: Robots = field(init=False)
    _robots_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _at_once: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_MAX_AT_ONCE))
    _n_request: int = 0
    _n_byte: int = 0
    _is_given: bool = False

    def __post_init__(self) -> None:
        self._allow_private = self.order.allow_private
        self._robots = Robots(
            lambda url: self._fetch(url, max_bytes=MAX_ROBOTS_BYTES), self.order.user_agent
        )

    async def open(self) -> Fetched:
        """Fetch the page itself; raises as `fetch` does."""
        self.page = await asyncio.to_thread(self._fetch, self.order.url)
        self._count(self.page)
        return self.page

    async def handle(self, route: Route) -> None:
        """Answer one request of the page, or stop it."""
        self.n_pending += 1
        try:
            answer = await self._answer(route.request)
            if answer is None:
                await route.abort()
            else:
                await route.fulfill(**answer)
        finally:
            self.n_pending -= 1

    async def _answer(self, request: Request) -> dict[str, Any] | None:
        """Return the arguments of `Route.fulfill`; None to stop the request."""
        self._n_request += 1
        if not self._is_wanted(request):
            return None
        if request.is_navigation_request() and not self._is_given and self.page is not None:
            self._is_given = True
            return _fulfil(self.page)
        if request.resource_type == "image":
            return {"status": 200, "content_type": "image/gif", "body": _PIXEL}
        try:
            async with self._at_once:
                return await self._load(request)
        except FetchError as error:
            return {"status": error.status, "body": ""} if error.status else None
        except ThresherError:
            return None

    def _is_wanted(self, request: Request) -> bool:
        if self._n_request > MAX_REQUESTS or request.method != "GET":
            return False
        if request.is_navigation_request() and request.frame.parent_frame is not None:
            return False  # what frames show is not part of the page
        return request.resource_type not in _TEXTLESS and not self._is_tracker(request.url)

    async def _load(self, request: Request) -> dict[str, Any] | None:
        """Fetch what a request is for; None if robots.txt disallows it."""
        async with self._robots_lock:
            if not await asyncio.to_thread(self._robots.allows, request.url):
                return None
        headers = {
            name: value
            for name, value in request.headers.items()
            if name not in _OWN and not name.startswith("sec-")
        }
        fetched = await asyncio.to_thread(self._fetch, request.url, headers=headers)
        self._count(fetched)
        return _fulfil(fetched)

    def _is_tracker(self, url: str) -> bool:
        host = urlsplit(self.order.url if self.page is None else self.page.url).hostname
        return own_blocklist().stops(Asked(url, page_host=host))

    def _fetch(self, url: str, *, max_bytes: int | None = None, **options: Any) -> Fetched:
        left_s = self.ends_at - time.monotonic()
        if left_s <= 0:
            raise FetchError("the time for the page is over", url=url)
        left_bytes = max(self.order.max_bytes - self._n_byte, 1)
        return self.get(
            url,
            timeout_s=left_s,
            max_bytes=min(left_bytes, max_bytes or left_bytes),
            user_agent=self.order.user_agent,
            allow_private=self._allow_private,
            **options,
        )

    def _count(self, fetched: Fetched) -> None:
        self._n_byte += len(fetched.body)
        # Nothing that comes from the public internet may reach into a private network.
        self._allow_private = self._allow_private and not fetched.is_public


def _fulfil(fetched: Fetched) -> dict[str, Any]:
    kind = fetched.content_type or "text/html"
    if fetched.http_charset:
        kind += f"; charset={fetched.http_charset}"
    headers = {"content-type": kind}
    if fetched.allow_origin:
        headers["access-control-allow-origin"] = fetched.allow_origin
        headers["access-control-allow-credentials"] = "true"
    return {"status": fetched.status, "headers": headers, "body": fetched.body}
