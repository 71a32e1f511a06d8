"""Gathering in the background: saved pages that are to be kept offline, and feeds that are due.

Sites are fetched from in parallel, one request to each at a time; pages as robots.txt allows.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import anyio

from thresher.app.context import AppContext
from thresher.app.engine import PageSource
from thresher.app.pages.feeds import PoliteFetcher, ask_feeds
from thresher.app.pages.read import fetch_pictures
from thresher.app.pages.saved import ask_list, titled
from thresher.app.reading import list_pictures, write
from thresher.app.saved import SAVED_FILE
from thresher.app.saved_changes import WantedPage, keep_pictures, list_wanted, note_trouble
from thresher.app.subscriptions import FEEDS_FILE, DueFeed
from thresher.errors import FetchError, ThresherError
from thresher.feeds.reading import read_feed
from thresher.fetching.model import DELAY_S
from thresher.support.hosts import host_of

_Errand = Callable[[], Awaitable[None]]
"""Something to fetch from a site."""
_LOG: Final = logging.getLogger(__name__)
_N_SITE: Final = 4
"""Sites that are fetched from at a time."""
_NOT_MODIFIED: Final = 304
_IDLE_S: Final = 60.0
"""Seconds after which it looks for work, if nobody says that there is some."""


@dataclass(slots=True)
class Gatherer:
    """Fetches what people want to keep, until it is cancelled."""

    context: AppContext
    delay_s: float = DELAY_S
    """Seconds between two pages of a site, at least."""
    _work: anyio.Event = field(default_factory=anyio.Event)

    def wake(self) -> None:
        """Say that there is work."""
        self._work.set()

    async def run(self) -> None:
        """Work whenever there is something to do."""
        while True:
            self._work = anyio.Event()
            try:
                is_done = not await self.gather()
            except Exception:  # a full disk, say, which must not end the app
                _LOG.exception("nothing could be gathered")
                is_done = True
            if is_done:
                with anyio.move_on_after(_IDLE_S):
                    await self._work.wait()

    async def gather(self) -> bool:
        """Fetch wanted pages with their pictures, and due feeds; return whether there were any."""
        sites: dict[str, list[_Errand]] = defaultdict(list)
        polite = {
            is_public: PoliteFetcher(self.context, self.delay_s, allow_private=not is_public)
            for is_public in (True, False)
        }
        data_dir = self.context.settings.data_dir
        if (data_dir / SAVED_FILE).exists():
            for page in await ask_list(self.context, list_wanted):
                sites[page.host].append(partial(self._try_page, page, polite[page.is_public]))
        if (data_dir / FEEDS_FILE).exists():
            for feed in await ask_feeds(self.context, lambda feeds: feeds.due()):
                sites[host_of(feed.url)].append(partial(self._try_feed, feed))
        limit = anyio.CapacityLimiter(_N_SITE)
        async with anyio.create_task_group() as group:
            for errands in sites.values():
                group.start_soon(_run_all, errands, limit)
        return bool(sites)

    async def _try_feed(self, feed: DueFeed) -> None:
        """Ask a feed for what is new, and note why if that fails."""
        try:
            await self._refresh(feed)
        except Exception as error:  # the others have their turn whatever one does
            is_same = isinstance(error, FetchError) and error.status == _NOT_MODIFIED
            reason = "" if is_same else _explain(error)
            await ask_feeds(self.context, lambda feeds: feeds.note_trouble(feed.id, reason))

    async def _refresh(self, feed: DueFeed) -> None:
        await anyio.sleep(self.delay_s)
        validators = {"If-None-Match": feed.etag, "If-Modified-Since": feed.modified}
        headers = {name: value for name, value in validators.items() if value}
        fetched = await self.context.get(feed.url, allow_private=True, headers=headers)
        read = await self.context.wait_and_work(
            read_feed, fetched.body, fetched.url, fetched.http_charset
        )
        await ask_feeds(self.context, lambda feeds: feeds.store(feed.id, fetched, read))

    async def _try_page(self, page: WantedPage, polite: PoliteFetcher) -> None:
        """Keep a page, and note why if that fails."""
        try:
            await self._keep(page, polite)
        except Exception as error:  # the others have their turn whatever one does
            reason = _explain(error)
            await ask_list(self.context, lambda saved: note_trouble(saved, page.id, reason))

    async def _keep(self, page: WantedPage, polite: PoliteFetcher) -> None:
        """Fetch a page if only its address is known, and its pictures."""
        context, number = self.context, page.id
        source = await ask_list(context, lambda saved: saved.source(page.id))
        if source is None:
            return
        if page.is_link:
            url = page.url or ""
            await anyio.sleep(await polite.pause_s(url))
            source = PageSource.of_fetched(await polite.get(url))
        task = context.task(source)
        if page.is_link:
            fetched = source
            title, text = titled(source, *await context.wait_and_work(write, task, "text"))
            number = await ask_list(
                context, lambda saved: saved.fill(page.id, fetched, title, text)
            )
        pictures = {}
        if context.settings.images:
            urls = await context.wait_and_work(list_pictures, task)
            pictures = await fetch_pictures(context, source, urls)
        bodies = {url: picture.body for url, picture in pictures.items()}
        await ask_list(context, lambda saved: keep_pictures(saved, number, bodies))


def _explain(error: Exception) -> str:
    """Return the reason of a failure; what was not expected is logged."""
    if isinstance(error, ThresherError):
        return str(error)
    _LOG.error("something could not be gathered", exc_info=error)
    return "the server failed"


async def _run_all(errands: Sequence[_Errand], limit: anyio.CapacityLimiter) -> None:
    async with limit:
        for run in errands:
            await run()
