"""The distinct values among many spans of a page, such as its classes: most occur many times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page.references import unescape
from thresher.page.rows import freeze
from thresher.page.scan import IntArray
from thresher.support.cached import cached_property

__all__ = ["DistinctValues", "Numbered", "number_spans", "read_values"]


class Numbered(NamedTuple):
    """Spans numbered by what they read, in order of first occurrence."""

    number: IntArray
    """The number of each span; int32[n]."""
    first: IntArray
    """The first span with each number; int32[n_distinct]."""


@dataclass(frozen=True)
class DistinctValues:
    """The distinct values of an attribute, in order of first occurrence."""

    buffer: bytes
    row: IntArray
    """The rows with the attribute, in order; int32[n]."""
    number: IntArray
    """The value of each: an index into the other fields; int32[n]."""
    start: IntArray
    """Where each value starts in the page's buffer; int32[n_distinct]."""
    stop: IntArray
    """Where it stops there; int32[n_distinct]."""

    @cached_property
    def texts(self) -> list[bytes]:
        """The values, escaped."""
        buffer, spans = self.buffer, zip(self.start.tolist(), self.stop.tolist(), strict=True)
        return [buffer[start:stop] for start, stop in spans]

    def text(self, number: int) -> bytes:
        """Return one of ``texts``, without the others."""
        return self.buffer[self.start[number] : self.stop[number]]

    @cached_property
    def words(self) -> dict[str, list[int]]:
        """The numbers of the values with each word, between white space; unescaped."""
        found: dict[str, list[int]] = {}
        for number, text in enumerate(self.texts):
            for word in dict.fromkeys(unescape(text.decode()).split()):
                found.setdefault(word, []).append(number)
        return found

    def rows_with(self, numbers: list[int]) -> IntArray:
        """Return the rows with some of the values, given by number; int32[n]."""
        if not numbers:
            return self.row[:0]
        wanted = np.zeros(self.start.size, np.bool_)
        wanted[numbers] = True
        rows: IntArray = self.row[wanted.take(self.number)]
        return rows


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
    return DistinctValues(
        buffer, freeze(row.take(entries)), freeze(number), freeze(starts), freeze(stops)
    )
