"""Tables name the best, and say what each number is the mean of."""

from __future__ import annotations

from thresher.evaluation.fidelity.measure import OURS, Result
from thresher.evaluation.fidelity.score import MEASURES
from thresher.evaluation.fidelity.table import list_worst, write_measures, write_scores

RESULTS = [
    Result(OURS, "rye", {"words": 1.0, "code": 0.5}),
    Result("peer", "rye", {"words": 1.0, "code": 1.0}),
    Result(OURS, "oats", {"words": 0.5}),
    Result("peer", "oats", {"words": 0.25}, "by design"),
]


def test_scores_are_means_over_pages_that_have_the_thing() -> None:
    """The best is bold, equals both; the last line counts pages."""
    assert [
        "| tool | words | code | errors |",
        "|---|---:|---:|---:|",
        "| thresher | **75.0** | 50.0 | 0 |",
        "| peer | 62.5 | **100.0** | 1 |",
        "| pages | 2 | 1 | 2 |",
    ] == write_scores(RESULTS).splitlines()


def test_every_measure_is_explained() -> None:
    """A row for each."""
    assert 2 + len(MEASURES) == len(write_measures().splitlines())


def test_only_ours_is_listed_with_what_is_low() -> None:
    """Words alone are no reason."""
    assert "- `rye`: code 50" == list_worst(RESULTS, 0.9)
    assert "None." == list_worst(RESULTS, 0.4)
