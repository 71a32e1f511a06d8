"""Patterns of filter lists: compared with addresses, and looked up by their tokens.

The syntax is that of Adblock Plus: ``||`` for the start of a host, ``|`` for the start or the end
of the address, ``^`` for a separator, ``*`` for anything.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["is_in", "tokens_in", "tokens_of"]

_TOKEN: Final = re.compile(r"(?<![a-z0-9%*])[a-z0-9%]{3,}(?![a-z0-9%*])")
_TOKENS: Final = re.compile(r"[a-z0-9%]{3,}")
_HOST_START: Final = r"^[a-z][a-z0-9+.-]*:/+(?:[^/?#]*?\.)?"
_SEPARATOR: Final = r"(?:[^a-z0-9_.%-]|$)"


def tokens_in(address: str) -> list[str]:
    """Return the tokens of an address, in lower case."""
    return _TOKENS.findall(address)


def tokens_of(pattern: str) -> list[str]:
    """Return the tokens that every address has which a pattern matches."""
    return _TOKEN.findall(_without_loose_ends(pattern))


def _without_loose_ends(pattern: str) -> str:
    """Mark the ends of a pattern at which an address may go on, so that no token is cut there."""
    start = pattern if pattern[0] == "|" else f"*{pattern}"
    return start if pattern[-1] == "|" else f"{start}*"


def is_in(pattern: str, address: str) -> bool:
    """Return whether a pattern matches an address, both in lower case; linear in the address."""
    place = 0
    for part in _compile(pattern):
        if isinstance(part, str):
            place = address.find(part, place)
            if place < 0:
                return False
            place += len(part)
        else:
            found = part.search(address, place)
            if found is None:
                return False
            place = found.end()
    return True


@lru_cache(maxsize=16_384)
def _compile(pattern: str) -> tuple[re.Pattern[str] | str, ...]:
    """Return the parts of a pattern between its ``*``: texts, and expressions for the others.

    Each is searched from the end of the one before; the first match is enough, so that nothing is
    tried twice.
    """
    before = after = ""
    if pattern.startswith("||"):
        before, pattern = _HOST_START, pattern[2:]
    elif pattern.startswith("|"):
        before, pattern = "^", pattern[1:]
    if pattern.endswith("|"):
        after, pattern = "$", pattern[:-1]
    texts = pattern.split("*")
    parts: list[re.Pattern[str] | str] = []
    for number, text in enumerate(texts):
        start = before if number == 0 else ""
        stop = after if number == len(texts) - 1 else ""
        if start or stop or "^" in text:
            body = re.escape(text).replace(r"\^", _SEPARATOR)
            parts.append(re.compile(f"{start}{body}{stop}"))
        elif text:
            parts.append(text)
    return tuple(parts)
