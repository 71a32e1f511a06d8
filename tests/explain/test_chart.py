"""Charts show every block, or one of many neighbours, within their frame."""

from __future__ import annotations

import dataclasses
import re

import pytest

from tests.explain.test_explanation import PAGE, explain_page
from thresher.algorithms import ALGORITHMS
from thresher.explain.chart import MAX_POINTS, draw_charts, format_score, pick_points
from thresher.explain.explanation import Limit

BAR = re.compile(r'<rect class="(in|out)" x="[^"]+" y="([^"]+)" width="[^"]+" height="([^"]+)"/>')


@pytest.mark.parametrize("method", ALGORITHMS)
def test_chart_has_a_bar_for_each_block(method: str) -> None:
    """Score, length and density of each block are drawn in its colour, within the frame."""
    explanation = explain_page(PAGE, method)
    *charts, _ = draw_charts(explanation)
    assert 3 == len(charts)
    for chart in charts:
        bars = BAR.findall(chart)
        kept = ["in" if each.block.kept else "out" for each in explanation.blocks]
        assert kept == [kind for kind, _, _ in bars]
        for _, top, height in bars:
            assert float(top) >= 0
            assert float(height) >= 0
            assert float(top) + float(height) <= 100.11


def test_chart_shades_each_kept_region() -> None:
    """Neighbours that are kept share one region."""
    explanation = explain_page("<p>abcdefghij</p><p>abcdefgh</p><p>a</p>", "max_density")
    chart = next(draw_charts(explanation))
    assert ['<rect class="region" x="0" width="2"'] == re.findall(
        r'<rect class="region" x="\d+" width="\d+"', chart
    )


def test_chart_draws_the_limit() -> None:
    """Only the score has a limit, and it is drawn where its label is."""
    score, length, *_ = draw_charts(explain_page("<p>abcdefghij</p><p>abc</p>", "max_density"))
    assert '<span class="limit" style="top:66.7%">3.33</span>' in score
    assert '<line class="limit" x1="0" x2="24" y1="66.7" y2="66.7"/>' in score
    assert 'class="limit"' not in length


@pytest.mark.parametrize(
    ("scores", "ends"),
    [
        ((1, -100), ["0", "1", "≤ −6"]),
        ((100, -1), ["0", "≥ 6", "−1"]),
        ((1, -6), ["0", "1", "−6"]),
        ((0, -100), ["0", "−100"]),
    ],
)
def test_chart_cuts_what_would_hide_the_rest(scores: tuple[float, float], ends: list[str]) -> None:
    """One side of the limit reaches 6 times as far as the other at most, and its label says so."""
    explanation = explain_page("<p>abcdefghij</p><p>abc</p>", "link_ratio")
    blocks = tuple(
        dataclasses.replace(each, block=dataclasses.replace(each.block, score=score))
        for each, score in zip(explanation.blocks, scores, strict=True)
    )
    limit = Limit(0.0, "content is above")
    chart = next(draw_charts(dataclasses.replace(explanation, blocks=blocks, limit=limit)))
    assert ends == re.findall(r'<span class="\w+" style="[^"]+">([^<]+)</span>', chart)


@pytest.mark.parametrize("count", [0, 1, MAX_POINTS, MAX_POINTS + 1, 30_000])
def test_points_are_few_and_in_order(count: int) -> None:
    """However many blocks there are, the points are capped, and each is in the page's order."""
    points = pick_points([1] * count)
    assert min(count, 1) <= len(points) <= MAX_POINTS
    assert sorted(set(points)) == points


def test_points_are_the_longest_of_their_neighbours() -> None:
    """The one long block of a long page is drawn."""
    lengths = [1] * 10_000
    lengths[7_777] = 2
    assert 7_777 in pick_points(lengths)


@pytest.mark.parametrize(("score", "spelled"), [(0, "0"), (-0.5, "−0.5"), (1234.5, "1.23e+03")])
def test_scores_are_short(score: float, spelled: str) -> None:
    """A score has three digits and a proper minus sign."""
    assert spelled == format_score(score)
