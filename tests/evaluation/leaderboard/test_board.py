"""Means with their errors, differences of pairs, and every table of the leaderboard."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest

from tests.evaluation.test_summary import RUN, result
from thresher.evaluation.leaderboard.board import (
    Board,
    Entry,
    Mean,
    Speed,
    mean_of,
    mean_of_means,
    write_board,
)

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


def test_means_have_their_errors() -> None:
    """A mean has its standard error; in a mean of means errors are added in squares."""
    mean = mean_of([1.0, 2.0, 3.0])
    assert pytest.approx((2.0, 1 / 3**0.5)) == (mean.value, mean.error)
    assert Mean(2.0, 0.0) == mean_of([2.0])
    assert Mean(0.5, 2.5) == mean_of_means([Mean(0.0, 3.0), Mean(1.0, 4.0)])


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


def table_after(text: str, heading: str) -> list[list[str]]:
    """Return the rows of the first table below a heading, without the rule."""
    below = text.split(f"## {heading}\n", 1)[1]
    lines = re.search(r"(?m)^\|.*(?:\n\|.*)*", below)
    assert lines is not None
    rows = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in lines[0].splitlines()
    ]
    return [rows[0], *rows[2:]]


def test_scores_by_corpus() -> None:
    """The best mean comes first, beside the name; ours are in italics, the best in bold."""
    assert [
        ["", "mean", "news", "blogs"],
        ["best", "**80.0** ± 5.0", "**90.0** ± 10.0", "**70.0** ± 0.0"],
        ["*all*", "40.0 ± 5.0", "30.0 ± 10.0", "50.0 ± 0.0"],
    ] == table_after(write_board(BOARD), "Words by corpus")
    run = dataclasses.replace(RUN, corpora=(), results=())
    assert "by corpus" not in write_board(dataclasses.replace(BOARD, run=run))


def test_scores_by_page_type() -> None:
    """A corpus with several page types has a table of them, the most frequent first."""
    types = {"a": "post", "b": "shop", "c": "shop"}
    results = tuple(
        result("news", page, method, f1, page_type=kind)
        for page, kind in types.items()
        for method, f1 in (("all", 0.2), ("best", 0.6))
    )
    run = dataclasses.replace(RUN, corpora=RUN.corpora[:1], results=results)
    text = write_board(dataclasses.replace(BOARD, run=run))
    assert [
        ["", "shop", "post"],
        ["best", "**60.0** ± 0.0", "**60.0** ± 0.0"],
        ["*all*", "20.0 ± 0.0", "20.0 ± 0.0"],
    ] == table_after(text, "Words by page type: news")
    assert "Pages: shop 2, post 1." in text
    assert "page type" not in write_board(BOARD)


def test_differences_to_the_default() -> None:
    """A difference is bold if it is more than two of its errors from zero."""
    assert [
        ["", "mean", "news", "blogs"],
        ["best", "**+40.0** ± 10.0", "**+60.0** ± 20.0", "**+20.0** ± 0.0"],
    ] == table_after(write_board(BOARD), "Words: difference to all")
    assert "difference to" not in write_board(dataclasses.replace(BOARD, default=None))


def test_speeds() -> None:
    """The fastest comes first, and the text explains the comparison."""
    text = write_board(BOARD)
    assert [["", "median", "mean"], ["best", "1.00", "1.00"], ["*all*", "2.50", "3.00"]] == (
        table_after(text, "Speed")
    )
    assert "relative to best on the same page, for 4 pages" in " ".join(text.split())
    assert "## Speed" not in write_board(dataclasses.replace(BOARD, speeds=()))


def test_every_contender_is_named() -> None:
    """Contenders that failed on pages, or did not take part at all, are listed."""
    assert [
        ["", "version", "called as", "pages failed"],
        ["*all*", "0.1", "`extract(html)`", "1"],
        ["best", "2.0", "`reap(html)`", "0"],
        ["late", "", "`sow(html)`", r"no rye \| this year"],
    ] == table_after(write_board(BOARD), "Who took part")


def test_everything_needed_to_reproduce() -> None:
    """The page has date, command, versions, corpora with digests, notes, and title policy."""
    text = write_board(BOARD)
    assert "    thresher eval corpora\n\n2024-05-03, python 3." in text
    assert [
        ["corpus", "role", "SHA-256 begins", "pages"],
        ["news", "train", "`ab12`", "2"],
        ["blogs", "", "", "1"],
    ] == table_after(text, "Corpora")
    assert text.endswith("## Notes\n\n- A note.\n")
    assert "Texts are compared unchanged" in text
    without = dataclasses.replace(BOARD, run=dataclasses.replace(RUN, without_title=True))
    assert "title is removed from the extracted text" in write_board(without)


def test_prose_is_wrapped() -> None:
    """Paragraphs and notes are wrapped; tables have one line per row."""
    board = dataclasses.replace(BOARD, notes=("rye and oats " * 20, "barley"))
    lines = write_board(board).splitlines()
    assert 100 >= max(len(line) for line in lines if not line.startswith("|"))
    assert "- barley" == lines[-1]
    assert lines[-2].startswith("  ")
