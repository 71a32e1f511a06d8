"""Spaces between inline elements that abut in the markup: only where the page would show one.

Style sheets set apart what `<span>By</span><time>9 May</time>` does not, so that words would run
together without a space. But `<span>list.</span><span>append</span>` is one name, and
`<span>O</span><span>nce</span>` one word. Without style sheets, names of elements and classes, and
the characters on both sides, must tell. The rules were made from the 1,377 such places of nine
labelled corpora where the labels show one form only (every sixth page, 2026-11-23).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page.rows import flag_within
from thresher.page.scan import IntArray
from thresher.page.table import Table
from thresher.page.tags import CODE_OF, TEXT, flags_of

EXACT: Final = flags_of("code kbd listing pre samp sub sup textarea tt var xmp")
"""Elements whose text is written as it stands, and marks such as "[1][2]"."""
_A: Final = CODE_OF["a"]
_SPAN: Final = CODE_OF["span"]
_ROOT: Final = 0
_WHITE: Final = np.isin(np.arange(256), list(b" \t\n\r\f"))
_CLASS: Final = re.compile(rb' (?:class|role)="([^"]*)"')
_WORDS: Final = re.compile(rb"[a-z]+[0-9]*")
_LABELS: Final = frozenset(
    b"a11y author authors badge badges btn button byline category categories cell chip"
    b" classifier columnheader copyright count counter credit credits date dateline datetime"
    b" duration gridcell hidden icon label labels level meta pill pills posted published readtime"
    b" rowheader source status tag tags time timestamp username viewcode".split()
)
"""Words in the classes, and roles, of elements that style sheets set apart."""
_SIGNATURES: Final = frozenset(
    b"declaration hljs katex memname memproto prettyprint prototype sig signature synopsis".split()
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
_CLOSING_QUOTES: Final = frozenset("”’")
"""Signs that belong to the text before them, whatever follows."""
_SHORT: Final = 2
"""Letters of a unit written directly after its number."""


def find_joined(
    table: Table,
    leaves: IntArray,
    places: npt.NDArray[np.intp],
    texts_of: Callable[[npt.NDArray[np.intp]], list[str]],
) -> list[int]:
    """Return which of some leaves, before each of which elements abut, follow without a space.

    ``places`` are these among ``leaves``, the rows of all; ``texts_of`` returns texts of leaves.
    """
    raw = np.frombuffer(table.buffer, np.uint8)
    first, second = leaves[places - 1], leaves[places]
    is_exact = np.zeros(first.size, np.bool_)
    if table.rows_of(EXACT).size:
        exact = flag_within(EXACT.take(table.tag), table.end)
        is_exact = exact[first] | exact[second]
    is_spaced = _WHITE[raw[table.open_stop[first] - 1]] | _WHITE[raw[table.open_start[second]]]
    joined: list[int] = places[is_exact].tolist()
    unclear = places[~is_exact & ~is_spaced]
    if not unclear.size:
        return joined
    rows = unclear.repeat(2)
    rows[::2] -= 1
    texts, around = texts_of(rows), Around(table)
    pairs = leaves[rows].tolist()
    for number, place in watch(enumerate(unclear.tolist())):
        before, after = texts[2 * number : 2 * number + 2]
        if not _is_apart(around, before, after, pairs[2 * number], pairs[2 * number + 1]):
            joined.append(place)
    return joined


class Around:
    """The elements around texts, and the words in their classes, each read once."""

    def __init__(self, table: Table) -> None:
        # Single values of a memory view are read several times as fast as those of an array.
        self.buffer, self.tag = table.buffer, table.tag.data
        self.parent, self.end = table.parent.data, table.end.data
        self.open = table.open_start.data, table.open_stop.data
        self._words: dict[int, frozenset[bytes]] = {}

    def have_any(self, text: int, outermost: int, wanted: frozenset[bytes]) -> bool:
        """Return whether an element around a text, up to the outermost, has one of some words."""
        words_of, parent, row = self._words, self.parent, text
        for _ in range(_MAX_LEVELS):
            if row == outermost or (row := parent[row]) < 0:
                break
            words = words_of.get(row)
            if words is None:
                classes = _CLASS.findall(self.buffer, self.open[0][row], self.open[1][row])
                words = words_of[row] = frozenset(_WORDS.findall(b" ".join(classes).lower()))
            if not words.isdisjoint(wanted):
                return True
        return False

    def find_outermost(self, text: int, other: int) -> int:
        """Return the outermost element around a text that is not around another; else its row."""
        parent, end, row = self.parent, self.end, text
        while not (above := parent[row]) < other < end[above]:
            row = above
        return row

    def part_by_anchor(self, before: int, after: int) -> bool:
        """Return whether all elements between two rows, none with text, are targets of links."""
        between = range(self.end[before], after)
        return bool(between) and all(self.tag[row] == _A for row in between)


def _is_apart(around: Around, before: str, after: str, first: int, second: int) -> bool:
    """Return whether a page would show a space between two texts, whose rows are given too."""
    if not before or not after:
        return True
    left, right = before[-1], after[0]
    if left in _JOINING or after.strip() in _BRACKETS:
        return False
    outer = around.find_outermost(first, second), around.find_outermost(second, first)
    tags = {around.tag[row] for row in outer}
    if tags == {TEXT} or (TEXT in tags and around.part_by_anchor(*outer)):
        return False  # an empty element is between them
    if left.isalnum() and right.isalnum():
        is_apart = _are_two_words(tags, before, after)
    else:
        is_apart = not (is_wide(left) or is_wide(right)) and _is_parted_by_sign(before, after)
    of_parts = zip((first, second), outer, strict=True)
    if is_apart and not is_code(around, first, second):
        return True
    return any(around.have_any(*part, _LABELS) for part in of_parts)


def is_code(around: Around, first: int, second: int) -> bool:
    """Return whether one of two texts is in an element that holds code, or a formula."""
    return any(around.have_any(row, _ROOT, _SIGNATURES) for row in (first, second))


def _is_parted_by_sign(before: str, after: str) -> bool:
    """Return whether a sign at the end of one text, or the start of the next, has a space there."""
    left, right = before[-1], after[0]
    if not right.isalnum():
        is_spaced = len(after) > 1 and after[1].isspace() and right not in _CLOSING_QUOTES
        return right in _LEADING or is_spaced or (right == '"' and left.isalnum())
    if left == ".":
        return right.isupper() and len(before.split()) > 1
    return left in _TRAILING or (left == '"' and before.count('"') % 2 == 0)


def _are_two_words(tags: set[int], before: str, after: str) -> bool:
    """Return whether two texts, at letters or digits of which elements abut, are two words."""
    left, right = before[-1], after[0]
    if is_wide(left) or is_wide(right):
        return False  # their script has no spaces
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


def is_wide(char: str) -> bool:
    """Return whether a character is of a script without spaces, Chinese or Japanese."""
    return "\u2e80" <= char <= "\u9fff" or "\uf900" <= char <= "\uffef" or char >= "\U00020000"
