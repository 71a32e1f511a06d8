"""Gold text aligned with the lines of a page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.parse import parse
from thresher.training import line_labels
from thresher.training.line_labels import label_lines, match_words, split_words


@pytest.mark.parametrize(
    ("words", "gold", "expected"),
    [
        ("a b c", "a b c", [0, 1, 2]),
        ("x a y b", "a b", [-1, 0, -1, 1]),
        ("a b", "", [-1, -1]),
        ("", "a", []),
        ("b a", "a b", [1, -1]),
        # The last place that makes the longest is taken: the menu's word is not the article's.
        ("the menu the cat sat", "the cat sat", [-1, -1, 0, 1, 2]),
    ],
)
def test_words_matched_in_order(words: str, gold: str, expected: list[int]) -> None:
    """Words are aligned by a longest common subsequence, worked out by hand."""
    assert expected == match_words(words.split(), gold.split()).tolist()


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_match_is_a_longest_common_subsequence(words: str, gold: str) -> None:
    """Matches rise, join equal words, and are as many as the textbook's recurrence says."""
    place = match_words(words, gold)
    matched = [(i, int(j)) for i, j in enumerate(place) if j >= 0]
    assert all(words[i] == gold[j] for i, j in matched)
    assert sorted(matched, key=lambda pair: pair[1]) == matched
    lengths = [[0] * (len(gold) + 1) for _ in range(len(words) + 1)]
    for i, word in enumerate(words):
        for j, other in enumerate(gold):
            longest = max(lengths[i][j + 1], lengths[i + 1][j])
            lengths[i + 1][j + 1] = lengths[i][j] + 1 if word == other else longest
    assert lengths[-1][-1] == len(matched)


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
        # One word by chance, no neighbour matched.
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
    """Pages whose words times those of the gold pass the limit have no labels."""
    monkeypatch.setattr(line_labels, "_MAX_CELLS", 3)
    assert label_lines(parse("<p>one two"), "one two") is None
    assert label_lines(parse("<p>one two"), "one") is not None
