"""Temporary views of single pages, such as "show original", independent of the settings."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

__all__ = ["TemporaryViews", "without_fragment"]

_MAX: Final = 1000
"""Maximum of pages; the oldest are evicted first."""
_KEEP_S: Final = 600.0
"""Seconds for which a view stays in effect, so that the page can be reloaded."""

_N_SLASH_OF_ORIGIN: Final = 3
"""Slashes in ``https://host/``."""


class TemporaryViews:
    """Views of single pages, by user and address; bounded in number and time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._views: OrderedDict[tuple[str, str], tuple[str, float]] = OrderedDict()

    def put(self, user: str, url: str, view: str) -> None:
        """Show a page in a view for some minutes."""
        key = (user, without_fragment(url))
        self._views[key] = (view, self._clock() + _KEEP_S)
        self._views.move_to_end(key)
        while len(self._views) > _MAX:
            self._views.popitem(last=False)

    def get(self, user: str, url: str) -> str | None:
        """Return the chosen view; None if there is none or it has expired."""
        key = (user, without_fragment(url))
        view, until = self._views.get(key, (None, 0.0))
        if view is not None and until < self._clock():
            del self._views[key]
            return None
        return view

    def shows_original(self, user: str, referer: str) -> bool:
        """Return whether the page that a request names is shown unmodified.

        To other sites browsers name only the page's origin: then any page there counts.
        """
        if referer.count("/") == _N_SLASH_OF_ORIGIN and referer.endswith("/"):
            return any(
                self.get(user, url) == "original"
                for name, url in list(self._views)
                if name == user and url.startswith(referer)
            )
        return self.get(user, referer) == "original"


def without_fragment(url: str) -> str:
    """Return an address without its fragment, as it is sent to servers."""
    return url.partition("#")[0]
