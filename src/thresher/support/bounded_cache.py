"""Caches that are bounded in bytes, as page authors are untrusted: of results, and of large values.

The same few class names, ids and tags occur on all pages of a site, and looking one up costs less
than parsing it again. But a name can be as long as a page, and every page can have different ones.
So `bounded_cache` keeps only results for short texts, and a limited number of them. `ByteCache`
keeps pages that people open in the app and the proxy.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from math import inf
from threading import Lock
from typing import Any, Final, Generic, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_T = TypeVar("_T")

MAX_KEY_CHARS: Final = 256
"""Longest key, in characters or bytes, whose result is cached. Hardly any class or id value in
twelve corpora is longer."""
MAX_ADDRESS_CHARS: Final = 8_192
"""Longest URL that is parsed: `urllib.parse.urlsplit` caches the last 128 in full. Most servers
accept no longer ones (RFC 9110, 4.1, asks for 8,000)."""
_NAME_BYTES: Final = 16


def bounded_cache(
    max_results: int, size: Callable[[Any], int] = len
) -> Callable[[Callable[[_Key], _T]], Callable[[_Key], _T]]:
    """Cache the last ``max_results`` results of a function of one argument, for short keys only.

    ``size`` measures a key; one longer than `MAX_KEY_CHARS` is computed every time. So the cache
    holds at most ``max_results`` times `MAX_KEY_CHARS` characters, and the results.
    """

    def decorate(function: Callable[[_Key], _T]) -> Callable[[_Key], _T]:
        cached = lru_cache(max_results)(function)

        @wraps(function)
        def call(key: _Key) -> _T:
            return cached(key) if size(key) <= MAX_KEY_CHARS else function(key)

        return call

    return decorate


class ByteCache(Generic[_T]):
    """Values by name, of which the least recently used are evicted first; thread-safe."""

    def __init__(
        self,
        max_bytes: int,
        size: Callable[[_T], int],
        *,
        max_age_s: float = inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``size`` measures a value in bytes; after ``max_age_s`` it is forgotten."""
        self._max_bytes = max_bytes
        self._size = size
        self._max_age_s = max_age_s
        self._clock = clock
        self._values: OrderedDict[str, tuple[_T, float]] = OrderedDict()
        self._n_bytes = 0
        self._lock = Lock()

    def put(self, value: _T, name: str | None = None) -> str:
        """Add a value, evicting others; return its name, a new one if none is given.

        A value larger than the bound is kept alone, until the next one is added.
        """
        from secrets import token_urlsafe  # takes long to import

        name = name or token_urlsafe(_NAME_BYTES)
        with self._lock:
            self._remove(name)
            self._values[name] = (value, self._clock() + self._max_age_s)
            self._n_bytes += self._size(value)
            self._remove_expired()
            while self._n_bytes > self._max_bytes and len(self._values) > 1:
                self._remove(next(iter(self._values)))
        return name

    def get(self, name: str) -> _T | None:
        """Return a value; None if it is unknown, expired or evicted."""
        with self._lock:
            self._remove_expired()
            if name not in self._values:
                return None
            self._values.move_to_end(name)
            return self._values[name][0]

    def latest(self) -> list[tuple[str, _T]]:
        """Return all values with their names, the most recently used first."""
        with self._lock:
            self._remove_expired()
            return [(name, value) for name, (value, _) in reversed(self._values.items())]

    @property
    def n_bytes(self) -> int:
        """Bytes of all values."""
        return self._n_bytes

    def __len__(self) -> int:
        return len(self._values)

    def _remove_expired(self) -> None:
        if self._max_age_s < inf:
            now = self._clock()
            for name in [name for name, (_, until_s) in self._values.items() if until_s < now]:
                self._remove(name)

    def _remove(self, name: str) -> None:
        if name in self._values:
            self._n_bytes -= self._size(self._values.pop(name)[0])
