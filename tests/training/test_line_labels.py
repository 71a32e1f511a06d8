"""Gold text aligned with the lines of a page."""

from __future__ import annotations

import pytest

from thresher.page.parse import parse
from thresher.training.density_lines import label_lines, split_words


def test_words_split_without_a_language() -> None:
    """Letters of scripts without spaces are words of their own; case does not matter."""
    assert ["über", "3", "水", "车", "x"] == split_words("Über 3 水车x!")


@pytest.mark.parametrize(
    ("html", "gold", "expected"),
    [
        ("<p>one two three<p>four five", "one two three", [True, False]),
        ("<p>one two x y<p>one two x y z", "one two", [False, False]),
        ("<p>a menu<p>one two three four five", "one two three", [False, True]),
        ("<h2>Wheat</h2><p>Wheat is <b>old</b>.", "Wheat\nWheat is old.", [True, True]),
        # A single word occurs by chance, without a matched neighbour.
        ("<li>news<li>sport<p>no news today here", "no news today here", [False, False, True]),
        ("<p>one two<p>...", "one two ...", [True, False]),
        ("<p>one two", "", [False]),
        ("", "one", []),
    ],
)
def test_lines_labelled_by_their_share_of_words(html: str, gold: str, expected: list[bool]) -> None:
    """A line is content if half of its words are in the gold, next to another match."""
    labels = label_lines(parse(html), gold)
    assert labels is not None
    assert expected == labels.tolist()


def test_page_left_out_when_too_long_to_align(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page has no labels if its words times those of the gold exceed the limit."""
    monkeypatch.setattr(line_labels, "_MAX_CELLS", 3)
    assert label_lines(parse("<p>one two"), "one two") is None
    assert label_lines(parse("<p>one two"), "one") is not None
