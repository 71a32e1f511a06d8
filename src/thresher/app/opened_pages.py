"""Cache of opened pages: their original bytes, by an unguessable id."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Final

from thresher.fetching.model import Fetched
from thresher.page.mhtml import unpack_mhtml

__all__ = ["OpenedPageCache", "PageSource"]

_ID_BYTES: Final = 12
_OVERHEAD_BYTES: Final = 1000
"""Bytes added per page, so that the number of empty pages is bounded too."""


@dataclass(frozen=True, slots=True)
class PageSource:
    """Page as received; picklable."""

    body: bytes | str
    url: str | None = None
    http_charset: str | None = None
    name: str = ""
    """Name of the uploaded file, if any."""
    is_public: bool = True
    """Whether the page is from the public internet, and must not load private addresses."""
    is_fetched: bool = False
    """Whether it was fetched from its address, and can be fetched again."""

    @classmethod
    def of_fetched(cls, fetched: Fetched) -> PageSource:
        """Build the source of a fetched page."""
        return cls(
            fetched.body,
            fetched.url,
            fetched.http_charset,
            is_public=fetched.is_public,
            is_fetched=True,
        )

    @classmethod
    def of_file(cls, body: bytes, url: str | None, name: str) -> PageSource:
        """Build the source of a file; that of an MHTML archive is its page.

        InputError for an archive without a page.
        """
        archived = unpack_mhtml(body)
        if archived is None:
            return cls(body, url, name=name)
        return cls(archived.html, url or archived.url, archived.charset, name)

    @property
    def n_bytes(self) -> int:
        """Approximate bytes of memory."""
        is_wide = isinstance(self.body, str) and not self.body.isascii()
        return len(self.body) * (2 if is_wide else 1) + _OVERHEAD_BYTES


class OpenedPageCache:
    """LRU cache of pages by id, bounded in bytes; thread-safe."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._pages: OrderedDict[str, PageSource] = OrderedDict()
        self._n_bytes = 0
        self._lock = Lock()

    def put(self, source: PageSource) -> str:
        """Add a page, evicting the least recently used ones; return its id.

        A page larger than the bound is kept alone, until the next one is added.
        """
        name = secrets.token_urlsafe(_ID_BYTES)
        with self._lock:
            self._pages[name] = source
            self._n_bytes += source.n_bytes
            while self._n_bytes > self._max_bytes and len(self._pages) > 1:
                self._n_bytes -= self._pages.popitem(last=False)[1].n_bytes
        return name

    def get(self, name: str) -> PageSource | None:
        """Return a page; None if it is unknown or was evicted."""
        with self._lock:
            if name in self._pages:
                self._pages.move_to_end(name)
            return self._pages.get(name)

    def latest(self) -> list[tuple[str, PageSource]]:
        """Return all pages with their ids, the most recently used first."""
        with self._lock:
            return list(reversed(self._pages.items()))

    @property
    def n_bytes(self) -> int:
        """Bytes of all cached pages."""
        return self._n_bytes

    def __len__(self) -> int:
        return len(self._pages)
