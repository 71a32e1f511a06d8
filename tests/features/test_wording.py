"""Words shared with titles, and repeated blocks."""

from __future__ import annotations

import pytest

from tests.features.pages import measure


def test_words_of_the_title() -> None:
    """Words of the title are recognised, regardless of case."""
    found = measure("<title>Old Mill</title><p>the old mill<p>mill<p>Next")
    assert [pytest.approx(2 / 3), 1, 0] == found["title_words"].tolist()
    assert [1, 0.5, 0] == found["title_cover"].tolist()


def test_a_title_is_covered_once() -> None:
    """A word that occurs twice covers the title only once."""
    found = measure("<title>mill, mill</title><p>mill mill mill")
    assert [1] == found["title_cover"].tolist() == found["title_words"].tolist()


def test_words_of_the_first_h1_with_words() -> None:
    """An h1 without words is skipped, and only the first with words counts."""
    found = measure("<h1><img></h1><h1>Old mill</h1><h1>River</h1><p>old river")
    assert [0, 1, 0, 0.5] == found["h1_words"].tolist()


def test_copies_have_the_same_words_in_any_order() -> None:
    """A repeated block is a copy, and the first one is marked as first."""
    found = measure("<p>Read on<p>on: read!<p>Read<p>read on on<p><img><p><img>")
    assert [1.5, 1.5, 1, 1, 0, 0] == found["copies"].tolist()
    assert [1, 0, 1, 1, 1, 0] == found["first_copy"].tolist()


def test_pages_without_titles() -> None:
    """Without title and h1 nothing is shared with them."""
    found = measure("<p>a")
    for name in ("title_words", "title_cover", "h1_words"):
        assert [0] == found[name].tolist()
