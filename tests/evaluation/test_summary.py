"""Means are over pages, and the record of a run has everything needed to reproduce it."""

from __future__ import annotations

import json

import pytest

from thresher.evaluation.evaluate import PageResult
from thresher.evaluation.metrics import Score
from thresher.evaluation.summary import (
    MEAN_OF_CORPORA,
    EvaluatedCorpus,
    EvaluationRun,
    read_versions,
    summarise,
)


def result(corpus: str, page: str, method: str, f1: float, **fields: object) -> PageResult:
    values: dict[str, object] = {
        "scores": {"word": Score(f1 / 2, 1.0, f1)},
        "n_byte": 1000,
        "cpu_s": 0.001,
        "is_empty": False,
    }
    return PageResult(corpus, page, method, **(values | fields))  # type: ignore[arg-type]


RESULTS = (
    result("news", "a", "all", 0.2),
    result("news", "a", "best", 1.0, n_byte=4000),
    result("news", "b", "all", 0.4, is_empty=True, error="bad <page>"),
    result("news", "b", "best", 0.8, cpu_s=0.009),
    result("blogs", "a", "all", 0.5, url="https://a.example/?x=1&y=2", page_type="post"),
    result("blogs", "a", "best", 0.7),
)
RUN = EvaluationRun(
    date="2024-05-03",
    command="thresher eval corpora",
    versions={"python": "3"},
    metrics=("word",),
    methods=("all", "best"),
    without_title=False,
    corpora=(EvaluatedCorpus("news", "train", "ab12", 2), EvaluatedCorpus("blogs", None, None, 1)),
    results=RESULTS,
)


def test_means_are_over_pages() -> None:
    """Scores are means over pages; time is the total time over the total number of bytes."""
    everything, best = summarise(RESULTS[:4])
    assert ("news", "all", 2, 1, 1) == (
        everything.corpus,
        everything.method,
        everything.n_page,
        everything.n_empty,
        everything.n_error,
    )
    assert pytest.approx((0.15, 1.0, 0.3)) == everything.scores["word"]
    assert pytest.approx(0.002 / 2000 * 1e6) == everything.seconds_per_mb
    assert pytest.approx(0.010 / 5000 * 1e6) == best.seconds_per_mb


def test_mean_of_corpora_weighs_them_alike() -> None:
    """The last summaries are means of corpora, whatever their numbers of pages."""
    last = RUN.summaries()[-2:]
    assert [(MEAN_OF_CORPORA, "all", 3), (MEAN_OF_CORPORA, "best", 3)] == [
        (each.corpus, each.method, each.n_page) for each in last
    ]
    assert pytest.approx([(0.3 + 0.5) / 2, (0.9 + 0.7) / 2]) == [
        each.scores["word"].f1 for each in last
    ]


def test_one_corpus_has_no_mean_of_corpora() -> None:
    """The mean of a single corpus is omitted, as it would be redundant."""
    assert ["all", "best"] == [each.method for each in summarise(RESULTS[4:])]


def test_record_is_plain_data() -> None:
    """The JSON has date, command, versions, and every score by its name."""
    whole = json.loads(json.dumps(RUN.as_dict()))
    assert ("2024-05-03", "thresher eval corpora", "ab12") == (
        whole["date"],
        whole["command"],
        whole["corpora"][0]["sha256"],
    )
    assert {"precision": 0.1, "recall": 1.0, "f1": 0.2} == whole["results"][0]["scores"]["word"]
    assert len(RESULTS) == len(whole["results"])
    assert MEAN_OF_CORPORA == whole["summaries"][-1]["corpus"]


def test_versions_name_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that is not installed is listed as such."""
    monkeypatch.setattr("thresher.evaluation.summary._PACKAGES", ("numpy", "no-such-package"))
    versions = read_versions()
    assert "not installed" == versions["no-such-package"]
    assert versions["numpy"][0].isdigit()
