"""Metrics have the values that follow from their formulas by hand, for texts of any length."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import MissingExtraError, UsageError
from thresher.evaluation.metrics import (
    DEFAULT_METRICS,
    METRICS,
    Score,
    check_metrics,
    count_common_sequence,
    count_common_string,
    score_lcsequence,
    score_lcstring,
    score_rouge_l,
    score_shingles,
    score_tokens,
    score_words,
    standard_error,
)
from thresher.evaluation.tokens import split_tokens, split_words
from thresher.page.text import count_words

DOG = "the dog jumps over the brown fox"
FOX = "the fox jumps over the brown dog"
# Few letters give long matches, and a character of any plane must count as one.
TEXTS = st.text("ab", max_size=40) | st.text("aé中\U0001f33e", max_size=30) | st.text(max_size=20)


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


@pytest.mark.parametrize(
    ("score", "share"),
    [
        (score_rouge_l, 5 / 7),  # Lin 2004, section 3.1: words of a common subsequence
        # Section 5.2 of the 2009 paper, white space ignored: "jumpsoverthebrown" is common (the
        # paper counts three characters too few),
        (score_lcstring, 17 / 26),
        # and in sequence "the", "o", "jumpsoverthebrown" and "o".
        (score_lcsequence, 22 / 26),
    ],
)
def test_examples_of_the_papers(score: Callable[[str, str], Score], share: float) -> None:
    """The papers' examples have the scores that the papers say."""
    assert pytest.approx((share, share, share)) == score(DOG, FOX)


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
    with pytest.raises(MissingExtraError, match=r"thresher\[eval\]"):
        check_metrics(["lcsequence"])


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
    """Both lengths equal those of the quadratic algorithm, whichever text comes first."""
    string, sequence = fill_table(first, second)
    assert sequence == count_common_sequence(first, second)
    assert string == count_common_string(first, second) == count_common_string(second, first)


@pytest.mark.parametrize("letters", ["a", "ab", "abcdefghijklmnopqrstuvwxyz"])
def test_lengths_of_100_kb_texts(letters: str) -> None:
    """Texts of 100 kB are finished, and one that is hidden inside another is found completely."""
    draw = random.Random(7)
    part = "".join(draw.choices(letters, k=100_000))
    whole = f"#{part}#"
    assert len(part) == count_common_string(part, whole) == count_common_sequence(part, whole)


def test_more_values_reduce_the_error() -> None:
    """The standard error falls with the root of the number of values; a single one has none."""
    assert pytest.approx(0.5) == standard_error([0.0, 1.0])
    assert pytest.approx((1 / 3 / 4) ** 0.5) == standard_error([0.0, 1.0, 0.0, 1.0])
    assert 0.0 == standard_error([0.7])


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        ("  \n", []),
        ("The rye, it's IN.", ["the", "rye", "it", "s", "in"]),
        ("穀物 is grain", ["穀", "物", "is", "grain"]),
        ("หญ้า", ["ห", "ญ", "า"]),  # the tone mark is not a letter
        ("हिन्दी", ["हिन्दी"]),  # signs of vowels are part of the word
        ("곡물", ["곡물"]),  # Korean has spaces
        ("har\u00advest", ["harvest"]),  # a soft hyphen is not visible
        ("\U00020000\U00020001", ["\U00020000", "\U00020001"]),
    ],
)
def test_tokens_of_a_script(text: str, tokens: list[str]) -> None:
    """Scripts without spaces have one token per letter, others one per word."""
    assert tokens == split_tokens(text)


@given(st.text(st.characters(max_codepoint=0x3FFFF, exclude_categories=["Cs"])))
def test_tokens_are_counted_words(text: str) -> None:
    """There are as many tokens as `thresher.page.text` counts words."""
    lower = text.lower()
    words, _ = count_words(lower, np.array([0, len(lower)], np.int32))
    assert int(words[1]) == len(split_tokens(text))


def test_words_keep_their_case() -> None:
    r"""Words are the runs of ``\w``, unchanged."""
    assert ["It", "s", "穀物", "x_1"] == split_words("It's 穀物: x_1!")
