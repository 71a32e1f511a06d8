"""What functions of short texts returned, held in memory for the next page, within bounds in bytes.

The same few names of classes, ids and tags stand on all pages of a site, and looking each up costs
less than reading it again. But pages are written by strangers: a name can be as long as a page, and
each page can have others. So only short ones are held, and of those a number.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Final, TypeVar

__all__ = ["MAX_ADDRESS_CHARS", "MAX_KEY_CHARS", "remember", "remember_by"]

_Key = TypeVar("_Key", bound=Hashable)
_Text = TypeVar("_Text", bound=str | bytes)
_T = TypeVar("_T")

MAX_KEY_CHARS: Final = 256
"""Longest text, in characters or bytes, of which a result is held. Of the values of class and id of
twelve corpora hardly any is longer."""
MAX_ADDRESS_CHARS: Final = 8_192
"""Longest address that is taken apart: `urllib.parse.urlsplit` holds the last 128 in memory, whole.
Most servers take no longer ones (RFC 9110, 4.1, asks for 8,000)."""


def remember(n_result: int) -> Callable[[Callable[[_Text], _T]], Callable[[_Text], _T]]:
    """Make a function of one text hold its last results, at most ``n_result``, of short texts only.

    So no more than ``n_result`` times `MAX_KEY_CHARS` characters are held, and their results.
    """

    def decorate(function: Callable[[_Text], _T]) -> Callable[[_Text], _T]:
        size: Callable[[_Text], int] = len
        return remember_by(n_result, size)(function)

    return decorate


def remember_by(
    n_result: int, size: Callable[[_Key], int]
) -> Callable[[Callable[[_Key], _T]], Callable[[_Key], _T]]:
    """Do the same for a function of what ``size`` tells the length of."""

    def decorate(function: Callable[[_Key], _T]) -> Callable[[_Key], _T]:
        held = lru_cache(n_result)(function)

        @wraps(function)
        def ask(key: _Key) -> _T:
            return held(key) if size(key) <= MAX_KEY_CHARS else function(key)

        return ask

    return decorate
