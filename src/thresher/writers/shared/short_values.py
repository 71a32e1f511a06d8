"""Metadata in fewer characters, for output that has a limit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from thresher.document import WriteOptions

__all__ = ["find_metadata_room", "shorten_values"]

_LENGTHS: Final = (1600, 800, 400, 200, 100, 50, 25)
"""Lengths that values are cut to, in characters, the first that is short enough."""
_FIRST: Final = ("title", "verdict")
"""Fields that are left out last."""
_CUT: Final = "…"
_ADDRESS: Final = re.compile(r"https?://", re.IGNORECASE)


def find_metadata_room(options: WriteOptions) -> int:
    """Return the characters that metadata may take of an output with limits: at most half of them.

    A token of a language model is counted as one character, as in Chinese.
    """
    limits = [limit for limit in (options.max_chars, options.max_tokens) if limit is not None]
    return min(limits) // 2


def shorten_values(fields: Mapping[str, object], max_chars: int, n_sign: int) -> dict[str, object]:
    """Cut the longest values, and if that is not enough leave out fields, from the last on.

    Each takes ``n_sign`` characters besides its name and value. Addresses, which mean nothing when
    they are cut, are left out instead.
    """
    for n_most in _LENGTHS:
        shorter = {
            name: short
            for name, value in fields.items()
            if (short := _shorten(value, n_most)) is not None
        }
        if sum(_count(name, value, n_sign) for name, value in shorter.items()) <= max_chars:
            return shorter
    order = sorted(shorter, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))
    kept: set[str] = set()
    for name in order:
        max_chars -= _count(name, shorter[name], n_sign)
        if max_chars < 0:
            break
        kept.add(name)
    return {name: value for name, value in shorter.items() if name in kept}


def _shorten(value: object, n_most: int) -> object:
    """Return a value of at most so many characters; None if it means nothing then."""
    if isinstance(value, list):
        items = list(value)
        while items and sum(map(len, items)) > n_most:
            items.pop()
        return items or None
    if not isinstance(value, str) or len(value) <= n_most:
        return value
    return None if _ADDRESS.match(value) else value[: n_most - 1].rstrip() + _CUT


def _count(name: str, value: object, n_sign: int) -> int:
    n_char = sum(map(len, value)) if isinstance(value, list) else len(str(value))
    return len(name) + n_char + n_sign
