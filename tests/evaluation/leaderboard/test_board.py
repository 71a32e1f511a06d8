"""Means have a standard error over pages, and differences one over pairs of pages."""

from __future__ import annotations

import dataclasses
import json

import pytest

from tests.evaluation.test_summary import RUN
from thresher.evaluation.leaderboard.board import Board, Entry, Mean, mean_of, mean_of_means
from thresher.evaluation.leaderboard.scores import Speed
from thresher.evaluation.summary import MEAN_OF_CORPORA

BOARD = Board(
    run=RUN,
    entries=(
        Entry("all", "0.1", "extract(html)", is_ours=True),
        Entry("best", "2.0", "reap(html)", is_ours=False),
        Entry("late", "", "sow(html)", is_ours=False, problem="no rye | this year"),
    ),
    reference="best",
    default="all",
    n_speed_page=4,
    speeds=(Speed("all", 4, 2.5, 3.0), Speed("best", 4, 1.0, 1.0)),
    notes=("A note.",),
)
"""The run of `test_summary` as a leaderboard: "all" is ours, "best" a peer, "late" did not
start."""


def test_standard_error_of_a_mean() -> None:
    """The standard error is the standard deviation over the root of the number of pages."""
    mean = mean_of([1.0, 2.0, 3.0])
    assert pytest.approx((2.0, 1 / 3**0.5)) == (mean.value, mean.error)
    assert Mean(2.0, 0.0) == mean_of([2.0])


def test_mean_of_means() -> None:
    """Each mean has the same weight, and errors are added in squares."""
    assert Mean(0.5, 2.5) == mean_of_means([Mean(0.0, 3.0), Mean(1.0, 4.0)])


def test_means_by_corpus() -> None:
    """Every method has a mean for each corpus, and one over all corpora."""
    means = BOARD.corpus_means("word")
    assert pytest.approx(0.3) == means["all", "news"].value
    assert pytest.approx(0.4) == means["all", MEAN_OF_CORPORA].value
    assert {"news", "blogs", MEAN_OF_CORPORA} == {corpus for _, corpus in means}


def test_one_corpus_has_no_mean_of_corpora() -> None:
    """The mean of a single corpus is omitted, as it would be redundant."""
    run = dataclasses.replace(
        RUN,
        corpora=RUN.corpora[:1],
        results=tuple(result for result in RUN.results if result.corpus == "news"),
    )
    means = dataclasses.replace(BOARD, run=run).corpus_means("word")
    assert {("all", "news"), ("best", "news")} == means.keys()


def test_differences_are_of_pairs() -> None:
    """Differences are taken page by page: if both scores vary together, the error is small."""
    news = [result for result in RUN.results if result.corpus == "news"]
    own = {r.page: r.scores["word"].f1 for r in news if r.method == "all"}
    pairs = [r.scores["word"].f1 - own[r.page] for r in news if r.method == "best"]
    differences = BOARD.differences("word", "all")
    assert mean_of(pairs) == differences["best", "news"]
    assert {"best"} == {method for method, _ in differences}


def test_custom_groups() -> None:
    """Results can be grouped by any function; a result without a group does not count."""
    means = BOARD.means("word", lambda result: "one" if result.page == "a" else None)
    assert {"one"} == {group for _, group in means}


def test_board_as_json() -> None:
    """The board can be written as plain data, page by page."""
    whole = json.loads(json.dumps(BOARD.as_dict()))
    assert len(RUN.results) == len(whole["results"])
    assert ["all", "best", "late"] == [entry["name"] for entry in whole["entries"]]
    assert 2.5 == whole["speeds"][0]["median_ratio"]
