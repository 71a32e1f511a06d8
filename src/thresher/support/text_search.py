"""Search of many short texts at once, such as all class names of a page.

Regular expressions with many branches are slow, and most texts match none. So the texts that have
one of some plain parts in them are found first, in one pass over all of them for each part.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, repeat
from operator import add
from typing import Final

_SEPARATOR: Final = b"\0"


class TextSearch:
    """Texts without NUL, to be searched in lower case; only ASCII letters have one."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        self._joined = _SEPARATOR.join(texts).lower()
        self._stops = list(accumulate(map(add, map(len, texts), repeat(len(_SEPARATOR)))))

    def lower(self, index: int) -> bytes:
        """Return one of the texts in lower case."""
        start = self._stops[index - 1] if index else 0
        return self._joined[start : self._stops[index] - len(_SEPARATOR)]

    def has(self, part: bytes) -> bool:
        """Return whether any text contains a part, given in lower case."""
        return part in self._joined

    def find(self, parts: Iterable[bytes]) -> list[int]:
        """Return the indices, in order, of the texts that contain one of some lower-case parts.

        Cost: linear in all texts, times parts.
        """
        joined, stops = self._joined, self._stops
        found: set[int] = set()
        for part in parts:
            at = joined.find(part)
            while at >= 0:
                index = bisect_right(stops, at)
                found.add(index)
                at = joined.find(part, stops[index])
        return sorted(found)

    def matching(self, patterns: Iterable[bytes]) -> list[int]:
        """Return the indices, in order, of the texts that match one of some patterns.

        The texts are searched as one, separated by NUL, which a pattern must not match.
        """
        joined, stops = self._joined, self._stops
        hits = {hit.start() for pattern in patterns for hit in re.finditer(pattern, joined)}
        return sorted({bisect_right(stops, at) for at in hits})
