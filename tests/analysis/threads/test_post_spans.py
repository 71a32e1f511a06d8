"""Spans of rows."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from thresher.analysis.threads.post_spans import NO_SPAN, PostSpans


def spans_of(*pairs: tuple[int, int]) -> PostSpans | None:
    """Make spans of pairs of rows."""
    start, stop = np.array(pairs, np.int64).reshape(-1, 2).T
    return PostSpans.of(start, stop)


def test_spans_are_ordered_when_made() -> None:
    """Outer spans come before inner ones, and each knows its enclosing span."""
    spans = spans_of((3, 5), (0, 2), (2, 9), (4, 5))
    assert spans is not None
    assert [0, 2, 3, 4] == spans.start.tolist()
    assert [NO_SPAN, NO_SPAN, 1, 2] == spans.above.tolist()
    assert spans.is_nested


def test_there_are_no_spans_when_they_cross() -> None:
    """Spans that cross, are equal or are empty are rejected."""
    assert spans_of((0, 3), (2, 5)) is None
    assert spans_of((0, 3), (0, 3)) is None
    assert spans_of((1, 1)) is None


def test_sums_are_without_inner_spans() -> None:
    """Sums exclude the rows of inner spans."""
    spans = spans_of((0, 6), (2, 4))
    assert spans is not None
    assert [4, 2] == spans.exclusive_sums(np.ones(8, np.int64)).tolist()


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=12))
def test_owner_is_the_innermost_span(pairs: list[tuple[int, int]]) -> None:
    """Each row belongs to the shortest span around it."""
    spans = spans_of(*pairs)
    if spans is None:
        return
    found = list(zip(spans.start.tolist(), spans.stop.tolist(), strict=True))
    expected = [
        min(
            (stop - start, index)
            for index, (start, stop) in [(NO_SPAN, (-99, 99)), *enumerate(found)]
            if start <= row < stop
        )[1]
        for row in range(22)
    ]
    assert expected == spans.innermost(22).tolist()
