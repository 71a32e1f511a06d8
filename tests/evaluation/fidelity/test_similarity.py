"""Texts, bags and sequences have similarities from 0 to 1."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thresher.evaluation.fidelity.score import align, bag_f1, sequence_f1, text_similarity


def test_texts_are_compared_by_letters() -> None:
    """One different letter of four costs a quarter."""
    assert 0.75 == text_similarity("ryes", "rye!")


def test_bags_count_repeats_and_ignore_order() -> None:
    """A common item counts as often as it occurs in both bags."""
    assert 2 * 2 / 5 == bag_f1("aab", "ba")
    assert 1.0 == bag_f1("", "")


def test_sequences_count_order() -> None:
    """Only common items in the same order count."""
    assert 0.5 == sequence_f1("ab", "ba")
    assert 1.0 == sequence_f1("", "")


def test_pairs_are_the_best_in_order() -> None:
    """A good pair is not chosen if it excludes two others that are better together."""
    assert [(0, 0), (1, 1)] == align("ab", "ab", lambda a, b: float(a == b))
    assert [(1, 0)] == align("ab", "b", lambda a, b: float(a == b))
    assert [] == align("", "b", lambda a, b: 1.0)


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_pairs_of_equal_things_are_a_common_sequence(first: str, second: str) -> None:
    """If similarities are 0 or 1, pairing finds the longest common subsequence."""
    pairs = align(first, second, lambda a, b: float(a == b))
    assert pairs == sorted(pairs)
    found = 2 * len(pairs) / ((len(first) + len(second)) or 1)
    assert sequence_f1(first, second) == (found if first or second else 1.0)
