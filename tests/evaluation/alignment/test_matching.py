"""Alignment of the words of two texts, in order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.evaluation.alignment import match_closely, match_words


@pytest.mark.parametrize(
    ("words", "gold", "expected"),
    [
        ("a b c", "a b c", [0, 1, 2]),
        ("x a y b", "a b", [-1, 0, -1, 1]),
        ("a b", "", [-1, -1]),
        ("", "a", []),
        ("b a", "a b", [1, -1]),
        # Of several longest matches the last is taken, so that the menu's word is not matched.
        ("the menu the cat sat", "the cat sat", [-1, -1, 0, 1, 2]),
    ],
)
def test_words_matched_in_order(words: str, gold: str, expected: list[int]) -> None:
    """Words are aligned by a longest common subsequence, as worked out by hand."""
    assert expected == match_words(words.split(), gold.split()).tolist()


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_match_is_a_longest_common_subsequence(words: str, gold: str) -> None:
    """Matches are in order, join equal words, and are as many as in the textbook's algorithm."""
    place = match_words(words, gold)
    matched = [(i, int(j)) for i, j in enumerate(place) if j >= 0]
    assert all(words[i] == gold[j] for i, j in matched)
    assert sorted(matched, key=lambda pair: pair[1]) == matched
    lengths = [[0] * (len(gold) + 1) for _ in range(len(words) + 1)]
    for i, word in enumerate(words):
        for j, other in enumerate(gold):
            longest = max(lengths[i][j + 1], lengths[i + 1][j])
            lengths[i + 1][j + 1] = lengths[i][j] + 1 if word == other else longest
    assert lengths[-1][-1] == len(matched)


def match_letters(words: str, gold: str) -> list[int]:
    """Align two words letter by letter, without gaps in either."""
    letters, others = (
        np.array([ord(letter) for letter in text], np.int64) for text in (words, gold)
    )
    found = match_closely(letters, others, np.arange(letters.size), np.arange(others.size))
    return [int(place) for place in found]


@pytest.mark.parametrize(
    ("words", "gold", "expected"),
    [
        # A copy after the text: the last match would take it, and leave a gap.
        ("abcd--cd", "abcd", [0, 1, 2, 3, -1, -1, -1, -1]),
        # A copy before the text: the first match would take it.
        ("ab--abcd", "abcd", [-1, -1, -1, -1, 0, 1, 2, 3]),
        # A copy before and a copy after on one page.
        ("ab--abcd=efgh--gh", "abcd=efgh", [-1] * 4 + list(range(9)) + [-1] * 4),
        # If gaps are equal, the first copy is taken.
        ("xabxab", "ab", [-1, 0, 1, -1, -1, -1]),
        ("a", "", [-1]),
        ("", "a", []),
    ],
)
def test_closest_match_taken(words: str, gold: str, expected: list[int]) -> None:
    """Of the longest matches, the one with the fewest gaps is taken."""
    assert expected == match_letters(words, gold)


def test_gaps_seen_where_words_were_left_out() -> None:
    """Gaps are measured by original positions, before words were left out."""
    words, gold = np.array([1, 2, 2]), np.array([1, 2])
    assert [0, 1, -1] == match_closely(words, gold, np.array([0, 5, 9]), np.arange(2)).tolist()
    assert [-1, 0, 1] == match_closely(
        np.array([1, 1, 2]), gold, np.array([0, 5, 9]), np.arange(2)
    ).tolist()


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_closest_match_is_as_long(words: str, gold: str) -> None:
    """Matches are in order, join equal letters, and are as many as those of `match_words`."""
    place = match_letters(words, gold)
    matched = [(i, j) for i, j in enumerate(place) if j >= 0]
    assert all(words[i] == gold[j] for i, j in matched)
    assert sorted({j for _, j in matched}) == [j for _, j in matched]
    assert np.count_nonzero(match_words(words, gold) >= 0) == len(matched)
