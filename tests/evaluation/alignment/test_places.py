"""Positions of a page's tokens in its gold, step by step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from thresher.evaluation import alignment
from thresher.evaluation.alignment import (
    drop_lone,
    fill_gaps,
    flag_grams,
    match_runs,
    move_near,
)

IntArray = npt.NDArray[np.int64]


def numbers(text: str) -> IntArray:
    """Return one token per letter; a full stop is a token that the page does not have."""
    return np.array([-1 if letter == "." else ord(letter) for letter in text], np.int64)


def free(words: IntArray) -> npt.NDArray[np.bool_]:
    """Return flags that allow every token to be matched."""
    return np.ones(words.size, np.bool_)


def unplaced(words: IntArray) -> IntArray:
    """Return places for tokens none of which is matched."""
    return np.full(words.size, -1, np.int64)


@pytest.mark.parametrize(
    ("words", "gold", "size", "expected"),
    [
        ("xabcyab", "abc.ab", 3, "0111000"),
        ("xabcyab", "abc.ab", 2, "0111011"),
        ("abab", "bab", 3, "0111"),
        ("ab", "abc", 3, "00"),
        ("", "abc", 2, ""),
        ("abc", "c.b.a", 1, "111"),
    ],
)
def test_tokens_in_shared_runs_flagged(words: str, gold: str, size: int, expected: str) -> None:
    """Tokens are flagged if they are in a run of the given size that both texts have."""
    ours, others = numbers(words), numbers(gold)
    flags = flag_grams(ours, free(ours), others, others >= 0, size)
    assert expected == "".join("01"[flag] for flag in flags.astype(int).tolist())


def test_runs_are_free_on_both_sides() -> None:
    """A run must not contain a matched token in either text."""
    words = numbers("abcd")
    is_free = np.array([1, 0, 1, 1], np.bool_)
    assert [0, 0, 1, 1] == flag_grams(words, is_free, words, free(words), 2).tolist()
    assert [0, 0, 1, 1] == flag_grams(words, free(words), words, is_free, 2).tolist()


def test_leftovers_matched_in_another_round() -> None:
    """A round matches in order; the next round matches what was moved."""
    words, gold = numbers("abcd-efghi"), numbers("efghiabcd")
    place = unplaced(words)
    assert [5, 6, 7, 8, 9] == match_runs(words, gold, place, place < 0, 4).tolist()
    assert [0, 1, 2, 3] == match_runs(words, gold, place, place < 0, 4).tolist()
    assert [5, 6, 7, 8, -1, 0, 1, 2, 3, 4] == place.tolist()
    assert [] == match_runs(words, gold, place, place < 0, 4).tolist()


def test_matches_by_chance_dropped() -> None:
    """A short run is kept near the run that precedes it in the gold, and dropped far from it."""
    far = "-" * 100
    words, gold = numbers(f"abcdefg--h{far}ij{far}kl"), numbers("abcdefgh..........ijkl")
    place = unplaced(words)
    for start, first, size in ((0, 0, 7), (9, 7, 1), (110, 18, 2), (212, 20, 2)):
        place[start : start + size] = np.arange(first, first + size)
    assert [110, 111, 212, 213] == drop_lone(gold, place).tolist()
    assert [0, 1, 2, 3, 4, 5, 6, 9] == np.flatnonzero(place >= 0).tolist()


def test_short_run_dropped_where_the_gold_has_a_gap() -> None:
    """A short run is dropped if it does not directly follow its neighbour in the gold."""
    words = numbers("abcdefg--hi")
    for gap, dropped in (("", []), (".", []), ("..", [9, 10])):
        gold = numbers(f"abcdefg{gap}hi")
        place = unplaced(words)
        place[:7] = np.arange(7)
        place[9:] = np.arange(7, 9) + len(gap)
        assert dropped == drop_lone(gold, place).tolist()


def test_gold_shorter_than_a_chain_is_matched() -> None:
    """A gold shorter than the minimum chain can be matched completely."""
    place = np.array([-1, 0, 1], np.int64)
    assert [] == drop_lone(numbers("ab"), place).tolist()
    assert [1, 2] == drop_lone(numbers("ab..."), place).tolist()


def test_gaps_filled_after_and_before() -> None:
    """Single tokens between matches are matched in order, but only those that are free."""
    words, gold = numbers("z-x1abcd2-3efgh4-z"), numbers("x1abcd.3.efgh4")
    place = unplaced(words)
    place[4:8] = np.arange(2, 6)
    place[11:15] = np.arange(9, 13)
    is_free = free(words)
    is_free[15] = False
    fill_gaps(words, gold, place, is_free)
    assert [-1, -1, 0, 1, 2, 3, 4, 5, -1, -1, 7, 9, 10, 11, 12, -1, -1, -1] == place.tolist()
    fill_gaps(words, gold, place, free(words))
    assert 13 == place[15]


def test_gaps_filled_near_a_run_only() -> None:
    """A token farther from a run than the limit stays unmatched."""
    gap = "-" * alignment._FILL_TOKENS
    words, gold = numbers(f"abcd{gap}e"), numbers("abcde")
    place = np.array([0, 1, 2, 3, *[-1] * (len(gap) + 1)], np.int64)
    fill_gaps(words, gold, place, free(words))
    assert -1 == place[-1]


def test_run_moved_to_its_neighbours() -> None:
    """An isolated run moves to the copy that is next to its neighbours in the gold."""
    far = "-" * 100
    words, gold = numbers(f"wxyz{far}wxyzabcd{far}wxyz"), numbers("abcdwxyz")
    place = unplaced(words)
    place[108:112] = np.arange(4)
    place[-4:] = np.arange(4, 8)
    move_near(words, gold, place, free(words))
    assert [104, 105, 106, 107] == np.flatnonzero(place >= 4).tolist()
    assert [0, 1, 2, 3] == place[108:112].tolist()


def test_run_not_moved_to_matched_tokens() -> None:
    """An isolated run does not move to a copy that is matched or not free."""
    far = "-" * 100
    words, gold = numbers(f"wxyzabcd{far}wxyz"), numbers("abcdwxyz")
    place = unplaced(words)
    place[4:8] = np.arange(4)
    place[-4:] = np.arange(4, 8)
    before = place.copy()
    is_free = free(words)
    is_free[[0, -1]] = False
    move_near(words, gold, place, is_free)
    assert before.tolist() == place.tolist()

    place[:4], gold = np.arange(4), numbers("wxyzabcdwxyz")
    place[4:8] = np.arange(4, 8)
    place[-4:] = np.arange(8, 12)
    move_near(words, gold, place, free(words))
    assert [*range(8), *range(8, 12)] == place[place >= 0].tolist()


@pytest.mark.parametrize(
    "step",
    [
        lambda words, gold, place: drop_lone(gold, place),
        lambda words, gold, place: fill_gaps(words, gold, place, free(words)),
        lambda words, gold, place: move_near(words, gold, place, free(words)),
    ],
)
def test_nothing_done_where_nothing_is_matched(
    step: Callable[[IntArray, IntArray, IntArray], object],
) -> None:
    """Without any matches, these steps change nothing."""
    words = numbers("abcd")
    place = unplaced(words)
    step(words, numbers("abcd"), place)
    assert [-1] * 4 == place.tolist()
