"""Champandard 2007 and its first comment, checked against figures worked out by hand."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given

from tests.algorithms.kept import kept
from tests.helpers.trees import soups
from thresher import Selection
from thresher.algorithms.classics import density_lines
from thresher.algorithms.classics.density_lines import (
    LinePerceptron,
    Params,
    equal_posterior,
    features_of,
    measure_lines,
    two_gaussians,
)
from thresher.errors import UsageError
from thresher.page.parse import parse


def select(html: str, **params: object) -> Selection:
    return density_lines.select(parse(html), Params(**params))  # type: ignore[arg-type]


# Worked example: each line needs the source from the end of the text before to the end of its own.
#   <p>Hello, world!               3 + 13 = 16 bytes for 13   0.8125
#   </p><div><a href="#">Menu      25 bytes for 4             0.16
#   </a></div><br>Bye bye          14 + 7 = 21 bytes for 7    0.3333
# The average is 0.4353.
WORKED = '<p>Hello, world!</p><div><a href="#">Menu</a></div><br>Bye bye'


def test_density_is_text_over_source_when_measured() -> None:
    """Bytes, lengths and positions of the example's lines equal those counted by hand."""
    lines = measure_lines(parse(WORKED))
    assert [0, 1, 2] == lines.line.tolist()
    assert [16, 25, 21] == lines.source_bytes.tolist()
    assert [13, 4, 7] == lines.text_bytes.tolist()
    assert [13 / 16, 4 / 25, 7 / 21] == lines.density.tolist()
    sources = [WORKED[a:b] for a, b in zip(lines.start, lines.stop, strict=True)]
    assert ["<p>Hello, world!", '</p><div><a href="#">Menu', "</a></div><br>Bye bye"] == sources


@pytest.mark.parametrize(
    ("params", "expected", "limit"),
    [
        ({}, ["Hello, world!"], 0.5),
        ({"min_density": 0.3}, ["Hello, world!", "Bye bye"], 0.3),
        ({"min_density": 1}, [], 1),
        ({"threshold": "average"}, ["Hello, world!"], (13 / 16 + 4 / 25 + 7 / 21) / 3),
    ],
)
def test_lines_kept_when_denser_than_the_threshold(
    params: dict[str, object], expected: list[str], limit: float
) -> None:
    """Lines above the threshold are kept; a score is the distance from the threshold."""
    selection = select(WORKED, **params)
    assert expected == kept(selection)
    densities = np.array([13 / 16, 4 / 25, 7 / 21])
    assert (densities - limit).tolist() == pytest.approx(selection.score.tolist(), abs=1e-6)
    assert f"line at or below a density of {limit:.2f}" == selection.reason(1)


@pytest.mark.parametrize(
    ("html", "source_bytes", "text_bytes"),
    [
        ("<p>\r\n  Zw\u00f6lf  Boxk\u00e4mpfer\r\n</p>", [26], [18]),
        ("<p>\u6c34\u8f66</p>", [9], [6]),
        ("<p>a&amp;b</p>", [10], [3]),
        ("<script>12345</script><p>ab", [27], [2]),
        ("<!-- note --><p>ab", [18], [2]),
        ("<p>ab<img src=x><p>cd", [5, 16], [2, 2]),
        ("<p>ab<img src=x><i>cd</i>", [21], [4]),
        ("<p>a<svg><title>skip</title></svg>b", [35], [3]),
        ("<p>a <math><mi>x</mi></math>", [28], [3]),
        ("<p>one<br>two", [6, 7], [3, 3]),
        ("<p>one<wbr>two <b> three</b>", [24], [12]),
        ("", [], []),
        ("<img src=x>", [], []),
    ],
)
def test_bytes_counted_in_the_source_when_markup_is_odd(
    html: str, source_bytes: list[int], text_bytes: list[int]
) -> None:
    """Bytes are counted in the source as written, text as the reader sees it."""
    lines = measure_lines(parse(html))
    assert source_bytes == lines.source_bytes.tolist()
    assert text_bytes == lines.text_bytes.tolist()


@given(soups())
def test_lines_in_order_when_markup_is_soup(html: str) -> None:
    """On any tag soup, lines are consecutive in the source and densities are from 0 to 1."""
    page = parse(html)
    lines = measure_lines(page)
    assert ((page.lines.sums(page.leaf_chars) > 0).nonzero()[0] == lines.line).all()
    assert (lines.start <= lines.stop).all()
    assert (lines.start[1:] == lines.stop[:-1]).all()
    assert (lines.stop <= len(page.source)).all()
    assert ((lines.density >= 0) & (lines.density <= 1)).all()


# Text lines 0.6, 0.8, 1.0: m_y = 0.8, s_y = 0.04 + 0 + 0.04 = 0.08. Markup lines 0.1, 0.3:
# m_z = 0.2, s_z = 0.02. p = 3/5, so t_y = 0.08 · ln 0.6 = −0.040866 and
# t_z = 0.02 · ln 0.4 = −0.018326.
TEXT, MARKUP, SHARE = np.array([0.6, 0.8, 1.0]), np.array([0.1, 0.3]), 0.6


def test_two_gaussians_is_the_printed_formula() -> None:
    """The threshold is the solution of the comment's formula that is between the two means."""
    t_y, t_z = 0.08 * log(0.6), 0.02 * log(0.4)
    printed = [
        (0.8 * t_y - 0.2 * t_z + sign * (0.8 - 0.2) * sqrt(t_y * t_z)) / (t_y - t_z)
        for sign in (1, -1)
    ]
    between = [root for root in printed if 0.2 < root < 0.8]
    assert between == pytest.approx([two_gaussians(TEXT, MARKUP, SHARE)])
    assert pytest.approx(0.55935, abs=1e-5) == between[0]


