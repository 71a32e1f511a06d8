"""Texts, bags and sequences are compared from 0 to 1."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thresher.evaluation.fidelity.similarity import align, bag_f1, sequence_f1, text_similarity


def test_texts() -> None:
    """One letter of four is a quarter."""
    assert 0.75 == text_similarity("ryes", "rye!")


def test_bags_count_repeats_and_no_order() -> None:
    """A common item counts as often as both have it."""
    assert 2 * 2 / 5 == bag_f1("aab", "ba")
    assert 1.0 == bag_f1("", "")


def test_sequences_count_order() -> None:
    """Only items in the same order are common."""
    assert 0.5 == sequence_f1("ab", "ba")
    assert 1.0 == sequence_f1("", "")


def test_pairs_are_the_best_in_order() -> None:
    """A pair that excludes two good ones is not taken."""
    assert [(0, 0), (1, 1)] == align("ab", "ab", lambda a, b: float(a == b))
    assert [(1, 0)] == align("ab", "b", lambda a, b: float(a == b))
    assert [] == align("", "b", lambda a, b: 1.0)


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_pairs_of_equal_things_are_a_common_sequence(first: str, second: str) -> None:
    """For items that are equal or not, pairing finds the longest common subsequence."""
    pairs = align(first, second, lambda a, b: float(a == b))
    assert pairs == sorted(pairs)
    found = 2 * len(pairs) / ((len(first) + len(second)) or 1)
    assert sequence_f1(first, second) == (found if first or second else 1.0)
