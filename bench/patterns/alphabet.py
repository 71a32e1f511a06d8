"""Sets of characters as bits of an int: a sample of Unicode, and what a pattern names itself.

Two more "characters" stand for the beginning of a text, where something before it is asked for, and
for its end, where something behind it is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from functools import cached_property, reduce
from importlib import import_module
from operator import or_
from typing import Any, Final

__all__ = ["Alphabet"]

constants: Final[Any] = import_module("re._constants")

_SAMPLE: Final = frozenset(
    [
        *map(chr, range(256)),
        *"ſKİıµ\u2028\u3000\u200b\u4e2d\u3002\u0663\u0301\ufdd0\ufddd\U0001f600",
    ]
)
"""Every class of characters that patterns of this package name has members in and out of these."""
_CATEGORIES: Final = {
    constants.CATEGORY_DIGIT: r"\d",
    constants.CATEGORY_NOT_DIGIT: r"\D",
    constants.CATEGORY_SPACE: r"\s",
    constants.CATEGORY_NOT_SPACE: r"\S",
    constants.CATEGORY_WORD: r"\w",
    constants.CATEGORY_NOT_WORD: r"\W",
}


class Alphabet:
    """The characters of one pattern: the sample, those it names, and what is beside those."""

    def __init__(self, named: Iterable[int]) -> None:
        near = {code for name in named for code in (name - 1, name, name + 1)}
        self.chars = sorted(_SAMPLE | {chr(code) for code in near if 0 <= code <= sys.maxunicode})
        self.bit_of = {char: 1 << place for place, char in enumerate(self.chars)}
        self.all = (1 << len(self.chars)) - 1
        self.start = 1 << len(self.chars)
        """Stands before the first character of a text."""
        self.end = self.start << 1
        """Stands behind the last one."""
        self.newline = self.bit_of["\n"]
        self._matched: dict[tuple[str, int], int] = {}

    @cached_property
    def word(self) -> int:
        """Letters of words."""
        return self._matching(r"\w", 0)

    def literal(self, code: int, flags: int) -> int:
        """Return the set of one character, with its other case where case does not count."""
        return self._matching(re.escape(chr(code)), flags)

    def any(self, flags: int) -> int:
        """Return what a dot matches."""
        return self.all if flags & re.DOTALL else self.all & ~self.newline

    def members(self, items: Iterable[tuple[Any, Any]], flags: int) -> int:
        """Return the set in square brackets."""
        found, negated = 0, False
        for kind, value in items:
            if kind is constants.NEGATE:
                negated = True
            elif kind is constants.LITERAL:
                found |= self.literal(value, flags)
            elif kind is constants.RANGE:
                low, high = map(re.escape, map(chr, value))
                found |= self._matching(f"[{low}-{high}]", flags)
            else:
                found |= self._matching(_CATEGORIES[value], flags)
        return self.all & ~found if negated else found

    def show(self, mask: int) -> str:
        """Return a character of a set, a plain one if there is one."""
        shown = [char for char, bit in self.bit_of.items() if bit & mask]
        return min(shown, key=lambda char: (not char.isalnum(), not char.isprintable(), char))

    def _matching(self, pattern: str, flags: int) -> int:
        key = pattern, flags & (re.IGNORECASE | re.ASCII)
        if key not in self._matched:
            one = re.compile(*key)
            bits = (bit for char, bit in self.bit_of.items() if one.fullmatch(char))
            self._matched[key] = reduce(or_, bits, 0)
        return self._matched[key]
