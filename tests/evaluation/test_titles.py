"""Titles are removed where they occur as titles, and nowhere else."""

from __future__ import annotations

import pytest

import thresher
from thresher.evaluation.evaluate import MAX_TITLE_CHARS, read_headings, remove_titles


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Rye is back\nIt was a good year.", "\nIt was a good year."),
        ("“RYE  IS\nBACK!”\nIt was.", "\nIt was."),
        ("Home\nRye is back\nIt was.", "Home\n\nIt was."),
        ("Rye is back It was.", "It was."),  # a label whose lines are joined
        ("Rye is back\nmore\nRye is back", "\nmore\nRye is back"),
        ("Rye is backed by oats.", "Rye is backed by oats."),
        ("They say rye is back again.", "They say rye is back again."),
        ("", ""),
    ],
)
def test_title_removed_from_a_text(text: str, left: str) -> None:
    """A first line that equals the title is removed, or a title at the start, but no sentence."""
    assert left == remove_titles(text, ["Rye is back"])


@pytest.mark.parametrize("titles", [[], [""], ["…"], ["word " * MAX_TITLE_CHARS]])
def test_text_left_alone_when_there_is_no_title(titles: list[str]) -> None:
    """Titles without a letter, or longer than any title, remove nothing."""
    text = "word " * MAX_TITLE_CHARS
    assert text == remove_titles(text, titles)


def test_title_removed_once_when_it_is_given_twice() -> None:
    """If the label's title equals the page's heading, it is removed once."""
    assert "\nRye is back" == remove_titles(
        "Rye is back\nRye is back", ["Rye is back", "RYE is back!"]
    )


def test_text_of_one_letter_and_gaps_finishes() -> None:
    """A text that nearly matches everywhere is processed in linear time."""
    text = "a" + " \n" * 50_000 + "c"
    assert text == remove_titles(text, ["ab"])


def test_headings_of_a_page() -> None:
    """All level-one headings are read, whatever they contain."""
    page = thresher.read_page("<h1>Rye <i>is</i> back</h1><h2>Oats</h2><h1>Two</h1>")
    assert ["Rye is back", "Two"] == read_headings(page)
