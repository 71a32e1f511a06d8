"""Polite fetching of the pages of one article, one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from urllib.parse import urlsplit

from thresher.errors import FetchError
from thresher.fetching.model import Fetched, Get
from thresher.fetching.robots import Robots

__all__ = ["Trail"]


@dataclass(slots=True)
class Trail:
    """Follows next pages within one site, without visiting a page twice."""

    url: str
    """The first page."""
    body: bytes
    """The body of the first page, already fetched."""
    get: Get
    robots: Robots
    sleep: Callable[[float], object] = time.sleep
    """Waits for a number of seconds."""
    _visited: set[str] = field(init=False)
    _digests: set[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self._visited = {_without_fragment(self.url)}
        self._digests = {_digest(self.body)}

    def follow(self, url: str) -> Fetched | None:
        """Fetch the next page, after a delay; None if it was visited before.

        Raises FetchError for a page of another site, and otherwise as `Robots.pause_s` and ``get``
        do.
        """
        if _without_fragment(url) in self._visited:
            return None
        self._check_site(url, url)
        self.sleep(self.robots.pause_s(url))
        fetched = self.get(url)
        self._check_site(fetched.url, url)
        seen = (
            _without_fragment(fetched.url) in self._visited
            or _digest(fetched.body) in self._digests
        )
        self._visited |= {_without_fragment(url), _without_fragment(fetched.url)}
        self._digests.add(_digest(fetched.body))
        return None if seen else fetched

    def _check_site(self, url: str, asked: str) -> None:
        if _site_of(url) != _site_of(self.url):
            raise FetchError(f"it is of another site: {url}", url=asked)


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]


def _site_of(url: str) -> str:
    """Return host and port, without ``www.``, as a site may use http and https."""
    return urlsplit(url).netloc.lower().removeprefix("www.")


def _digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).digest()
