"""Features of a block's position."""

from __future__ import annotations

import pytest

from tests.features.pages import measure


def test_place_after_headings() -> None:
    """The distances to headings are known, and whether the block is after the first h1."""
    found = measure("<p>a<h1>b</h1><p>c<h2>d</h2><p>e")
    assert [0, 1, 1, 1, 1] == found["after_h1"].tolist()
    assert [7, 1, 1, 2, 2] == found["heading_level"].tolist()
    assert [1, 0, 1, 0, 1] == found["from_heading"].tolist()
    assert [1, 0, 1, 0, 1] == found["next_heading"].tolist()
    assert [-1, 0, 1, 1.5, 2] == found["from_h1"].tolist()


def test_place_in_the_page() -> None:
    """Blocks before and after, and the share of words and blocks before."""
    found = measure("<p>a b<p>c<p>d")
    assert [0, 1, 1.5] == found["n_before"].tolist()
    assert [1.5, 1, 0] == found["n_after"].tolist()
    assert [0, 0.5, 0.75] == found["words_before"].tolist()
    assert [0, pytest.approx(1 / 3), pytest.approx(2 / 3)] == found["blocks_before"].tolist()


def test_without_headings() -> None:
    """Without headings, distances are to the page's edges, and the level is 7."""
    found = measure("<p>a<p>b")
    assert [1, 1.5] == found["from_heading"].tolist()
    assert [1.5, 1] == found["next_heading"].tolist()
    assert [7, 7] == found["heading_level"].tolist()
    assert [0, 0] == found["after_h1"].tolist()


def test_a_heading_without_words_is_none() -> None:
    """A logo in an h1 is not a heading; the next h1 is."""
    found = measure("<h1><img></h1><p>a<h1>b</h1><p>c")
    assert [7, 7, 1, 1] == found["heading_level"].tolist()
    assert [0, 0, 1, 1] == found["after_h1"].tolist()


def test_the_innermost_heading_counts() -> None:
    """A heading inside another gives the level."""
    found = measure("<h1><div>a</div><div><h3>b</h3></div></h1>")
    assert [1, 3] == found["heading_level"].tolist()
