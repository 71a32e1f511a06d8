"""Reaching over rows follows from the parents, with the compiled steps and with numpy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import soups
from thresher.page import Page
from thresher.page.parse import parse
from thresher.page.rows import (
    BoolArray,
    find_nearest,
    find_tagged,
    flag_below,
    flag_within,
    inherit_flags,
    sum_before,
    sum_flagged,
)
from thresher.page.tags import flags_of

_drawn = st.lists(st.integers(0, 255), min_size=1, max_size=20)


def nearest_flagged(page: Page, flags: BoolArray) -> list[int]:
    """Climb from every row to the first that is flagged."""
    found = []
    for row in range(len(page)):
        at = row
        while at >= 0 and not flags[at]:
            at = int(page.parent[at])
        found.append(at)
    return found


@given(st.lists(st.booleans(), max_size=20), soups())
def test_reaching_over_rows(drawn: list[bool], html: str) -> None:
    """Rows within flagged rows and their nearest flagged ancestors must follow from the parents."""
    page = parse(html)
    flags = np.resize(np.array([*drawn, True]), len(page))
    nearest = page.nearest(flags)
    assert nearest_flagged(page, flags) == nearest.tolist()
    assert (nearest[1::2] == page.nearest(flags, slice(1, None, 2))).all()
    assert ((nearest >= 0) == page.within(flags)).all()
    above = np.array([-1, *nearest.tolist()])[page.parent + 1]
    assert ((above >= 0) == page.below(flags)).all()


@given(st.lists(st.booleans(), min_size=1, max_size=20), soups())
def test_numpy_reaches_as_far(drawn: list[bool], html: str) -> None:
    """Compiled steps and numpy agree, also without flagged rows."""
    page = parse(html)
    flags = np.resize(np.array(drawn), len(page))
    expected = nearest_flagged(page, flags)
    reached = find_nearest.definition(flags, page.parent, page.end)
    assert expected == reached.tolist()
    some = find_nearest.definition(flags, page.parent, page.end, slice(1, None, 2))
    assert expected[1::2] == some.tolist()
    np.testing.assert_array_equal(page.within(flags), flag_within.definition(flags, page.end))
    np.testing.assert_array_equal(page.below(flags), flag_below.definition(flags, page.end))


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
    assert expected == inherit_flags(*given_flags).tolist()
    assert expected == inherit_flags.definition(*given_flags).tolist()


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
    assert page.rows_of(flags).tolist() == expected
    assert find_tagged.definition(page.tag, flags).tolist() == expected


def test_sums_begin_before_the_first_value() -> None:
    """There is one more sum than values; flags count as one each."""
    assert sum_before(np.array([3, 0, 4], np.int32)).tolist() == [0, 3, 3, 7]
    assert sum_before(np.array([True, True])).tolist() == [0, 1, 2]
    assert sum_before(np.zeros(0, np.bool_)).tolist() == [0]
