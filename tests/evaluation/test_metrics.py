"""Metrics have the values that follow from their formulas by hand."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import MissingExtraError, UsageError
from thresher.evaluation.metrics import (
    DEFAULT_METRICS,
    METRICS,
    Score,
    check_metrics,
    score_lcsequence,
    score_lcstring,
    score_rouge_l,
    score_shingles,
    score_tokens,
    score_words,
)

DOG = "the dog jumps over the brown fox"
FOX = "the fox jumps over the brown dog"


def f1_of(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize(
    ("found", "gold", "score"),
    [
        ("a b c", "A, b: c!", (1, 1)),
        ("a b c d", "a b", (2 / 4, 1)),
        ("a a", "a", (1 / 2, 1)),
        ("c b a", "a b d e", (2 / 3, 2 / 4)),
    ],
)
def test_words_of_examples(found: str, gold: str, score: tuple[float, float]) -> None:
    """Every word counts as often as it occurs, regardless of case, order and punctuation."""
    expected = (*score, f1_of(*score))
    assert pytest.approx(expected) == score_words(found, gold)


def test_tokens_count_letters_where_there_are_no_spaces() -> None:
    """Without spaces, tokens are letters: two of three are correct."""
    assert pytest.approx((2 / 3, 1, 4 / 5)) == score_tokens("穀物倉", "穀物")
    assert (0, 0, 0) == score_words("穀物倉", "穀物")


@pytest.mark.parametrize(
    ("found", "gold", "score"),
    [
        ("a b c d e", "a b c d", (1 / 2, 1)),  # abcd, bcde against abcd
        ("x a b c d", "a b c d e", (1 / 2, 1 / 2)),
        ("a b", "a, b", (1, 1)),  # one shingle of two words
    ],
)
def test_shingles_of_examples(found: str, gold: str, score: tuple[float, float]) -> None:
    """Shingles are runs of four words; a shorter text is a single run."""
    assert pytest.approx((*score, f1_of(*score))) == score_shingles(found, gold)


@pytest.mark.parametrize(("found", "gold"), [("A b c d", "a b c d"), ("a b", "a b c d")])
def test_shingles_differ_by_case_and_length(found: str, gold: str) -> None:
    """Shingles are compared as a whole and case-sensitively."""
    assert (0, 0, 0) == score_shingles(found, gold)


def test_rouge_l_of_example() -> None:
    """Lin 2004, section 3.1: five of seven words are a common subsequence."""
    assert pytest.approx((5 / 7, 5 / 7, 5 / 7)) == score_rouge_l(DOG, FOX)


def test_lcstring_of_the_papers_example() -> None:
    """Section 5.2 of the 2009 paper, white space ignored: "jumpsoverthebrown" is common."""
    assert pytest.approx((17 / 26, 17 / 26, 17 / 26)) == score_lcstring(DOG, FOX)


def test_lcsequence_of_the_papers_example() -> None:
    """Section 5.2 of the 2009 paper: "the", "o", "jumpsoverthebrown" and "o" are common."""
    assert pytest.approx((22 / 26, 22 / 26, 22 / 26)) == score_lcsequence(DOG, FOX)


def test_lcs_of_a_text_within_another() -> None:
    """Precision is relative to the text found, recall to the gold, as in section 5.2."""
    assert pytest.approx((3 / 6, 1, 2 / 3)) == score_lcstring("ab cd ef", "b\tc\nd")
    assert pytest.approx((1, 3 / 6, 2 / 3)) == score_lcsequence("bdf", "ab cd ef")


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("found", "gold", "value"),
    [("", "", 1), (" \n", "", 1), ("x", "", 0), ("", "x", 0), ("x", "y", 0), ("x y", "x y", 1)],
)
def test_score_of_empty_texts(metric: str, found: str, gold: str, value: float) -> None:
    """By every metric, only an empty text matches an empty gold."""
    assert Score(value, value, value) == METRICS[metric].score(found, gold)


@pytest.mark.parametrize("metric", METRICS)
@given(st.text("ab 穀\n", max_size=30), st.text("ab 穀\n", max_size=30))
def test_score_within_bounds(metric: str, found: str, gold: str) -> None:
    """Scores are from 0 to 1, F1 is between precision and recall, and a text matches itself."""
    score = METRICS[metric].score(found, gold)
    low, high = sorted(score[:2])
    assert 0 <= low <= score.f1 + 1e-9 <= high + 2e-9 <= 1 + 2e-9
    assert (1, 1, 1) == METRICS[metric].score(gold, gold)


@pytest.mark.parametrize("metric", METRICS)
def test_score_of_100_kb_texts(metric: str) -> None:
    """Every metric finishes on texts of 100 kB; here half of the text found is the gold."""
    gold = "".join(f"grain{number:05d} " for number in range(9_000))
    score = METRICS[metric].score(gold + gold.replace("grain", "CHAFF").replace("0", "X"), gold)
    assert pytest.approx(1) == score.recall
    assert pytest.approx(1 / 2, abs=0.01) == score.precision


def test_check_of_unknown_metric() -> None:
    """An unknown metric is an error that lists the known metrics."""
    check_metrics(DEFAULT_METRICS)
    with pytest.raises(UsageError, match='"guess"; one of word, token'):
        check_metrics(["guess"])


def test_check_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing extra is reported before any page is scored, and only if it is needed."""
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    check_metrics(["word", "token", "shingle", "lcstring"])
    with pytest.raises(MissingExtraError):
        check_metrics(["lcsequence"])
