"""Normalisation, truncation and comparison of short texts."""

from __future__ import annotations

import pytest

from thresher.analysis.metadata.normalise import key_of, plain_text, shorten, words_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Rye \n and\toats ", "Rye and oats"),
        ("Rye &amp; oats", "Rye & oats"),
        ("Rye &#8217;n&#x2019; oats", "Rye ’n’ oats"),
        ("R&D &copy 2024", "R&D &copy 2024"),
        ("<em>Rye</em> is <b class='x'>back</b>", "Rye is back"),
        ("How to use <dialog>", "How to use <dialog>"),
        ("a < b and c > d", "a < b and c > d"),
        ("Dresch\u00adma\u200bschine\u202e", "Dreschmaschine"),
        ("\x00\x07Rye", "Rye"),
        ("&#0;&#xFFFFFF;", "\ufffd\ufffd"),
        ("", ""),
    ],
)
def test_plain_text(text: str, expected: str) -> None:
    """Entities, tags of editors, odd spaces and invisible characters are gone."""
    assert expected == plain_text(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Rye is back", "Rye is…"), ("Rye", "Rye"), ("Roggenernte", "Roggene…")],
)
def test_shorten_when_longer_than_eight_characters(text: str, expected: str) -> None:
    """Text is cut between words where it can be, and never longer than asked."""
    assert expected == shorten(text, 8)


def test_key_of_when_case_and_signs_differ_is_equal() -> None:
    """Only letters and digits count."""
    assert key_of("Rye — is BACK!") == key_of("‘rye’ is back")


def test_words_of_splits_a_table() -> None:
    """A table in text is a set of its words."""
    assert frozenset({"a", "b"}) == words_of("a\n  b a")
