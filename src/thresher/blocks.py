"""Leaves grouped into blocks and lines: the units that algorithms decide on.

A block is a longest run of leaves with no block-level edge between them: a paragraph, a cell, a
list item's own text. Two or more line breaks in a row, and a rule, end a block too: many pages
write their paragraphs that way. A line also ends at a single line break.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.native import compiled
from thresher.scan import IntArray

__all__ = [
    "CLOSING",
    "GLUE",
    "NEWLINE",
    "SPACE",
    "Mark",
    "Runs",
    "gaps_between",
    "gaps_marked",
    "group",
    "group_alike",
    "group_marked",
    "join_leaves",
]

BoolArray = npt.NDArray[np.bool_]

GLUE, SPACE, NEWLINE = np.uint8(0), np.uint8(1), np.uint8(2)
"""What stands between two neighbouring leaves of a block."""
CLOSING: Final = np.isin(np.arange(256), list(b",.;:!?)]}%"))
"""First bytes of a text that continues what stands before it: no space is put between."""


class Mark:
    """What the compiled steps find between two leaves; several may be there."""

    EDGE: Final = 1
    """The edge of a block."""
    BROKEN: Final = 2
    """A line break."""
    WHITE: Final = 4
    """A text of white space."""
    OPENED: Final = 8
    """The start of an inline element that is not mere formatting, and continues nothing."""
    CLOSED: Final = 16
    """The end of such an element."""


_MARKS: Final = np.arange(32)
_BETWEEN: Final = Mark.OPENED | Mark.CLOSED
_GAP_OF: Final = np.zeros(_MARKS.size, np.uint8)
_GAP_OF[_MARKS & _BETWEEN == _BETWEEN] = SPACE
_GAP_OF[_MARKS & Mark.WHITE != 0] = SPACE
_GAP_OF[_MARKS & Mark.BROKEN != 0] = NEWLINE
"""The gap that marks stand for, as `gaps_between` says."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Consecutive leaves in groups: group g is the leaves ``start[g]:start[g + 1]``.

    ``start`` is int32[n_group + 1], ``of_leaf`` int32[n_leaf].
    """

    start: IntArray
    of_leaf: IntArray

    def __len__(self) -> int:
        return self.start.size - 1

    def sums(self, leaf_values: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
        """Add up one value a leaf for each group; int64[n_group]."""
        total = np.zeros(leaf_values.size + 1, np.int64)
        np.cumsum(leaf_values, out=total[1:])
        return total[self.start[1:]] - total[self.start[:-1]]

    def any(self, leaf_flags: BoolArray) -> BoolArray:
        """Say for each group whether any of its leaves is flagged; bool[n_group]."""
        return self.sums(leaf_flags) > 0


def group(n_leaf: int, edges: IntArray) -> Runs:
    """Group leaves; an edge k lies between the leaves k - 1 and k."""
    begins = np.zeros(n_leaf + 1, np.bool_)
    begins[edges] = True
    begins[0] = True
    start = np.append(np.flatnonzero(begins[:-1]), n_leaf).astype(np.int32)
    of_leaf = np.cumsum(begins[:-1], dtype=np.int32) - 1
    for array in (start, of_leaf):
        array.setflags(write=False)
    return Runs(start, of_leaf)


def group_alike(keys: npt.NDArray[np.generic]) -> Runs:
    """Group what has the same key as the one before; there is one at least."""
    begins = np.ones(keys.size, np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=begins[1:])
    start = np.append(begins.nonzero()[0], keys.size).astype(np.int32)
    of_leaf = begins.cumsum(dtype=np.int32)
    of_leaf -= 1
    for array in (start, of_leaf):
        array.setflags(write=False)
    return Runs(start, of_leaf)


def group_marked(marks: npt.NDArray[np.uint8], edges: int) -> Runs:
    """Group leaves where one of these marks is before a leaf; needs the compiled steps."""
    assert compiled is not None
    start, of_leaf = np.empty(marks.size, np.int32), np.empty(marks.size - 1, np.int32)
    n_group = compiled.group_leaves(marks, start, of_leaf, edges)
    start = start[: n_group + 1].copy()
    for array in (start, of_leaf):
        array.setflags(write=False)
    return Runs(start, of_leaf)


def gaps_marked(marks: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Say what stands before each leaf, by the marks there; uint8[n_leaf]."""
    return _GAP_OF.take(marks[:-1])


def gaps_between(
    n_leaf: int, *, white: IntArray, closed: IntArray, opened: IntArray, broken: IntArray
) -> npt.NDArray[np.uint8]:
    """Say what stands before each leaf: nothing, a space or a line break; uint8[n_leaf].

    Each argument lists gaps (k is the gap before leaf k) in which there is white space, the end or
    the start of an inline element that is not mere formatting, or a line break. Where such an
    element ends and another starts with nothing between (`</a><a>`, `</span><time>`), style sheets
    put the space that the markup lacks.
    """
    gaps = np.zeros(n_leaf + 1, np.uint8)
    ends = np.zeros(n_leaf + 1, np.bool_)
    ends[closed] = True
    gaps[opened[ends[opened]]] = SPACE
    gaps[white] = SPACE
    gaps[broken] = NEWLINE
    return gaps[:-1]


def join_leaves(texts: list[str], gaps: npt.NDArray[np.uint8]) -> str:
    """Join the texts of neighbouring leaves, white space collapsed as a browser shows it."""
    lines: list[str] = []
    parts: list[str] = []
    for text, gap in zip(texts, gaps.tolist(), strict=True):
        if gap == NEWLINE:
            lines.append(_collapse("".join(parts)))
            parts = [text]
        else:
            parts.append(f" {text}" if gap == SPACE else text)
    lines.append(_collapse("".join(parts)))
    return "\n".join(lines).strip("\n")


def _collapse(text: str) -> str:
    """Make one space of white space in a row, none at the ends.

    The white space of bytes is that of HTML, and a vertical tab; no no-break spaces.
    """
    return b" ".join(text.encode().split()).decode()
