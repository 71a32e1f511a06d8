"""Values that occur many times are read once, with the compiled step and with numpy."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.compiled_steps import needs_steps
from thresher.native import REFUSALS
from thresher.page.distinct import number_spans
from thresher.page.parse import parse


def number(values: list[bytes]) -> tuple[list[int], list[int]]:
    """Number values, by kernel and definition alike."""
    ends = np.cumsum([0, *map(len, values)]).astype(np.int32)
    arguments = b"".join(values), ends[:-1], ends[1:]
    found = number_spans(*arguments)
    expected = number_spans.definition(*arguments)
    assert [each.tolist() for each in expected] == [each.tolist() for each in found]
    assert [each.dtype for each in expected] == [each.dtype for each in found]
    return found.number.tolist(), found.first.tolist()


def test_spans_are_numbered_in_order() -> None:
    """The same bytes have the same number, the empty span too; one that begins another does not."""
    values = [b"card", b"", b"card-title", b"card", b"", b"card-titles"]
    assert ([0, 1, 2, 0, 1, 3], [0, 1, 2, 5]) == number(values)
    assert ([], []) == number([])


@given(st.lists(st.text("ab", max_size=20).map(str.encode), max_size=40))
def test_any_spans_are_those_of_their_numbers(values: list[bytes]) -> None:
    """The first span of each number reads the same."""
    numbers, first = number(values)
    assert values == [values[first[each]] for each in numbers]


@needs_steps
def test_spans_outside_the_buffer_are_refused() -> None:
    """The step reads nothing beyond the buffer."""
    start, stop = np.array([0, 2], np.int32), np.array([2, 9], np.int32)
    before = REFUSALS.total()
    assert [0, 1] == number_spans(b"abcd", start, stop).number.tolist()
    assert before + 1 == REFUSALS.total()


def test_attributes_have_distinct_values() -> None:
    """Rows in order, the value of each, escaped; only of the name asked for."""
    page = parse("<p class='a&amp;b'>1<p class=c>2<p id=c>3<p class='a&amp;b'>4")
    found = page.attributes.distinct("class")
    assert [b"a&amp;b", b"c"] == found.texts
    assert ["1", "2", "4"] == [page.text_of(row) for row in found.row.tolist()]
    assert [0, 1, 0] == found.number.tolist()
    spans = zip(found.start.tolist(), found.stop.tolist(), strict=True)
    assert found.texts == [page.buffer[start:stop] for start, stop in spans]
    assert b"c" == found.text(1)


def test_values_are_found_by_word() -> None:
    """Words between white space, unescaped, each with the numbers of all values that have it."""
    page = parse("<p class='a&amp;b c'>1<p class=C>2<p class='c c'>3<p class='a&amp;b c'>4")
    found = page.attributes.distinct("class")
    assert {"a&b": [0], "c": [0, 2], "C": [1]} == found.words
    rows = found.rows_with(found.words["c"])
    assert ["1", "3", "4"] == [page.text_of(row) for row in rows.tolist()]
    assert [] == found.rows_with([]).tolist()
