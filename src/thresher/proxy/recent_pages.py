"""Pages that were changed a few minutes ago, so that what was removed from one can be listed.

The list is made when somebody opens it, from the page as its server sent it: to make one of every
page would take time that nobody gets back.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from thresher.proxy.rewrite_model import ReceivedPage, RewriteOptions
from thresher.proxy.settings import Profile
from thresher.sites.rulebook import HostRules
from thresher.support.bounded_cache import ByteCache

__all__ = ["RecentPage", "RecentPages"]

_MAX_BYTES: Final = 32 * 2**20
"""Maximum total for all users; the least recently used are evicted first."""
_KEEP_S: Final = 1800.0
"""Seconds for which a page is kept: people read before they look for what is missing."""


@dataclass(frozen=True, slots=True)
class RecentPage:
    """A page as its server sent it, and how it was shown."""

    user: str | None
    page: ReceivedPage
    profile: Profile
    rules: HostRules
    options: RewriteOptions


class RecentPages:
    """Pages by an unguessable name; bounded in bytes and time."""

    def __init__(
        self, max_bytes: int = _MAX_BYTES, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._max_bytes = max_bytes
        self._known = ByteCache[RecentPage](
            max_bytes, lambda recent: len(recent.page.body), max_age_s=_KEEP_S, clock=clock
        )

    def keep(self, name: str, recent: RecentPage) -> None:
        """Keep a page under a name, unless it is too large."""
        if len(recent.page.body) <= self._max_bytes:
            self._known.put(recent, name)

    def get(self, name: str, user: str | None) -> RecentPage | None:
        """Return a page of a user; None if it is somebody else's, unknown or no longer kept."""
        known = self._known.get(name)
        return known if known and known.user == user else None
