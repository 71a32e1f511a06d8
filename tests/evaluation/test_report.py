"""The report is a single well-formed file that lists every page."""

from __future__ import annotations

import dataclasses
from html.parser import HTMLParser

import pytest

from tests.evaluation.test_summary import RESULTS, RUN
from thresher.evaluation.report import write_report
from thresher.evaluation.summary import EvaluationRun

VOID = {"meta", "rect", "line"}
"""Elements without an end tag; those of SVG close themselves."""


class Reader(HTMLParser):
    """Checks that elements are closed in order, and collects rows and URLs."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


def read(run: EvaluationRun) -> Reader:
    reader = Reader()
    reader.feed(write_report(run))
    reader.close()
    assert [] == reader.open
    return reader


def test_report_names_every_page() -> None:
    """Each page has a row with its corpus and each method's F1, the worst page first."""
    rows = read(RUN).rows
    start = rows.index(["page", "corpus", "type", "kB", "all", "best"]) + 1
    assert [
        ["a", "blogs", "post", "1.0", "50.0", "70.0"],
        ["b", "news", "", "1.0", "40.0", "80.0"],
        ["a", "news", "", "1.0", "20.0", "100.0"],
    ] == rows[start : start + 3]


def test_report_has_the_means() -> None:
    """Means, times and corpora have separate tables."""
    rows = read(RUN).rows
    for row in (
        ["mean of corpora", "40.0", "80.0"],
        ["mean of corpora", "1.000", "1.500"],
        ["news", "train", "ab12", "2"],
    ):
        assert row in rows


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
