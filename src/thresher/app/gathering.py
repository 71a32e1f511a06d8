"""Gathering in the background: links and pictures of saved pages that are to be kept offline.

Sites are asked in parallel, each for one page at a time, as robots.txt allows.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import anyio

from thresher.app.context import AppContext
from thresher.app.opened_pages import PageSource
from thresher.app.pages.images import fetch_pictures
from thresher.app.pages.saved import ask_list, titled
from thresher.app.polite import PoliteFetcher
from thresher.app.reading import list_pictures, write
from thresher.app.saved import SavedList
from thresher.app.saved_database import SAVED_FILE
from thresher.app.saved_offline import WantedPage, keep_pictures, list_wanted, note_trouble
from thresher.errors import ThresherError
from thresher.fetching.limits import DELAY_S

__all__ = ["Gatherer"]

_LOG: Final = logging.getLogger(__name__)
_N_SITE: Final = 4
"""Sites that are asked at a time."""
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
                _LOG.exception("what is to be kept offline was not fetched")
                is_done = True
            if is_done:
                with anyio.move_on_after(_IDLE_S):
                    await self._work.wait()

    async def gather(self) -> bool:
        """Fetch wanted pages and their pictures; return whether there were any."""
        if not (self.context.settings.data_dir / SAVED_FILE).exists():
            return False
        sites: dict[str, list[WantedPage]] = defaultdict(list)
        for page in await ask_list(self.context, list_wanted):
            sites[page.host].append(page)
        polite = PoliteFetcher(self.context, self.delay_s)
        limit = anyio.CapacityLimiter(_N_SITE)
        async with anyio.create_task_group() as group:
            for pages in sites.values():
                group.start_soon(self._gather_site, pages, polite, limit)
        return bool(sites)

    async def _gather_site(
        self, pages: Sequence[WantedPage], polite: PoliteFetcher, limit: anyio.CapacityLimiter
    ) -> None:
        async with limit:
            for page in pages:
                try:
                    await self._keep(page, polite)
                except ThresherError as error:
                    await self._give_up(page, str(error))

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

    async def _give_up(self, page: WantedPage, reason: str) -> None:
        def note(saved: SavedList) -> None:
            note_trouble(saved, page.id, reason)

        await ask_list(self.context, note)
