"""Full-text feeds: each item of a feed gets the content of the page that it leads to.

Feed readers ask again every hour or so, and wait for half a minute. So pages are kept for a while,
and pages that there was no time for stay as they are in the feed until the next time. Pages are
fetched politely: as robots.txt allows, with pauses.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from typing import Final

import anyio
import anyio.from_thread
import anyio.to_thread

from thresher.app.context import AppContext
from thresher.app.engine import PageSource, Task, extract_task
from thresher.errors import FetchError, ThresherError
from thresher.feeds.filling import is_fuller, write_content
from thresher.feeds.reading import FeedItem, read_feed
from thresher.fetching.model import DELAY_S, MAX_ROBOTS_BYTES, Fetched
from thresher.fetching.robots import Robots
from thresher.support.bounded_cache import ByteCache

_ROBOTS_S: Final = 5.0
"""Seconds for the robots.txt of a site; one that takes longer allows nothing this time."""


class PoliteFetcher:
    """Fetches pages one after the other, and remembers what each site allows."""

    def __init__(self, context: AppContext, delay_s: float, *, allow_private: bool = False) -> None:
        self._get = partial(context.get, allow_private=allow_private)
        self._delay_s = delay_s
        self._robots = Robots(self._get_robots, context.settings.user_agent)

    async def pause_s(self, url: str) -> float:
        """Return the seconds to wait before a page; FetchError if it must not be fetched."""
        return await anyio.to_thread.run_sync(self._robots.pause_s, url, self._delay_s)

    async def get(self, url: str, *, timeout_s: float | None = None) -> Fetched:
        """Fetch a page at once; whoever calls it has waited."""
        return await self._get(url, timeout_s=timeout_s)

    def _get_robots(self, url: str) -> Fetched:
        """Fetch a robots.txt; called in a thread that serves the event loop."""
        get = partial(self._get, max_bytes=MAX_ROBOTS_BYTES, timeout_s=_ROBOTS_S)
        return anyio.from_thread.run(get, url)


MAX_ITEMS: Final = 20
"""Items of a feed that are filled, the first ones: what most publishers write into theirs."""
_BUDGET_S: Final = 20.0
"""Seconds for the pages of a feed: readers of feeds wait for 30 or more."""
_MAX_AT_ONCE: Final = 4
"""Feeds at a time; each keeps at most one fetch busy."""
_KEPT_BYTES: Final = 32 * 2**20
_KEPT_S: Final = 24 * 60 * 60.0
"""Seconds for which the content of a page is kept."""


@dataclass(slots=True)
class FullFeeds:
    """Fills feeds, and keeps the contents of their pages in memory."""

    context: AppContext
    delay_s: float = DELAY_S
    """Seconds between two pages, at least; a robots.txt may ask for more."""
    clock: Callable[[], float] = time.monotonic
    _kept: ByteCache[str] = field(
        default_factory=lambda: ByteCache(_KEPT_BYTES, len, max_age_s=_KEPT_S)
    )
    _at_once: anyio.CapacityLimiter = field(
        default_factory=lambda: anyio.CapacityLimiter(_MAX_AT_ONCE)
    )

    async def fill(self, url: str) -> tuple[str, str]:
        """Fetch a feed; return it with the contents of its pages, and its media type.

        An item keeps its own content where that is longer, where its page cannot be read or
        robots.txt disallows it, and where there is no time left. Raises FetchError and LimitError
        as fetching does, InputError for what is no feed.
        """
        async with self._at_once:
            context = self.context
            fetched = await context.get(url, allow_private=context.settings.allow_private)
            feed = await context.work(read_feed, fetched.body, fetched.url, fetched.http_charset)
            # No feed of the web may lead to this machine or its network.
            polite = PoliteFetcher(context, self.delay_s, allow_private=not fetched.is_public)
            until = self.clock() + _BUDGET_S
            contents = {}
            for number, item in enumerate(feed.items[:MAX_ITEMS]):
                content = await self._fill_item(item, polite, until)
                if is_fuller(content, item):
                    contents[number] = content
        return feed.write(contents), feed.media_type

    async def _fill_item(self, item: FeedItem, polite: PoliteFetcher, until: float) -> str:
        if item.url is None:
            return ""
        task = self.context.task(PageSource(b"", item.url))
        name = _name_of(task)
        content = self._kept.get(name)
        if content is None:
            try:
                content = await self._read(task, item.url, polite, until)
            except ThresherError:
                return ""
            self._kept.put(content, name)
        return content

    async def _read(self, task: Task, url: str, polite: PoliteFetcher, until: float) -> str:
        """Fetch a page politely and return its content; FetchError if it must not be fetched."""
        pause_s = await polite.pause_s(url) if self.clock() < until else 0.0
        left_s = until - self.clock() - pause_s
        if left_s <= 0:
            raise FetchError("there is no time left", url=url)
        await anyio.sleep(pause_s)
        fetched = await polite.get(url, timeout_s=left_s)
        source = PageSource.of_fetched(fetched)
        return await self.context.work(_write_page, replace(task, source=source))


def _write_page(task: Task) -> str:
    """Return the content of a page as HTML; runs in a worker."""
    return write_content(extract_task(task))


def _name_of(task: Task) -> str:
    """Return the name under which a page is kept: other rules or weights give another content."""
    known = f"{task.request!r}\n{task.source.url}".encode(errors="surrogatepass")
    return blake2b(known, digest_size=16).hexdigest()
