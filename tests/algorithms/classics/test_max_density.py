"""Arias, Deschacht and Moens 2009, checked against regions worked out by hand from section 4."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algorithms.kept import kept
from thresher import Selection
from thresher.algorithms.classics import max_density
from thresher.algorithms.classics.max_density import Params, densest_region, fitted_region
from thresher.errors import UsageError
from thresher.page.parse import parse


def select(html: str, **params: object) -> Selection:
    return max_density.select(parse(html), Params(**params))  # type: ignore[arg-type]


# Worked example. cutoffL = maxL · c1 = 30 · 0.333 = 9.99; counted from the longest string, b:
#   position  −3  −2  −1   0   1   2   3   4…6    7
#   length    12   5   3  30   0   0  10   0     20
# The string of 12 is 3 < c2 away and longer than the cutoff, so is that of 10; that of 20 is 4 from
# that of 10. T runs from the string of 12 to that of 10.
MENU, A, SHORT, TINY, B, C, FAR = "menu", "a" * 12, "s" * 5, "t" * 3, "b" * 30, "c" * 10, "f" * 20
WORKED = (
    f"<p>{MENU}<p>{A}<p>{SHORT}<p>{TINY}<p>{B}<div></div><div></div><p>{C}"
    f"<div></div><div></div><div></div><p>{FAR}"
)


def test_region_runs_from_leftmost_to_rightmost_when_strings_are_close() -> None:
    """The region of the worked example is kept, with the short strings inside it."""
    selection = select(WORKED)
    assert [A, SHORT, TINY, B, C] == kept(selection)
    assert [4, 12, 5, 3, 30, 10, 20] == selection.score.tolist()
    outside, long, between = selection.reasons
    expected = [outside, long, between, between, long, long, outside]
    assert expected == [selection.reason(block) for block in range(7)]
    assert "in the densest region, string longer than 10 characters" == long


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"max_distance": 5}, [A, SHORT, TINY, B, C, FAR]),
        ({"max_distance": 3}, [B]),
        ({"max_distance": 0}, [B]),
        ({"cutoff_share": 0.4}, [B]),
        ({"cutoff_share": 0.39}, [A, SHORT, TINY, B]),
        ({"cutoff_share": 0}, [MENU, A, SHORT, TINY, B, C]),
        ({"cutoff_share": 2}, [B]),
        ({"count_empty": False}, [A, SHORT, TINY, B, C, FAR]),
        ({"structural_tags": ("div",)}, [MENU, A, SHORT, TINY, B]),
        ({"structural_tags": ()}, [MENU, A, SHORT, TINY, B, C, FAR]),
    ],
)
def test_parameters_take_effect_when_set(params: dict[str, object], expected: list[str]) -> None:
    """Each parameter changes the region of the worked example as its help says."""
    assert expected == kept(select(WORKED, **params))


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.floats(0, 1), st.integers(0, 9))
def test_region_same_as_when_grown_string_by_string(
    lengths: list[int], cutoff_share: float, max_distance: int
) -> None:
    """The region found in one step is the R that section 4 grows string by string."""
    longest = lengths.index(max(lengths))
    region = {longest}
    grown = True
    while grown:
        found = {
            i
            for i, length in enumerate(lengths)
            if length > lengths[longest] * cutoff_share
            and any(abs(i - j) < max_distance for j in region)
        }
        grown = not found <= region
        region |= found
    expected = (min(region), max(region))
    assert expected == densest_region(np.array(lengths, np.float64), cutoff_share, max_distance)


# p(x) = −x⁴ + 8x² + x + 10 at x = −3 … 3, fitted exactly by degree 4. Its maximum is at place 5.
#   cutoff      28 · 0.333 = 9.3: only the first (−2) and the last (4) are below
#   minimum     p′ = −4x³ + 16x + 1 > 0 at x = 0 and 1, < 0 at x = −1 and 3
#   inflection  p″ = −12x² + 16 > 0 at x = 1, < 0 at x = 2 and 3
QUARTIC = np.array([-2.0, 24, 16, 10, 18, 28, 4])


@pytest.mark.parametrize(
    ("edge", "expected"), [("cutoff", (1, 5)), ("minimum", (3, 6)), ("inflection", (5, 6))]
)
def test_region_of_a_fitted_polynomial(edge: str, expected: tuple[int, int]) -> None:
    """The derivatives of an exactly fitting polynomial end the region where computed by hand."""
    assert expected == fitted_region(QUARTIC, 4, edge, 0.333)


@pytest.mark.parametrize("edge", ["cutoff", "minimum", "inflection"])
@pytest.mark.parametrize("n_string", [1, 2, 3, 1000])
def test_region_holds_the_longest_when_all_else_is_empty(edge: str, n_string: int) -> None:
    """A region is found without a warning for any degree and any number of strings."""
    lengths = np.zeros(n_string)
    lengths[n_string // 2] = 50
    first, last = fitted_region(lengths, 64, edge, 0.333)
    assert 0 <= first <= last < n_string
    assert first <= n_string // 2 <= last


def test_fitted_region_kept_when_degree_is_set() -> None:
    """With a degree, long strings are kept with the short ones among them."""
    menu = "<li>home</li>" * 30
    story = f"<p>{'x' * 90}</p><br><br><br><br><br>" * 6
    selection = select(f"<ul>{menu}</ul>{story}<ul>{menu}</ul>", degree=8)
    assert ["x" * 90] * 6 == [text for text in kept(selection) if text != "home"]
    assert len(kept(selection)) < 20


def test_text_joins_one_string_when_tags_are_inline() -> None:
    """Inline tags do not begin a new string, and white space has no length."""
    selection = select("<p>ab <b>cd</b> <a href=#>ef</a>\n</p>")
    assert [6] == selection.score.tolist()


def test_break_begins_a_string_when_block_goes_on() -> None:
    """A line break begins a new string; a block's score is that of its first string."""
    selection = select("<p>ab<br>cdefghij</p>")
    assert [False, True] == selection.keep.tolist()
    assert ["cdefghij"] == kept(selection)


def test_nothing_kept_when_page_has_no_text() -> None:
    """A page without text has an empty region and raises no error."""
    assert [] == select("").keep.tolist()


def test_params_refused_when_edge_is_unknown() -> None:
    """An unknown edge raises UsageError."""
    with pytest.raises(UsageError, match="cutoff, minimum, inflection"):
        Params(edge="summit")
