"""Finn, Kushmerick and Smyth 2001, checked against regions worked out by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given

from tests.algorithms.kept import kept
from tests.helpers.trees import soups
from thresher.algorithms.classics.bte import Params, select
from thresher.algorithms.classics.sequence import lay_out, tag_places
from thresher.page.parse import parse

# … <p> one </p> <div> a b c d </div> <p> x </p> …, words less tags:
#   one          1        one … a b c d   5 − 2 = 3
#   a b c d      4        a b c d … x     5 − 2 = 3
#   x            1        one … x         6 − 4 = 2
WORKED = "<p>one</p><div>a b c d</div><p>x</p>"


def test_region_has_most_words_less_tags_when_worked_by_hand() -> None:
    """The region with the largest sum is kept; a block's score is what adding it would lose."""
    selection = select(parse(WORKED), Params())
    assert ["a b c d"] == kept(selection)
    assert [-1, 0, -1] == selection.score.tolist()
    assert [
        "before the region of most words and fewest tags",
        "inside the region of most words and fewest tags",
        "behind the region of most words and fewest tags",
    ] == [selection.reason(block) for block in range(3)]


@pytest.mark.parametrize(
    ("tag_weight", "expected"),
    [(0.25, ["one", "a b c d", "x"]), (0.75, ["a b c d"]), (10, ["a b c d"])],
)
def test_region_grows_when_tags_weigh_less(tag_weight: float, expected: list[str]) -> None:
    """If a tag weighs less than half a word, single words outweigh the two tags before them."""
    assert expected == kept(select(parse(WORKED), Params(tag_weight=tag_weight)))


def test_region_spans_what_lies_between_when_text_is_on_both_sides() -> None:
    """There is a single region: it includes a menu and a picture between two texts."""
    text = "many words that nobody will want to miss in here"
    html = f"<p>{text}</p><ul><li>menu</ul><img src=a.png><p>{text}</p>"
    selection = select(parse(html), Params())
    assert selection.keep.all()
    assert [0, 0, 0, 0] == selection.score.tolist()


def test_pictures_outside_dropped_when_at_the_ends() -> None:
    """The region begins and ends with a word."""
    selection = select(parse("<img src=a.png><p>a b c</p><div><img src=b.png></div>"), Params())
    assert [False, True, False] == selection.keep.tolist()


@pytest.mark.parametrize("html", ["", " ", "<img src=a.png>", "<p>…</p>"])
def test_nothing_kept_when_page_has_no_words(html: str) -> None:
    """A page without words has no region, and its scores are finite."""
    selection = select(parse(html), Params())
    assert not selection.keep.any()
    assert all(abs(score) < 100 for score in selection.score.tolist())


def test_word_kept_when_alone() -> None:
    """A single word is a region."""
    assert ["word"] == kept(select(parse("word"), Params()))


@given(html=soups(max_pieces=12))
def test_region_is_the_best_of_all_pairs(html: str) -> None:
    """A single pass finds the region that the authors find by trying every pair of positions."""
    page = parse(html)
    layout = lay_out(page, tokens=True)
    start, end = tag_places(page)
    gain = [1] * layout.length
    for place in [*start[start >= 0].tolist(), *end[end >= 0].tolist()]:
        gain[place] = -1
    sums = [0, *itertools.accumulate(gain)]
    pairs = itertools.combinations(range(len(sums)), 2)
    best = max(sums[j] - sums[i] for i, j in pairs)

    texts = np.flatnonzero(layout.stop > layout.start)
    # The region may contain text that is not a leaf, such as the title; a selection cannot.
    assume(texts.size and np.isin(texts, page.leaves).all())
    kept_rows = page.leaves[select(page, Params()).keep]
    first, last = texts[np.isin(texts, kept_rows)][[0, -1]]
    assert best == sums[int(layout.stop[last])] - sums[int(layout.start[first])]
