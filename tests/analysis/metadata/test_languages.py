"""Codes of languages, and words that tell them."""

from __future__ import annotations

from itertools import combinations

import pytest

from thresher.analysis.metadata.languages import (
    FUNCTION_WORDS,
    share_function_words,
    shortest_code,
)


@pytest.mark.parametrize(("code", "expected"), [("eng", "en"), ("cmn", "zh"), ("tpi", "tpi")])
def test_shortest_code(code: str, expected: str) -> None:
    """Two letters where there are two, else the three."""
    assert expected == shortest_code(code)


def test_function_words_are_of_one_language_each() -> None:
    """A word that two languages have in common tells neither."""
    assert [] == [
        one & other for one, other in combinations(FUNCTION_WORDS.values(), 2) if one & other
    ]


@pytest.mark.parametrize(
    ("text", "code", "expected"),
    [
        ("The rye is in the barn", "en", 3 / 6),
        ("The rye is in the barn", "de", 0),
        ("The rye is in the barn", "tlh", 0),
        ("Der Roggen ist in der Scheune", "de", 3 / 6),
        (" ", "en", 0),
    ],
)
def test_share_function_words(text: str, code: str, expected: float) -> None:
    """Words count whatever their case; languages without a list have none."""
    assert expected == share_function_words(text, code)
