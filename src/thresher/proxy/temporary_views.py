"""What holds for single pages for some minutes, such as "show original", whatever the settings."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Generic, TypeVar

__all__ = ["PerPage", "TemporaryViews", "without_fragment"]

_T = TypeVar("_T")

_MAX: Final = 1000
"""Maximum of pages; the oldest are evicted first."""
_KEEP_S: Final = 600.0
"""Seconds for which a choice stays in effect, so that the page can be reloaded."""

_N_SLASH_OF_ORIGIN: Final = 3
"""Slashes in ``https://host/``."""


class PerPage(Generic[_T]):
    """Choices for single pages, by user and address; bounded in number and time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: OrderedDict[tuple[str, str], tuple[_T, float]] = OrderedDict()

    def put(self, user: str, url: str, choice: _T) -> None:
        """Let a choice hold for a page for some minutes."""
        key = (user, without_fragment(url))
        self._known[key] = (choice, self._clock() + _KEEP_S)
        self._known.move_to_end(key)
        while len(self._known) > _MAX:
            self._known.popitem(last=False)

    def get(self, user: str, url: str) -> _T | None:
        """Return the choice; None if there is none or it has expired."""
        key = (user, without_fragment(url))
        choice, until = self._known.get(key, (None, 0.0))
        if choice is not None and until < self._clock():
            del self._known[key]
            return None
        return choice

    def take(self, user: str, url: str) -> _T | None:
        """Return the choice as `get` does, and forget it."""
        choice = self.get(user, url)
        self._known.pop((user, without_fragment(url)), None)
        return choice

    def urls(self, user: str) -> list[str]:
        """Return the addresses of the pages for which a user has chosen."""
        return [url for name, url in self._known if name == user]


class TemporaryViews:
    """Views of single pages, by user and address; bounded in number and time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._views = PerPage[str](clock)

    def put(self, user: str, url: str, view: str) -> None:
        """Show a page in a view for some minutes."""
        self._views.put(user, url, view)

    def get(self, user: str, url: str) -> str | None:
        """Return the chosen view; None if there is none or it has expired."""
        return self._views.get(user, url)

    def shows_original(self, user: str, referer: str) -> bool:
        """Return whether the page that a request names is shown unmodified.

        To other sites browsers name only the page's origin: then any page there counts.
        """
        if referer.count("/") == _N_SLASH_OF_ORIGIN and referer.endswith("/"):
            return any(
                self.get(user, url) == "original"
                for url in self._views.urls(user)
                if url.startswith(referer)
            )
        return self.get(user, referer) == "original"


def without_fragment(url: str) -> str:
    """Return an address without its fragment, as it is sent to servers."""
    return url.partition("#")[0]
