"""Pages that somebody reads now: the bytes as they came, under an id that nobody can guess."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Final

from thresher.fetching.model import Fetched

__all__ = ["PageCache", "Source"]

_ID_BYTES: Final = 12
_OVERHEAD_BYTES: Final = 1000
"""What a page costs besides its text, so that empty pages are not kept without end."""


@dataclass(frozen=True, slots=True)
class Source:
    """A page as it came; pickles."""

    body: bytes | str
    url: str | None = None
    http_charset: str | None = None
    name: str = ""
    """The name of its file, where it came from one."""
    is_public: bool = True
    """Whether it came from the public internet: such a page leads to no private address."""

    @classmethod
    def of_fetched(cls, fetched: Fetched) -> Source:
        """Make the source of what was fetched."""
        return cls(fetched.body, fetched.url, fetched.http_charset, is_public=fetched.is_public)

    @property
    def n_bytes(self) -> int:
        """Bytes of memory that it takes, about."""
        is_wide = isinstance(self.body, str) and not self.body.isascii()
        return len(self.body) * (2 if is_wide else 1) + _OVERHEAD_BYTES


class PageCache:
    """Pages by id, the latest used of them, as many as fit; for any thread."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._pages: OrderedDict[str, Source] = OrderedDict()
        self._n_bytes = 0
        self._lock = Lock()

    def put(self, source: Source) -> str:
        """Keep a page, for which the least used ones may have to go; return its id.

        A page larger than all the room is kept alone, until the next one comes.
        """
        name = secrets.token_urlsafe(_ID_BYTES)
        with self._lock:
            self._pages[name] = source
            self._n_bytes += source.n_bytes
            while self._n_bytes > self._max_bytes and len(self._pages) > 1:
                self._n_bytes -= self._pages.popitem(last=False)[1].n_bytes
        return name

    def get(self, name: str) -> Source | None:
        """Return a page, None where it is not, or no longer, kept."""
        with self._lock:
            if name in self._pages:
                self._pages.move_to_end(name)
            return self._pages.get(name)

    def latest(self) -> list[tuple[str, Source]]:
        """Return all pages with their ids, the latest used first."""
        with self._lock:
            return list(reversed(self._pages.items()))

    @property
    def n_bytes(self) -> int:
        """Bytes of all that is kept."""
        return self._n_bytes

    def __len__(self) -> int:
        return len(self._pages)
