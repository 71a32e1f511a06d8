"""Tables mark the best score, and state what each number is the mean of."""

from __future__ import annotations

from thresher.evaluation.fidelity.measure import (
    OURS,
    Result,
    list_worst,
    write_measures,
    write_scores,
)
from thresher.evaluation.fidelity.score import MEASURES

RESULTS = [
    Result(OURS, "rye", {"words": 1.0, "code": 0.5}),
    Result("peer", "rye", {"words": 1.0, "code": 1.0}),
    Result(OURS, "oats", {"words": 0.5}),
    Result("peer", "oats", {"words": 0.25}, "by design"),
]


def test_scores_are_means_over_pages_that_have_the_feature() -> None:
    """The best scores are bold, ties included; the last line has the numbers of pages."""
    assert [
        "| tool | words | code | errors |",
        "|---|---:|---:|---:|",
        "| thresher | **75.0** | 50.0 | 0 |",
        "| peer | 62.5 | **100.0** | 1 |",
        "| pages | 2 | 1 | 2 |",
    ] == write_scores(RESULTS).splitlines()


def test_every_measure_is_explained() -> None:
    """The explanation has a row for each measure."""
    assert 2 + len(MEASURES) == len(write_measures().splitlines())


def test_low_scores_of_ours_are_listed() -> None:
    """Only our low scores are listed; a low score for words alone is not."""
    assert "- `rye`: code 50" == list_worst(RESULTS, 0.9)
    assert "None." == list_worst(RESULTS, 0.4)
