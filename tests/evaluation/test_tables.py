"""Tables show the results in columns."""

from __future__ import annotations

import dataclasses

import pytest

from tests.evaluation.test_summary import RESULTS, RUN
from thresher.evaluation.summary import (
    sort_results,
    summarise,
    write_corpus,
    write_pages,
    write_run,
)


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


def test_tables_state_the_policy_of_titles() -> None:
    """Scores without titles are labelled, as they cannot be compared with others."""
    assert "title taken off" in write_run(dataclasses.replace(RUN, without_title=True))


def test_tables_without_labels() -> None:
    """Without labelled pages, the table only states that."""
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
    assert [
        "Title",
        "all",
        "news",
        "b?[1m",
        "20.00",
        "100.00",
        "40.00",
        "1.0",
        "1",
        "bad <page>",
    ] == [
        lines[0],
        *lines[2].split(maxsplit=8),
    ]
