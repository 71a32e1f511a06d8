"""Cache of the pages that a preview shows, each visible to its owner only."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

__all__ = ["CachedPage", "PreviewCache"]

_MAX_BYTES: Final = 64 * 2**20
"""Maximum total; the least recently used are evicted first, but never the last page."""
_NAME_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page as received from its server or as changed by the proxy."""

    owner: str
    body: bytes
    content_type: str
    url: str
    """Address after redirects."""
    requested_url: str = ""
    """Address before redirects."""


class PreviewCache:
    """Pages by an unguessable name; bounded in bytes."""

    def __init__(self, max_bytes: int = _MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._pages: OrderedDict[str, CachedPage] = OrderedDict()
        self._n_byte = 0

    def put(self, page: CachedPage) -> str:
        """Add a page; return its name."""
        name = secrets.token_urlsafe(_NAME_BYTES)
        self._pages[name] = page
        self._n_byte += len(page.body)
        while self._n_byte > self._max_bytes and len(self._pages) > 1:
            self._n_byte -= len(self._pages.popitem(last=False)[1].body)
        return name

    def get(self, name: str, owner: str) -> CachedPage | None:
        """Return a page; None if it was evicted or belongs to another owner."""
        page = self._pages.get(name)
        if page is None or page.owner != owner:
            return None
        self._pages.move_to_end(name)
        return page
