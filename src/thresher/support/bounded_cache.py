"""A cache for functions of short texts, bounded in bytes.

The same few class names, ids and tags occur on all pages of a site, and looking one up costs less
than parsing it again. But page authors are untrusted: a name can be as long as a page, and every
page can have different ones. So only results for short texts are cached, and a limited number of
them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, Final, TypeVar

__all__ = ["MAX_ADDRESS_CHARS", "MAX_KEY_CHARS", "bounded_cache"]

_Key = TypeVar("_Key", bound=Hashable)
_T = TypeVar("_T")

MAX_KEY_CHARS: Final = 256
"""Longest key, in characters or bytes, whose result is cached. Hardly any class or id value in
twelve corpora is longer."""
MAX_ADDRESS_CHARS: Final = 8_192
"""Longest URL that is parsed: `urllib.parse.urlsplit` caches the last 128 in full. Most servers
accept no longer ones (RFC 9110, 4.1, asks for 8,000)."""


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
