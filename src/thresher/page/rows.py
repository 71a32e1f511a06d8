"""Ancestor and descendant queries over flagged rows.

Rows are in document order and the subtree of row i is ``i:end[i]``, so nothing recurses.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel, kernel_with
from thresher.page.scan import IntArray

BoolArray = npt.NDArray[np.bool_]
_Array = TypeVar("_Array", bound=npt.NDArray[Any])
Flags = npt.NDArray[np.uint8]

_Of = npt.NDArray[np.integer] | slice | None
_BITS: Final = tuple(np.uint8(1 << bit) for bit in range(8))


def freeze(array: _Array) -> _Array:
    """Make an array read-only, and return it."""
    array.setflags(write=False)
    return array


def sum_before(values: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
    """Return the sum before each value, and that of all at the end; int64[n + 1]."""
    total = np.zeros(values.size + 1, np.int64)
    values.cumsum(out=total[1:])
    return total


@kernel
def find_tagged(tag: npt.NDArray[np.int16], flags: BoolArray) -> npt.NDArray[np.int64]:
    """Find the rows with flagged tags, given bool[n_code] flags by tag code; int64[n]."""
    return flags.take(tag).nonzero()[0]


@kernel
def flag_within(rows: BoolArray, end: IntArray) -> BoolArray:
    """Flag every flagged row and its descendants; bool[n_row]."""
    return _levels(rows, end) > 0


@kernel
def flag_below(rows: BoolArray, end: IntArray) -> BoolArray:
    """Flag the descendants of flagged rows; bool[n_row]."""
    return _levels(rows, end) > rows


def _find_nearest_by_step(
    steps: Steps, rows: BoolArray, parent: IntArray, end: IntArray, of: _Of = None
) -> IntArray | None:
    nearest = steps.find_nearest(rows, parent)
    return nearest if nearest is None or of is None else nearest[of]


@kernel_with(_find_nearest_by_step)
def find_nearest(rows: BoolArray, parent: IntArray, end: IntArray, of: _Of = None) -> IntArray:
    """Find each row's nearest flagged ancestor-or-self, else −1; int32[n_row].

    If ``of`` is given, only for those rows.
    """
    # Counting only flagged rows, it is the last preceding flagged row of the same depth.
    asked = np.arange(rows.size)[slice(None) if of is None else of]
    marked = rows.nonzero()[0]
    if not marked.size:
        return np.full(asked.size, -1, np.int32)
    level = _levels(rows, end)
    span = np.int64(rows.size)
    keys = level.take(marked) * span + marked
    keys.sort()
    level = level.take(asked)
    nearest = keys.take(keys.searchsorted(level * span + asked, side="right") - 1) % span
    return np.where(level > 0, nearest, -1).astype(np.int32)


def _inherit_flags_by_step(
    steps: Steps, own: Flags, inside: Flags, parent: IntArray, end: IntArray
) -> Flags | None:
    return steps.inherit_flags(own, inside, parent)


@kernel_with(_inherit_flags_by_step)
def inherit_flags(own: Flags, inside: Flags, parent: IntArray, end: IntArray) -> Flags:
    """Combine each row's own flags, its ancestors', and those that these set on descendants."""
    flags = np.zeros(own.size, np.uint8)
    for given, reach in ((own, flag_within), (inside, flag_below)):
        there = np.bitwise_or.reduce(given)
        for bit in _BITS:
            if there & bit:
                flags |= reach((given & bit) != 0, end) * bit
    return flags


def sum_flagged(rows: BoolArray, offsets: IntArray) -> IntArray:
    """Sum, before each row, the ranges of offsets of flagged rows; int32[n_row + 1]."""
    sums = np.zeros(offsets.size, np.int32)
    np.cumsum(np.diff(offsets) * rows, out=sums[1:])
    return sums


def _levels(rows: BoolArray, end: IntArray) -> npt.NDArray[np.int64]:
    """Count the flagged ancestors-or-self of each row; int64[n_row]."""
    level = np.zeros(rows.size + 1, np.int64)
    level[:-1] = rows
    level -= np.bincount(end[rows], minlength=rows.size + 1)
    return np.cumsum(level[:-1])
