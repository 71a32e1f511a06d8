"""Counts of blocks, and the computation of features from them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from thresher.features.base import (
    CountFormulas,
    Counts,
    Feature,
    FeatureKind,
    Log,
    Operands,
    Share,
    compute,
    list_features,
    log2p1,
    ratio,
)
from thresher.features.container_chain import find_containers
from thresher.page.parse import parse

PAGE = parse("<p>one<p>two<p>three")
COUNTS = Counts.of(
    PAGE,
    find_containers(PAGE),
    {"words": np.array([1, 2, 4]), "links": np.array([False, True, True])},
)
FORMULAS = CountFormulas({"size": Log("words", "a")}, {"density": Share("links", "words", "b")})


def test_log2p1_exact_at_powers_of_two_and_straight_between() -> None:
    """log2(1 + x) for 1 + x a power of two; halfway between two, halfway in value."""
    assert [0, 1, 1.5, 2, 24] == log2p1(np.array([0, 1, 2, 3, 2**24 - 1])).tolist()


def test_log2p1_leaves_its_operand_alone() -> None:
    """The given values are not modified."""
    values = np.array([3], np.float32)
    log2p1(values)
    assert [3] == values.tolist()


def test_ratio_of_nothing_is_nothing() -> None:
    """A divisor of 0 counts as 1."""
    assert [0.5, 0.0] == ratio(np.array([1, 0]), np.array([2, 0])).tolist()


@given(st.integers(0, 2**24), st.integers(1, 2**24))
def test_ratio_of_floats_is_that_of_whole_numbers(part: int, whole: int) -> None:
    """Dividing single floats gives the same bits as dividing doubles and rounding then."""
    single = ratio(np.array([part], np.float32), np.array([whole], np.float32))
    assert ratio(np.array([part]), np.array([whole])).tolist() == single.tolist()


def test_counts_add_up_over_runs_of_blocks() -> None:
    """A count between two blocks is the sum of those in between, in whatever shape they come."""
    assert [[7, 0], [2, 6]] == COUNTS.between(
        "words", np.array([[0, 1], [1, 1]]), np.array([[3, 1], [2, 3]])
    ).tolist()
    assert [0, 1, 3, 7] == COUNTS.before("words").tolist()
    assert [1, 2, 4] == COUNTS["words"].tolist()


def test_formulas_pick_their_counts() -> None:
    """Logarithms, parts and wholes come from the counts that the tables name."""
    assert ("words", "links") == FORMULAS.counts
    logs, parts, wholes = COUNTS.of_blocks(FORMULAS)
    assert [[1, 2, 4]] == logs.tolist() == wholes.tolist()
    assert [[0, 1, 1]] == parts.tolist()
    of_runs = COUNTS.of_runs(FORMULAS, np.array([0, 1]), np.array([3, 2]))
    assert [[[7, 2]], [[2, 1]], [[7, 2]]] == [rows.tolist() for rows in of_runs]
    assert [[7], [2], [7]] == [rows.tolist() for rows in COUNTS.of_page(FORMULAS)]


def test_everywhere_repeats_the_page() -> None:
    """Values of the page are repeated for each of its blocks."""
    assert [[5, 5, 5], [6, 6, 6]] == COUNTS.everywhere((5, 6)).tolist()


def test_features_are_listed_in_the_order_of_their_tables() -> None:
    """Logarithms come first, then shares; a plain value has a summary instead of a formula."""
    assert (
        Feature("x_size", "own", "a", "log"),
        Feature("x_density", "own", "b", "share"),
    ) == FORMULAS.features("own", "x_")
    assert (Feature("c", "own", "d", "value"),) == list_features("own", "", "value", {"c": "d"})


def test_compute_puts_each_kind_in_its_rows() -> None:
    """Operands of all groups are computed by kind and put into the rows of their features."""
    rows_of: dict[FeatureKind, npt.NDArray[np.intp]] = {
        "log": np.array([0, 3]),
        "share": np.array([2]),
        "value": np.array([1]),
    }
    one, two = np.array([[1, 3]]), np.array([[2, 0]])
    operands = [Operands(logs=[one], values=[two == 0]), Operands([two], [one], [two])]
    assert [[1, 2], [0, 1], [0.5, 3], [1.5, 0]] == compute(rows_of, operands).tolist()
