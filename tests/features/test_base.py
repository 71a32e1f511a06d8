"""Counts of blocks, logarithms and shares."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from thresher.features.base import Counts, Log, Share, list_features, log2p1, ratio
from thresher.parse import parse

PAGE = parse("<p>one<p>two<p>three")
COUNTS = Counts.of(PAGE, {"words": np.array([1, 2, 4]), "links": np.array([0, 1, 1])})


def test_log2p1_exact_at_powers_of_two_and_straight_between() -> None:
    """log2(1 + x) for 1 + x a power of two; halfway between two, halfway in value."""
    assert [0, 1, 1.5, 2, 24] == log2p1(np.array([0, 1, 2, 3, 2**24 - 1])).tolist()


@given(st.integers(0, 2**24 - 1), st.integers(0, 2**24 - 1))
def test_log2p1_rises(less: int, more: int) -> None:
    """More is never a smaller logarithm."""
    low, high = log2p1(np.array(sorted((less, more)))).tolist()
    assert low <= high


def test_ratio_of_nothing_is_nothing() -> None:
    """Where there is nothing to divide by, the share is that of one."""
    assert [0.5, 0.0] == ratio(np.array([1, 0]), np.array([2, 0])).tolist()


def test_counts_add_up_over_runs_of_blocks() -> None:
    """A count between two blocks is the sum of those in between."""
    inside = COUNTS.between(np.array([0, 1]), np.array([3, 2]))
    assert [[7, 2], [2, 1]] == inside.tolist()
    assert [0, 1, 3, 7] == COUNTS.before("words").tolist()


def test_tables_become_features_in_their_order() -> None:
    """Logarithms come first, then shares; names and columns stand in the same order."""
    logs, shares = {"words": Log("words", "a")}, {"density": Share("links", "words", "b")}
    made = COUNTS.tabulate(COUNTS.values, logs, shares)
    assert [[1, 1.5, 2.25], [0, 0.5, 0.25]] == made.tolist()
    listed = list_features("own", "x_", (logs, shares))
    assert [("x_words", "a"), ("x_density", "b")] == [(f.name, f.summary) for f in listed]
