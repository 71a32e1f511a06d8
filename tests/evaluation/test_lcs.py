"""Longest common substrings and subsequences are exact for texts of any length."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import MissingExtraError
from thresher.evaluation.metrics import count_common_sequence, count_common_string

# Few letters give long matches, and a character of any plane must count as one.
TEXTS = st.text("ab", max_size=40) | st.text("aé中\U0001f33e", max_size=30) | st.text(max_size=20)


def fill_table(first: str, second: str) -> tuple[int, int]:
    """Compute the lengths of the longest common substring and subsequence by a table."""
    string = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    sequence = [row[:] for row in string]
    for i, a in enumerate(first, 1):
        for j, b in enumerate(second, 1):
            if a == b:
                string[i][j] = string[i - 1][j - 1] + 1
                sequence[i][j] = sequence[i - 1][j - 1] + 1
            else:
                sequence[i][j] = max(sequence[i - 1][j], sequence[i][j - 1])
    return max(map(max, string)), sequence[-1][-1]


@given(TEXTS, TEXTS)
def test_lengths_are_those_of_the_table(first: str, second: str) -> None:
    """Both lengths equal those of the quadratic algorithm."""
    assert fill_table(first, second) == (
        count_common_string(first, second),
        count_common_sequence(first, second),
    )


@given(TEXTS, TEXTS)
def test_substring_is_symmetric(first: str, second: str) -> None:
    """Swapping the texts does not change the length."""
    assert count_common_string(first, second) == count_common_string(second, first)


@pytest.mark.parametrize(
    ("first", "second", "string", "sequence"),
    [
        # Arias, Deschacht, Moens 2009, section 5.2. They count 20 and 23 characters of
        # " jumps over the brown " and "the jumps over the brown ", which have 22 and 25; and the
        # sequence can take the "o" of "dog" and "fox" too.
        (
            "the dog jumps over the brown fox",
            "the fox jumps over the brown dog",
            len(" jumps over the brown "),
            len("the o jumps over the brown o"),
        ),
        ("", "", 0, 0),
        ("", "x", 0, 0),
        ("abc", "xyz", 0, 0),
        ("banana", "ananas", 5, 5),
    ],
)
def test_lengths_of_examples(first: str, second: str, string: int, sequence: int) -> None:
    """The lengths of examples equal those worked out by hand."""
    assert (string, sequence) == (
        count_common_string(first, second),
        count_common_sequence(first, second),
    )


@pytest.mark.parametrize(
    ("items", "expected"), [(["rye", "wheat"], 1), (["wheat", "rye", "oat"], 2)]
)
def test_sequence_of_words(items: Sequence[str], expected: int) -> None:
    """Sequences may consist of any items, not only of characters."""
    assert expected == count_common_sequence(["wheat", "oat"], items)


@pytest.mark.parametrize("letters", ["a", "ab", "abcdefghijklmnopqrstuvwxyz"])
def test_lengths_of_100_kb_texts(letters: str) -> None:
    """Texts of 100 kB are finished, and one that is hidden inside another is found completely."""
    draw = random.Random(7)
    part = "".join(draw.choices(letters, k=100_000))
    whole = f"#{part}#"
    assert len(part) == count_common_string(part, whole) == count_common_sequence(part, whole)


def test_sequence_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """If RapidFuzz is not installed, the error names the extra to install."""
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    with pytest.raises(MissingExtraError, match=r"thresher\[eval\]"):
        count_common_sequence("a", "a")
