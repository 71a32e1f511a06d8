"""Gottron 2008, checked against a vector blurred by hand."""

from __future__ import annotations

from math import exp

import pytest

from tests.algorithms.kept import kept
from thresher.algorithms.classics.ccb import Params, select
from thresher.page.parse import parse

# One blur of radius 2, so a deviation of 2/3: a neighbour weighs NEAR, the next one FAR. Tags are
# longer than the radius, so each text has only markup around it.
#   "x"    1 / ALL                                              = 0.598
#   "ab"   both (1 + NEAR) / ALL                                = 0.792
#   "abc"  (1 + NEAR + FAR + 1 + 2·NEAR + 1 + NEAR + FAR) / 3·ALL = 0.862
NEAR, FAR = exp(-9 / 8), exp(-9 / 2)
ALL = 1 + 2 * NEAR + 2 * FAR
WORKED = "<p>x</p><p>ab</p><p>abc</p>"
ONE_BLUR = Params(radius=2, max_blurs=1, cell_chars=1)


def test_scores_are_blurred_share_less_threshold_when_worked_by_hand() -> None:
    """A text's score is the mean of its blurred characters minus the threshold."""
    selection = select(parse(WORKED), ONE_BLUR)
    expected = [1 / ALL, (1 + NEAR) / ALL, (3 + 4 * NEAR + 2 * FAR) / (3 * ALL)]
    assert [share - 0.75 for share in expected] == pytest.approx(selection.score.tolist())
    assert ["ab", "abc"] == kept(selection)
    assert "too much markup around it" == selection.reason(0)
    assert "text outweighs markup around it" == selection.reason(1)


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        (Params(radius=2, max_blurs=1, cell_chars=1, threshold=0.5), ["x", "ab", "abc"]),
        (Params(radius=2, max_blurs=1, cell_chars=1, threshold=0.8), ["abc"]),
        (Params(radius=2, max_blurs=0, cell_chars=1), ["x", "ab", "abc"]),
        (Params(radius=40, max_blurs=1, cell_chars=1), []),
        (Params(radius=2, tolerance=1, cell_chars=1), ["ab", "abc"]),
        (Params(radius=2, tolerance=0.001, cell_chars=1), []),
        (Params(radius=2, max_blurs=1, cell_chars=100), []),
    ],
)
def test_parameters_take_effect_when_set(params: Params, expected: list[str]) -> None:
    """Each parameter has the effect that its help describes."""
    assert expected == kept(select(parse(WORKED), params))


def test_words_count_as_one_when_counted_in_tokens() -> None:
    """The token form blurs tags and words, regardless of their length."""
    params = Params(radius=1, max_blurs=1, cell_chars=1, tokens=True)
    selection = select(parse("<p>internationalisation</p><p>a b c</p>"), params)
    # A neighbour weighs e^(−9/2): one word has two tags next to it, the middle of three none.
    near = exp(-9 / 2)
    total = 1 + 2 * near
    expected = [1 / total - 0.75, (3 + 4 * near) / (3 * total) - 0.75]
    assert expected == pytest.approx(selection.score.tolist())


def test_paragraph_kept_and_menu_dropped_when_page_is_typical() -> None:
    """The defaults keep a long text and drop short texts between tags."""
    menu = "<ul>" + "<li><a href='/section'>Section</a>" * 10 + "</ul>"
    story = "The miller waits for the water to rise before he lets down the stones. " * 5
    assert [story.strip()] == kept(select(parse(f"{menu}<p>{story}</p>{menu}"), Params()))


@pytest.mark.parametrize("html", ["", " \n ", "word", "<img src=a.png>", "<title>t</title>"])
def test_nothing_kept_when_page_has_hardly_any_text(html: str) -> None:
    """The tags of an empty document outweigh a single word."""
    selection = select(parse(html), Params())
    assert not selection.keep.any()
