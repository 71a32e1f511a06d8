"""Cache of the pages that a preview shows, each visible to its owner only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from thresher.support.bounded_cache import ByteCache

__all__ = ["CachedPage", "PreviewCache"]

_MAX_BYTES: Final = 64 * 2**20
"""Maximum total; the least recently used are evicted first, but never the last page."""


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
        self._pages = ByteCache[CachedPage](max_bytes, lambda page: len(page.body))

    def put(self, page: CachedPage) -> str:
        """Add a page; return its name."""
        return self._pages.put(page)

    def get(self, name: str, owner: str) -> CachedPage | None:
        """Return a page; None if it was evicted or belongs to another owner."""
        page = self._pages.get(name)
        return page if page and page.owner == owner else None
