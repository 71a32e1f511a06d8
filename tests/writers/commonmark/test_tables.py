"""Tables in Markdown."""

from __future__ import annotations

from typing import Final

import pytest
from turbohtml import parse_fragment

from tests.helpers.fixture_pages import document_keeping
from thresher.writers.commonmark.renderer import render_table
from thresher.writers.stream.events import Grid
from thresher.writers.stream.reader import read_events


def read_table(markup: str) -> Grid:
    """Read a table that is all there is."""
    (table,) = read_events(markup, None)
    assert isinstance(table, Grid)
    return table


def render(rows: str) -> list[str]:
    """Render a table with these rows, each element closed."""
    parsed = parse_fragment(f"<table>{rows}</table>").inner_html
    return render_table(read_table(parsed).rows) or []


CASES: Final = {
    "columns": (
        "<tr><td colspan=3>a<td>b<tr><td>c<td>d<td>e<td>f",
        [["a", "", "", "b"], ["c", "d", "e", "f"]],
    ),
    "a span wider than the table": ("<tr><td colspan=9>a<tr><td>b<td>c", [["a", ""], ["b", "c"]]),
    "rows": (
        "<tr><td rowspan=3>a<td>b<tr><td>c<tr><td>d<tr><td>e<td>f",
        [["a", "b"], ["", "c"], ["", "d"], ["e", "f"]],
    ),
    "rows and columns": (
        "<tr><td rowspan=2 colspan=2>a<td>b<tr><td>c",
        [["a", "", "b"], ["", "", "c"]],
    ),
    "spans that are no numbers": ("<tr><td colspan=x rowspan=-1>a<td colspan=0>b", [["a", "b"]]),
    "short rows": ("<tr><td>a<tr><td>b<td>c", [["a", ""], ["b", "c"]]),
}


@pytest.mark.parametrize(("rows", "expected"), CASES.values(), ids=list(CASES))
def test_rows_have_equally_many_cells_when_adapted(rows: str, expected: list[list[str]]) -> None:
    """Every row must have a cell for each column, and each text must be in one cell."""
    head, rule, *body = render(rows)
    found = [[cell.strip() for cell in row[1:-1].split("|")] for row in (head, *body)]
    assert expected == found
    assert f"| {' | '.join(['---'] * len(expected[0]))} |" == rule


LINES: Final = {
    "paragraphs": ("<p>a</p><p>b</p>", "a<br>b"),
    "text and paragraph": ("a<p>b</p>c", "a<br>b<br>c"),
    "list": ("<ul><li>a</li><li>b</li></ul>", "- a<br>- b"),
    "list in a list": ("<ul><li>a<ul><li>b</li></ul></li></ul>", "- a<br>- b"),
    "quote": ("<blockquote><p>a</p></blockquote>", "a"),
    "code": ("<pre><code>a</code></pre>", "`a`"),
    "table": ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b<br>c"),
    "breaks": ("a<br><br>b", "a<br><br>b"),
    "inline only": ("a <b>b</b><br>c", "a **b**<br>c"),
}


@pytest.mark.parametrize(("cell", "expected"), LINES.values(), ids=list(LINES))
def test_blocks_become_lines_when_in_a_cell(cell: str, expected: str) -> None:
    """Blocks on lines of their own in a cell must be separated by line breaks."""
    assert f"| {expected} |" == render(f"<tr><td>{cell}</td></tr>")[0]


def test_table_is_dissolved_when_it_is_far_too_ragged() -> None:
    """A table that would be nearly all empty cells must become paragraphs."""
    rows = "<tr>" + "<td>x" * 200 + "<tr><td>y" * 200
    written = document_keeping(f"<table>{rows}</table>").markdown
    assert "|" not in written
    assert 400 == len(written.split("\n\n"))


ALIGNED: Final = {
    "by attribute": ("<tr><th>a<th align=CENTER>b<tr><td>c<td>d", "| --- | :-: |"),
    "by style": (
        "<tr><th style='top:0;text-align:right'>a<th>b<tr><td>c<td>d",
        "| --: | --- |",
    ),
    "of the cells": (
        "<tr><th align=center>a<th>b<tr><td align=right>c<td align=left>d"
        "<tr><td align=right>e<td>f",
        "| --: | :-- |",
    ),
    "of some one way, of some another": (
        "<tr><th>a<th>b<tr><td align=right>c<td>d<tr><td align=left>e<td>f",
        "| --- | --- |",
    ),
    "with a bar in a cell": ("<tr><th align=right>a|b<th>\\c<tr><td>c<td>d", "| --: | --- |"),
    "with a span": ("<tr><th colspan=2>a<tr><td align=right>c<td align=center>d", "| --: | :-: |"),
    "in bold": ("<tr><th align=right><b>a:</b><th>b<tr><td>c<td>d", "| --: | --- |"),
    "in no way known": ("<tr><th align=char>a<th style='text-align:x'>b", "| --- | --- |"),
}


@pytest.mark.parametrize(("rows", "expected"), ALIGNED.values(), ids=list(ALIGNED))
def test_columns_are_aligned_when_their_cells_are(rows: str, expected: str) -> None:
    """The delimiter row must show how each column is aligned."""
    for before, prefix in (("", ""), ("<blockquote>", "> "), ("<ul><li>x", "  ")):
        written = document_keeping(f"{before}<table>{rows}</table>").markdown
        assert prefix + expected in written.splitlines()
        assert not set(written) & set("\U0001fffe\U0001ffff\U0002fffe")


def test_a_cell_of_white_space_alone_is_empty() -> None:
    """It has nothing to be escaped."""
    assert ["| a |  |", "| --- | --- |"] == render("<tr><td>a<td> ")
