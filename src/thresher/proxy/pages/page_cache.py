"""Pages that a preview shows: kept for a while, each for the one who asked for it."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

__all__ = ["CachedPage", "PageCache"]

_MAX_BYTES: Final = 64 * 2**20
"""Of all pages together; the oldest go first, but never the last one."""
_NAME_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page, as its server sent it or as the proxy changed it."""

    owner: str
    body: bytes
    content_type: str
    url: str
    """Where it came from, after all redirects."""
    asked: str = ""
    """Address that was asked for it."""


class PageCache:
    """Pages by a name that cannot be guessed; bounded in bytes."""

    def __init__(self, max_bytes: int = _MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._pages: OrderedDict[str, CachedPage] = OrderedDict()
        self._n_byte = 0

    def put(self, page: CachedPage) -> str:
        """Keep a page; return its name."""
        name = secrets.token_urlsafe(_NAME_BYTES)
        self._pages[name] = page
        self._n_byte += len(page.body)
        while self._n_byte > self._max_bytes and len(self._pages) > 1:
            self._n_byte -= len(self._pages.popitem(last=False)[1].body)
        return name

    def get(self, name: str, owner: str) -> CachedPage | None:
        """Return a page; None where it is not kept any more, or is another's."""
        page = self._pages.get(name)
        if page is None or page.owner != owner:
            return None
        self._pages.move_to_end(name)
        return page
