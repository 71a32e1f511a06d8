"""Ancestor and descendant queries over flagged rows.

Rows are in document order and the subtree of row i is ``i:end[i]``, so nothing recurses.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from thresher.native import REFUSED, compiled
from thresher.page.scan import IntArray

__all__ = [
    "BoolArray",
    "find_nearest",
    "flag_below",
    "flag_within",
    "freeze",
    "inherit_flags",
    "sum_flagged",
]

BoolArray = npt.NDArray[np.bool_]
_Array = TypeVar("_Array", bound=npt.NDArray[Any])
Flags = npt.NDArray[np.uint8]

_Of = npt.NDArray[np.integer] | slice
_BITS: Final = tuple(np.uint8(1 << bit) for bit in range(8))


def freeze(array: _Array) -> _Array:
    """Make an array read-only, and return it."""
    array.setflags(write=False)
    return array


def flag_within(rows: BoolArray, end: IntArray) -> BoolArray:
    """Flag every flagged row and its descendants; bool[n_row]."""
    if compiled is not None:
        inside = np.empty(rows.size, np.bool_)
        compiled.flag_within(np.ascontiguousarray(rows), end, inside)
        return inside
    return flag_within_arrays(rows, end)


def flag_within_arrays(rows: BoolArray, end: IntArray) -> BoolArray:
    """Flag rows as `flag_within` does, with numpy alone."""
    return _levels(rows, end) > 0


def flag_below(rows: BoolArray, end: IntArray) -> BoolArray:
    """Flag the descendants of flagged rows; bool[n_row]."""
    if compiled is not None:
        inside = np.empty(rows.size, np.bool_)
        compiled.flag_below(np.ascontiguousarray(rows), end, inside)
        return inside
    return flag_below_arrays(rows, end)


def flag_below_arrays(rows: BoolArray, end: IntArray) -> BoolArray:
    """Flag rows as `flag_below` does, with numpy alone."""
    return _levels(rows, end) > rows


def find_nearest(
    rows: BoolArray, parent: IntArray, end: IntArray, of: _Of = slice(None)
) -> IntArray:
    """Find each row's nearest flagged ancestor-or-self, else −1; int32[n_row].

    If ``of`` is given, only for those rows.
    """
    if compiled is not None:
        nearest = np.empty(rows.size, np.int32)
        if compiled.find_nearest(np.ascontiguousarray(rows), parent, nearest) != REFUSED:
            return nearest[of]
    return find_nearest_arrays(rows, end, of)


def find_nearest_arrays(rows: BoolArray, end: IntArray, of: _Of = slice(None)) -> IntArray:
    """Find rows as `find_nearest` does, with numpy alone.

    Counting only flagged rows, it is the last preceding flagged row of the same depth.
    """
    asked = np.arange(rows.size)[of]
    marked = rows.nonzero()[0]
    if not marked.size:
        return np.full(asked.size, -1, np.int32)
    level = _levels(rows, end)
    span = np.int64(rows.size)
    keys = level.take(marked) * span + marked
    keys.sort()
    level = level.take(asked)
    found = keys.take(keys.searchsorted(level * span + asked, side="right") - 1) % span
    return np.where(level > 0, found, -1).astype(np.int32)


def inherit_flags(own: Flags, inside: Flags, parent: IntArray, end: IntArray) -> Flags:
    """Combine each row's own flags, its ancestors', and those that these set on descendants."""
    if compiled is not None:
        flags = np.empty(own.size, np.uint8)
        if compiled.inherit_flags(own, inside, parent, flags) != REFUSED:
            return flags
    return inherit_flags_arrays(own, inside, end)


def inherit_flags_arrays(own: Flags, inside: Flags, end: IntArray) -> Flags:
    """Combine flags as `inherit_flags` does, with numpy alone."""
    flags = np.zeros(own.size, np.uint8)
    for given, reach in ((own, flag_within_arrays), (inside, flag_below_arrays)):
        there = np.bitwise_or.reduce(given)
        for bit in _BITS:
            if there & bit:
                flags |= reach((given & bit) != 0, end) * bit
    return flags


def sum_flagged(rows: BoolArray, offsets: IntArray) -> IntArray:
    """Sum, before each row, the ranges of offsets of flagged rows; int32[n_row + 1]."""
    if compiled is not None:
        sums = np.empty(offsets.size, np.int32)
        compiled.sum_flagged(rows, offsets, sums)
        return sums
    return sum_flagged_arrays(rows, offsets)


def sum_flagged_arrays(rows: BoolArray, offsets: IntArray) -> IntArray:
    """Sum as `sum_flagged` does, with numpy alone."""
    sums = np.zeros(offsets.size, np.int32)
    np.cumsum(np.diff(offsets) * rows, out=sums[1:])
    return sums


def _levels(rows: BoolArray, end: IntArray) -> npt.NDArray[np.int64]:
    """Count the flagged ancestors-or-self of each row; int64[n_row]."""
    level = np.zeros(rows.size + 1, np.int64)
    level[:-1] = rows
    level -= np.bincount(end[rows], minlength=rows.size + 1)
    return np.cumsum(level[:-1])
