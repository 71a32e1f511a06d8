"""Results of forms that were sent with POST, so that other views of them need no second submission.

To show such a page in another view by asking its server again would send the form again, or show
the page without its result. So the original is kept for some minutes, and what the badge's links
lead to is made from it, once for each click.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from thresher.proxy.temporary_views import without_fragment

__all__ = ["PostResult", "PostResults"]

_MAX_BYTES: Final = 32 * 2**20
"""Maximum total; the oldest are evicted first."""
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
        self._clock = clock
        self._known: OrderedDict[str, tuple[PostResult, float]] = OrderedDict()
        self._chosen: dict[tuple[str, str], str] = {}
        self._n_byte = 0

    def keep(self, name: str, result: PostResult) -> None:
        """Keep a result under a name."""
        self._known[name] = (result, self._clock() + _KEEP_S)
        self._n_byte += len(result.body)
        while self._known and (self._n_byte > self._max_bytes or self._is_over()):
            self._n_byte -= len(self._known.popitem(last=False)[1][0].body)
        kept = {key: name for key, name in self._chosen.items() if name in self._known}
        self._chosen = kept

    def choose(self, user: str, name: str, url: str) -> None:
        """Answer the user's next request for an address with a result, if it is of both."""
        known = self._known.get(name)
        if known and (known[0].user, known[0].url) == (user, without_fragment(url)):
            self._chosen[user, known[0].url] = name

    def take(self, user: str, url: str) -> tuple[str, PostResult] | None:
        """Return the chosen result for a request, with its name, and forget the choice."""
        name = self._chosen.pop((user, without_fragment(url)), None)
        if name is None or self._is_over(name):
            return None
        return name, self._known[name][0]

    def _is_over(self, name: str | None = None) -> bool:
        """Return whether a result, or else the oldest, has expired."""
        known = self._known.get(name) if name else next(iter(self._known.values()))
        return known is None or known[1] < self._clock()
