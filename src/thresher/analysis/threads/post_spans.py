"""Spans of posts: disjoint or nested ranges of rows, and the innermost one of each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page.scan import IntArray

NO_SPAN: Final = -1

_Sums = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PostSpans:
    """Spans ``start:stop`` of rows in document order, outer ones first; int64[n_span] each."""

    start: _Sums
    stop: _Sums
    above: _Sums
    """The enclosing span of each, `NO_SPAN` for none."""

    @classmethod
    def of(cls, start: npt.NDArray[np.integer], stop: npt.NDArray[np.integer]) -> PostSpans | None:
        """Return ordered spans; None if two cross or are equal, or one is empty."""
        first_rows, last_rows = start.astype(np.int64), stop.astype(np.int64)
        above = np.full(start.size, NO_SPAN, np.int64)
        # Most spans are beside each other, and in order.
        if (first_rows < last_rows).all() and (last_rows[:-1] <= first_rows[1:]).all():
            return cls(first_rows, last_rows, above)
        order = np.lexsort((-last_rows, first_rows))
        first_rows, last_rows = first_rows[order], last_rows[order]
        open_spans: list[int] = []
        ends = last_rows.tolist()
        before = (-1, -1)
        for index, (first, last) in enumerate(zip(first_rows.tolist(), ends, strict=True)):
            while open_spans and ends[open_spans[-1]] <= first:
                open_spans.pop()
            if first >= last or (first, last) == before:
                return None
            if open_spans:
                if ends[open_spans[-1]] < last:
                    return None
                above[index] = open_spans[-1]
            open_spans.append(index)
            before = (first, last)
        return cls(first_rows, last_rows, above)

    def __len__(self) -> int:
        return self.start.size

    def exclusive_sums(self, total: npt.NDArray[np.integer]) -> _Sums:
        """Sum over each span, excluding the spans inside it; int64[n_span], or several of these.

        What is summed is given as totals before each row; int64[n_row + 1].
        """
        whole: _Sums = total.take(self.stop, -1) - total.take(self.start, -1)
        inside = self.above >= 0
        if not inside.any():
            return whole
        own = whole.copy()
        np.subtract.at(own.T, self.above[inside], whole.T[inside])
        return own

    def innermost(self, n_row: int) -> IntArray:
        """Return the innermost span of each row, `NO_SPAN` for none; int32[n_row]."""
        # It changes only at edges; of several at one row, the last counts.
        rows = np.concatenate(([0], self.stop[::-1], self.start))
        spans = np.concatenate(([NO_SPAN], self.above[::-1], np.arange(len(self))))
        order = rows.argsort(kind="stable")
        last = rows[order].searchsorted(np.arange(n_row), side="right") - 1
        return spans[order][last].astype(np.int32)


def median(counts: npt.NDArray[np.int64]) -> float:
    """Return the median of some counts, at least one; numpy's takes ten times as long for few."""
    ordered = np.sort(counts)
    return (int(ordered[(counts.size - 1) // 2]) + int(ordered[counts.size // 2])) / 2
