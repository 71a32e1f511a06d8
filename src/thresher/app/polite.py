"""Polite fetching for the app's own errands: as robots.txt allows, with pauses."""

from __future__ import annotations

from functools import partial
from typing import Final

import anyio
import anyio.from_thread
import anyio.to_thread

from thresher.app.context import AppContext
from thresher.fetching.model import MAX_ROBOTS_BYTES, Fetched
from thresher.fetching.robots import Robots

__all__ = ["PoliteFetcher"]

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
