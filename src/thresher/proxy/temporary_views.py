"""Views asked for once: "show the original" of one page, for a while, without any setting."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

__all__ = ["TemporaryViews", "without_fragment"]

_MAX: Final = 1000
"""Pages that are remembered; the oldest go first."""
_KEEP_S: Final = 600.0
"""Seconds that a page stays in the view that was asked for, so that it can be loaded again."""


class TemporaryViews:
    """Views of single pages, by user and address; bounded in number and in time."""

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
        """Return the view that was asked for, None where none was or the time is over."""
        key = (user, without_fragment(url))
        view, until = self._views.get(key, (None, 0.0))
        if view is not None and until < self._clock():
            del self._views[key]
            return None
        return view


def without_fragment(url: str) -> str:
    """Return an address as it is sent: without what follows its #."""
    return url.partition("#")[0]
