"""Reaching over rows follows from the parents, with the compiled steps and with numpy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.kernel_comparison import call_both
from tests.helpers.trees import soups
from thresher.page.parse import parse
from thresher.page.rows import (
    find_nearest,
    find_tagged,
    inherit_flags,
    sum_before,
    sum_flagged,
)
from thresher.page.tags import flags_of

_drawn = st.lists(st.integers(0, 255), min_size=1, max_size=20)


@given(st.lists(st.booleans(), max_size=20), soups())
def test_nearest_is_found_of_some_rows_as_of_all(drawn: list[bool], html: str) -> None:
    """Asking for some rows gives what all rows have there; tests of pages compare that."""
    page = parse(html)
    flags = np.resize(np.array([*drawn, True]), len(page))
    expected = page.nearest(flags)[1::2].tolist()
    found = call_both(find_nearest, flags, page.parent, page.end, slice(1, None, 2))
    assert expected == found.tolist()


@given(_drawn, _drawn, soups())
def test_flags_are_inherited(own: list[int], inside: list[int], html: str) -> None:
    """A row has its own flags, its parent's, and what its parent flags inside."""
    page = parse(html)

    def flags_of(drawn: list[int]) -> npt.NDArray[np.uint8]:
        return np.resize(np.array(drawn, np.uint8), len(page))

    given_own, given_inside = flags_of(own), flags_of(inside)
    given_flags = given_own, given_inside, page.parent, page.end
    expected: list[int] = []
    for row, above in enumerate(page.parent.tolist()):
        inherited = expected[above] | int(given_inside[above]) if above >= 0 else 0
        expected.append(int(given_own[row]) | inherited)
    assert expected == call_both(inherit_flags, *given_flags).tolist()


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9)), max_size=20))
def test_flagged_rows_are_summed(drawn: list[tuple[bool, int]]) -> None:
    """Only what flagged rows take of the offsets counts."""
    rows = np.array([flag for flag, _ in drawn], np.bool_)
    offsets = np.cumsum([0, *(size for _, size in drawn)], dtype=np.int32)
    taken = [size if flag else 0 for flag, size in drawn]
    expected = [sum(taken[:row]) for row in range(len(drawn) + 1)]
    assert expected == sum_flagged(rows, offsets).tolist()


@given(soups())
def test_rows_are_found_by_tag(html: str) -> None:
    """They are the rows whose tag is flagged, in order, with the step and without."""
    page = parse(html)
    flags = flags_of("p b table")
    expected = [row for row in range(len(page)) if page.name(row) in ("p", "b", "table")]
    assert call_both(find_tagged, page.tag, flags).tolist() == expected


def test_sums_begin_before_the_first_value() -> None:
    """There is one more sum than values; flags count as one each."""
    assert sum_before(np.array([3, 0, 4], np.int32)).tolist() == [0, 3, 3, 7]
    assert sum_before(np.array([True, True])).tolist() == [0, 1, 2]
    assert sum_before(np.zeros(0, np.bool_)).tolist() == [0]