def test_two_gaussians_is_the_middle_when_nothing_spreads() -> None:
    """If the formula gives 0 / 0, the threshold is the midpoint of the means."""
    assert pytest.approx(0.5) == two_gaussians(np.array([0.8]), np.array([0.2]), 0.5)


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.5, 0.5), (0.75, 0.5 - 0.01 / 0.6 * log(3)), (0.25, 0.5 + 0.01 / 0.6 * log(3))],
)
def test_equal_posterior_when_spreads_are_equal(share: float, expected: float) -> None:
    """With equal variances σ², θ is the midpoint − σ²/(m_y − m_z) · ln(p/(1 − p))."""
    text, markup = np.array([0.7, 0.9]), np.array([0.1, 0.3])
    assert pytest.approx(expected) == equal_posterior(text, markup, share)


def test_equal_posterior_lies_nearer_the_narrow_side() -> None:
    """Both weighted normal densities are equal at θ, which is closer to the narrower one."""
    theta = equal_posterior(TEXT, MARKUP, SHARE)
    var_y, var_z = 0.08 / 3, 0.01
    of_text = 0.6 / sqrt(var_y) * np.exp(-((theta - 0.8) ** 2) / (2 * var_y))
    of_markup = 0.4 / sqrt(var_z) * np.exp(-((theta - 0.2) ** 2) / (2 * var_z))
    assert pytest.approx(of_text) == of_markup
    assert 0.2 < theta < 0.5


@pytest.mark.parametrize("threshold", ["average", "two_gaussians", "equal_posterior"])
def test_threshold_found_when_lines_are_few_or_alike(threshold: str) -> None:
    """No line, one line and equal lines have a threshold, and none exceeds its own average."""
    for html in ("", "<p>one", "<p>aa</p><p>aaaaaaa</p>"):
        selection = select(html, threshold=threshold)
        assert np.isfinite(selection.score).all()
    assert [] == kept(select("<p>one", threshold=threshold))


def test_features_are_of_current_previous_and_next_line() -> None:
    """Each of three lines gives density, ln(1 + bytes) and ln(1 + length); absent ones give 0."""
    features = features_of(measure_lines(parse(WORKED)))
    first = [13 / 16, log(17), log(14)]
    second = [4 / 25, log(26), log(5)]
    third = [7 / 21, log(22), log(8)]
    nothing = [0.0, 0.0, 0.0]
    assert first + nothing + second == pytest.approx(features[0].tolist())
    assert second + first + third == pytest.approx(features[1].tolist())
    assert third + second + nothing == pytest.approx(features[2].tolist())


def test_network_computes_the_formula() -> None:
    """One neuron is a weighted sum plus a bias; a hidden layer applies tanh to its sums first."""
    features = np.array([[0.5, 2.0]])
    assert [0.5 * 4 - 2 * 1 + 0.25] == LinePerceptron(None, np.array([4, -1, 0.25])).log_odds(
        features
    ).tolist()
    hidden = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, -1.0]])
    layered = LinePerceptron(hidden, np.array([2.0, 3.0, 0.5]))
    expected = 2 * np.tanh(0.5) + 3 * np.tanh(1.0) + 0.5
    assert [pytest.approx(expected)] == layered.log_odds(features).tolist()


PARAGRAPH = "<p>" + "The miller waits for the water to rise before he lets down the stones. " * 4
MENU = '<ul><li class="item"><a href="/somewhere/else" title="Go there">Go</a></li></ul>'


@pytest.mark.parametrize("threshold", ["perceptron", "mlp"])
@pytest.mark.parametrize("n_line", [1, 2, 3])
@pytest.mark.parametrize("n_attribute", [1, 2, 3])
def test_shipped_networks_distinguish_paragraphs_from_menus(
    threshold: str, n_line: int, n_attribute: int
) -> None:
    """Every shipped network keeps long paragraphs and drops menus of links."""
    selection = select(
        MENU * 5 + PARAGRAPH * 5 + MENU * 5,
        threshold=threshold,
        n_line=n_line,
        n_attribute=n_attribute,
    )
    scores = selection.score.tolist()
    assert min(scores[6:9]) > 0 > max(scores[1:4] + scores[-4:])
    assert "line above odds of 1 : 1" == selection.reason(7)


def test_fewer_lines_kept_when_false_positives_cost_more() -> None:
    """A weight w requires odds of w : 1, so that scores fall by ln w."""
    html = MENU + PARAGRAPH + "<p>Short one.</p>" + MENU
    even = select(html, threshold="mlp")
    costly = select(html, threshold="mlp", false_positive_weight=50)
    lowered = (even.score - log(50)).tolist()
    assert lowered == pytest.approx(costly.score.tolist(), abs=1e-5)
    assert costly.keep.sum() <= even.keep.sum()
    assert "odds of 50 : 1" in costly.reason(0)


def test_line_dropped_when_it_has_no_text() -> None:
    """A picture alone is a line without text; a picture within a line belongs to the line."""
    selection = select("<p><img src=a><p>A long line of text <img src=b> with a picture")
    assert [False, True, True, True] == selection.keep.tolist()
    assert "line without text" == selection.reason(0)


def test_params_refused_when_rule_is_unknown() -> None:
    """An unknown rule raises UsageError."""
    with pytest.raises(UsageError, match="fixed, average, two_gaussians"):
        Params(threshold="median")
