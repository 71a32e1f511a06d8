"""Means over pages, tables and the report of them, and the record of a run that reproduces it."""

from __future__ import annotations

import dataclasses
import json

import pytest

from tests.helpers.reports import ReportReader
from thresher.evaluation.evaluate import PageResult
from thresher.evaluation.metrics import Score
from thresher.evaluation.summary import (
    MEAN_OF_CORPORA,
    EvaluatedCorpus,
    EvaluationRun,
    read_versions,
    sort_results,
    summarise,
    write_corpus,
    write_pages,
    write_report,
    write_run,
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


def test_table_of_a_corpus() -> None:
    """Each method has a row: precision, recall, F1, pages empty and failed, and time."""
    assert (
        "news: 2 pages, train\n"
        "                         Words\n"
        "method     P %     R %    F1 %   empty  errors    s/MB\n"
        "all      15.00  100.00   30.00       1       1   1.000\n"
        "best     45.00  100.00   90.00       0       0   2.000\n"
    ) == write_corpus(RUN.corpora[0], summarise(RESULTS[:4]))


def test_tables_of_a_run() -> None:
    """Each metric and the time have a table, with a row per corpus and a column per method."""
    assert (
        "Words, mean F1 of pages in %\n"
        "corpus              all    best\n"
        "news              30.00   90.00\n"
        "blogs             50.00   70.00\n"
        "mean of corpora   40.00   80.00\n"
        "\n"
        "Processor seconds per MB of HTML\n"
        "corpus              all    best\n"
        "news              1.000   2.000\n"
        "blogs             1.000   1.000\n"
        "mean of corpora   1.000   1.500\n"
    ) == write_run(RUN)


def test_tables_of_other_runs() -> None:
    """Scores without titles are labelled; without labelled pages the table only states that."""
    assert "title taken off" in write_run(dataclasses.replace(RUN, without_title=True))
    empty = dataclasses.replace(RUN, corpora=(), results=())
    assert "no page has a text label\n" == write_run(empty)
    assert "news: no page has a text label\n" == write_corpus(RUN.corpora[0], [])


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("worst", ("news", "a", "all")),
        ("best", ("news", "a", "best")),
        ("slowest", ("news", "b", "best")),
    ],
)
def test_results_sorted(order: str, first: tuple[str, str, str]) -> None:
    """Each order puts first the results that its name describes."""
    top = sort_results(RESULTS, "word", order)[0]
    assert first == (top.corpus, top.page, top.method)


def test_table_of_pages() -> None:
    """A page is a line with its scores, time, size and error."""
    lines = write_pages(
        [dataclasses.replace(RESULTS[2], page="b\x1b[1m")], "word", "Title"
    ).splitlines()
    expected = ["all", "news", "b?[1m", "20.00", "100.00", "40.00", "1.0", "1", "bad <page>"]
    assert ["Title", *expected] == [lines[0], *lines[2].split(maxsplit=8)]


class Reader(ReportReader):
    """Collects the rows of tables, too."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


def read(run: EvaluationRun) -> Reader:
    return Reader.read(write_report(run))


def test_report_names_pages_and_means() -> None:
    """Each page has a row, the worst first; means, times and corpora have tables of their own."""
    rows = read(RUN).rows
    start = rows.index(["page", "corpus", "type", "kB", "all", "best"]) + 1
    assert [
        ["a", "blogs", "post", "1.0", "50.0", "70.0"],
        ["b", "news", "", "1.0", "40.0", "80.0"],
        ["a", "news", "", "1.0", "20.0", "100.0"],
    ] == rows[start : start + 3]
    assert ["mean of corpora", "40.0", "80.0"] in rows
    assert ["mean of corpora", "1.000", "1.500"] in rows
    assert ["news", "train", "ab12", "2"] in rows


def test_report_loads_nothing() -> None:
    """All URLs are those of pages, and a policy forbids loading anything."""
    assert ["https://a.example/?x=1&y=2"] == read(RUN).addresses
    assert "default-src 'none'" in write_report(RUN)


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "", None])
def test_report_links_only_to_the_web(url: str | None) -> None:
    """A URL with a scheme other than HTTP is not a link."""
    run = dataclasses.replace(RUN, results=(dataclasses.replace(RESULTS[0], url=url),))
    assert [] == read(run).addresses


def test_report_of_hostile_names() -> None:
    """Names are written as text, whatever they contain."""
    hostile = "</td><script>alert('1')</script>\""
    odd = dataclasses.replace(RESULTS[2], page=hostile, page_type=hostile, error=hostile)
    rows = read(dataclasses.replace(RUN, results=(odd,))).rows
    assert [hostile, "news", hostile] in [row[:3] for row in rows]


def test_report_of_nothing() -> None:
    """A run without results gives a valid document."""
    empty = dataclasses.replace(RUN, corpora=(), results=())
    assert ["page", "corpus", "type", "kB", "all", "best"] in read(empty).rows
