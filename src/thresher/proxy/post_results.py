"""Results of forms that were sent with POST, so that other views of them need no second submission.

To show such a page in another view by asking its server again would send the form again, or show
the page without its result. So the original is kept for some minutes, and what the badge's links
lead to is made from it, once for each click.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from thresher.proxy.temporary_views import without_fragment
from thresher.support.bounded_cache import ByteCache

__all__ = ["PostResult", "PostResults"]

_MAX_BYTES: Final = 32 * 2**20
"""Maximum total; the least recently used are evicted first."""
_KEEP_S: Final = 600.0
"""Seconds for which a result is kept, as long as a temporary view."""


@dataclass(frozen=True, slots=True)
class PostResult:
    """A page as its server sent it in answer to a form."""

    user: str
    url: str
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    """Decoded."""


class PostResults:
    """Results by an unguessable name; bounded in bytes and time."""

    def __init__(
        self, max_bytes: int = _MAX_BYTES, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._max_bytes = max_bytes
        self._known = ByteCache[PostResult](
            max_bytes, lambda result: len(result.body), max_age_s=_KEEP_S, clock=clock
        )
        self._chosen: dict[tuple[str, str], str] = {}

    def keep(self, name: str, result: PostResult) -> None:
        """Keep a result under a name, unless it is too large."""
        if len(result.body) <= self._max_bytes:
            self._known.put(result, name)
        self._chosen = {key: name for key, name in self._chosen.items() if name in self._known}

    def choose(self, user: str, name: str, url: str) -> None:
        """Answer the user's next request for an address with a result, if it is of both."""
        known = self._known.get(name)
        if known and (known.user, known.url) == (user, without_fragment(url)):
            self._chosen[user, known.url] = name

    def take(self, user: str, url: str) -> tuple[str, PostResult] | None:
        """Return the chosen result for a request, with its name, and forget the choice."""
        name = self._chosen.pop((user, without_fragment(url)), None)
        result = self._known.get(name) if name else None
        return (name, result) if name and result else None
