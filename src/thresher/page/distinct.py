"""The distinct values among many spans of a page, such as its classes: most occur many times."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page.rows import freeze
from thresher.page.scan import IntArray

__all__ = ["DistinctValues", "Numbered", "number_spans", "read_values"]


class Numbered(NamedTuple):
    """Spans numbered by what they read, in order of first occurrence."""

    number: IntArray
    """The number of each span; int32[n]."""
    first: IntArray
    """The first span with each number; int32[n_distinct]."""


class DistinctValues(NamedTuple):
    """The distinct values of an attribute, in order of first occurrence."""

    row: IntArray
    """The rows with the attribute, in order; int32[n]."""
    number: IntArray
    """The value of each: an index into the other fields; int32[n]."""
    start: IntArray
    """Where each value starts in the page's buffer; int32[n_distinct]."""
    stop: IntArray
    """Where it stops there; int32[n_distinct]."""
    texts: list[bytes]
    """The values, escaped."""

    def rows_with(self, numbers: list[int]) -> IntArray:
        """Return the rows with some of the values, given by number; int32[n]."""
        wanted = np.zeros(len(self.texts), np.bool_)
        wanted[numbers] = True
        return self.row[wanted[self.number]]

    def rows_of(self, matches: Callable[[bytes], object]) -> IntArray:
        """Return the rows whose value matches; int32[n]."""
        return self.rows_with([number for number, text in enumerate(self.texts) if matches(text)])


def _number_by_step(
    steps: Steps, buffer: bytes, start: IntArray, stop: IntArray
) -> Numbered | None:
    # A table twice as large as needed has few collisions.
    found = steps.number_spans(buffer, start, stop, 2 << int(start.size).bit_length())
    return None if found is None else Numbered(*found)


@kernel_with(_number_by_step)
def number_spans(buffer: bytes, start: IntArray, stop: IntArray) -> Numbered:
    """Number spans of a buffer by what they read, in order of first occurrence."""
    known: dict[bytes, int] = {}
    spans = zip(start.tolist(), stop.tolist(), strict=True)
    number = [known.setdefault(buffer[first:last], len(known)) for first, last in spans]
    numbers = np.array(number, np.int32)
    return Numbered(numbers, np.unique(numbers, return_index=True)[1].astype(np.int32))


def read_values(
    buffer: bytes, row: IntArray, start: IntArray, stop: IntArray, entries: npt.NDArray[np.intp]
) -> DistinctValues:
    """Read the distinct values among some attributes, given row and span of each attribute."""
    starts, stops = start.take(entries), stop.take(entries)
    number, first = number_spans(buffer, starts, stops)
    starts, stops = starts.take(first), stops.take(first)
    spans = zip(starts.tolist(), stops.tolist(), strict=True)
    texts = [buffer[begin:end] for begin, end in spans]
    return DistinctValues(
        freeze(row.take(entries)), freeze(number), freeze(starts), freeze(stops), texts
    )
