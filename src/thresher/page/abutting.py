"""Spaces between inline elements that abut in the markup: only where the page would show one.

Style sheets set apart what `<span>By</span><time>9 May</time>` does not, so that words would run
together without a space. But `<span>list.</span><span>append</span>` is one name, and
`<span>O</span><span>nce</span>` one word. Without style sheets, names of elements and classes, and
the characters on both sides, must tell. The rules were made from the 1,377 such places of nine
labelled corpora where the labels show one form only (every sixth page, 2026-11-23).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from thresher.deadline import watch
from thresher.page.rows import BoolArray, flag_within
from thresher.page.scan import IntArray
from thresher.page.table import Table
from thresher.page.tags import CODE_OF, TEXT, flags_of

__all__ = ["find_joined"]

_EXACT: Final = flags_of("code kbd listing pre samp sub sup textarea tt var xmp")
"""Elements whose text is written as it stands, and marks such as "[1][2]"."""
_SPAN: Final = CODE_OF["span"]
_NAMES: Final = re.compile(r"[a-z]+")
_LABELS: Final = frozenset(
    "a11y author authors badge badges btn button byline category categories chip count counter"
    " date dateline datetime duration hidden icon label labels level meta pill pills posted"
    " published readtime source status tag tags time timestamp username viewcode".split()
)
"""Words in the classes of elements that style sheets set apart."""
_SIGNATURES: Final = frozenset(
    "declaration hljs katex memname memproto prettyprint prototype sig signature synopsis".split()
)
"""Words in the classes of elements that hold code, or a formula, as markup of its parts."""
_MAX_LEVELS: Final = 5
"""Elements around a text whose classes are read."""
_CURRENCIES: Final = frozenset("$€£¥₹₽₩")
_BRACKETS: Final = frozenset("([{<")
_JOINING: Final = frozenset("([{<“‘«„¿¡@#") | _CURRENCIES
"""Characters that the next part follows directly."""
_LEADING: Final = frozenset("([{“„«@#©•·|–—›»→✓★☆") | _CURRENCIES
"""Characters before which a new part begins."""
_TRAILING: Final = frozenset(",;:!?)]}”»%…•·|–—›→©®™✓★☆")
"""Characters after which a part has ended."""
_SHORT: Final = 2
"""Letters of a unit written directly after its number."""


def find_joined(table: Table, leaves: IntArray, places: IntArray, texts: list[str]) -> list[int]:
    """Return which of some leaves, before each of which elements abut, follow without a space.

    ``places`` are these among ``leaves``, the rows of all; ``texts`` holds the texts before and
    after each place, in turn.
    """
    pairs = np.stack((leaves[places - 1], leaves[places]), axis=1)
    is_exact = flag_within(_EXACT[table.tag], table.end)
    in_exact: BoolArray = np.logical_or(*is_exact[pairs].T)
    classes = _Classes(table)
    joined: list[int] = []
    for place, before, after, (first, second), exact in watch(
        zip(
            places.tolist(), texts[::2], texts[1::2], pairs.tolist(), in_exact.tolist(), strict=True
        )
    ):
        if exact or not _is_apart(classes, before, after, first, second):
            joined.append(place)
    return joined


class _Classes:
    """The names in the classes of the elements around texts, each read once."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._names: dict[int, frozenset[str]] = {}

    def around(self, row: int) -> Iterator[frozenset[str]]:
        """Yield the names of the innermost elements around a text."""
        tables = self.table
        for _ in range(_MAX_LEVELS):
            row = int(tables.parent[row])
            if row < 0:
                return
            if row not in self._names:
                words = _NAMES.findall((tables.attr(row, "class") or "").lower())
                self._names[row] = frozenset(words)
            yield self._names[row]

    def between(self, first: int, second: int) -> Iterator[frozenset[str]]:
        """Yield the names of the elements around one of two texts, but not around the other."""
        parent, end = self.table.parent, self.table.end
        for text, other in ((first, second), (second, first)):
            row = text
            for names in self.around(text):
                row = int(parent[row])
                if row < other < end[row]:
                    break
                yield names


def _is_apart(classes: _Classes, before: str, after: str, first: int, second: int) -> bool:
    """Return whether a page would show a space between two texts, whose rows are given too."""
    if not before or not after or before[-1].isspace() or after[0].isspace():
        return True
    left, right = before[-1], after[0]
    if left in _JOINING or after.strip() in _BRACKETS:
        return False
    if _has_any(classes.between(first, second), _LABELS):
        return True
    if any(_has_any(classes.around(row), _SIGNATURES) for row in (first, second)):
        return False
    if left.isalnum() and right.isalnum():
        return _are_two_words(classes.table, before, after, first, second)
    return not (_is_wide(left) or _is_wide(right)) and _is_parted_by_sign(before, after)


def _is_parted_by_sign(before: str, after: str) -> bool:
    """Return whether a sign at the end of one text, or the start of the next, has a space there."""
    left, right = before[-1], after[0]
    if not right.isalnum():
        is_spaced = len(after) > 1 and after[1].isspace()
        return right in _LEADING or is_spaced or (right == '"' and left.isalnum())
    if left == ".":
        return right.isupper() and len(before.split()) > 1
    return left in _TRAILING or (left == '"' and before.count('"') % 2 == 0)


def _are_two_words(table: Table, before: str, after: str, first: int, second: int) -> bool:
    """Return whether two texts, at letters or digits of which elements abut, are two words."""
    left, right = before[-1], after[0]
    tags = {int(table.tag[_outermost(table, *rows)]) for rows in ((first, second), (second, first))}
    if tags == {TEXT} or _is_wide(left) or _is_wide(right):
        return False  # an empty element is between them, or their script has no spaces
    is_letter = left.isalpha() and not before[-2:-1].isalnum() and before[-2:-1] not in ("'", "’")
    if is_letter and left.isupper() and len(after) > 1 and right.islower():
        return False  # an initial
    if not tags <= {_SPAN, TEXT}:
        return True
    if is_letter and (len(after) == 1 or not right.isupper() or after[1].isupper()):
        return False
    if left.isdigit() and right.islower():
        return len(after.split(maxsplit=1)[0]) > _SHORT
    return right.isupper() or right.isdigit()


def _outermost(table: Table, row: int, other: int) -> int:
    """Return the outermost element around a text that is not also around another."""
    parent, end = table.parent, table.end
    while not (above := int(parent[row])) < other < end[above]:
        row = above
    return row


def _has_any(names: Iterable[frozenset[str]], wanted: frozenset[str]) -> bool:
    return any(not each.isdisjoint(wanted) for each in names)


def _is_wide(char: str) -> bool:
    """Return whether a character is of a script without spaces, Chinese or Japanese."""
    return "\u2e80" <= char <= "\u9fff" or "\uf900" <= char <= "\uffef" or char >= "\U00020000"
