"""Blocks of Markdown: headings, lists, code, tables, notes."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from turbohtml import parse_fragment

from tests.helpers.data import cases
from tests.helpers.fixture_pages import document_keeping
from tests.helpers.trees import soups
from thresher.writers.commonmark.renderer import (
    format_code,
    render_by_events,
    render_events,
    render_table,
)
from thresher.writers.shared.note_marks import note_id
from thresher.writers.stream.events import Grid, Preformatted
from thresher.writers.stream.markup import ANY_MARK
from thresher.writers.stream.reader import read_events


@cases(__file__, "blocks")
def test_blocks_are_separated_as_markdown_needs(markup: str, expected: str) -> None:
    """Blocks must be separated where they would merge, and lists must stay as tight as they are."""
    assert expected == render_events(read_events(markup, None))


def test_depth_is_no_limit() -> None:
    """A page of any depth must be written."""
    markup = "<ul><li>" * 3000 + "a" + "</li></ul>" * 3000
    written = render_events(read_events(markup, None))
    assert written.endswith("- a")
    # Readers stop at some depth of one line.
    assert max(map(len, written.splitlines())) < 140


@given(soups())
def test_any_stream_is_rendered(markup: str) -> None:
    """Any markup must be written, without a mark of the stream left in it."""
    written = render_events(read_events(markup, None))
    assert not set(written) & set(ANY_MARK) - set(markup)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n", ["```c", "a", "b", "```"]),
        ("a\n\n", ["```c", "a", "", "```"]),
        ("", ["```c", "```"]),
        ("```", ["````c", "```", "````"]),
    ],
)
def test_a_fence_is_longer_than_those_in_the_code(text: str, expected: list[str]) -> None:
    """Lines stay what they are, without the last break."""
    assert expected == format_code(Preformatted("c", text, 0))


def read_table(markup: str) -> Grid:
    """Read a table that is all there is."""
    (table,) = read_events(markup, None)
    assert isinstance(table, Grid)
    return table


def render(rows: str) -> list[str]:
    """Render a table with these rows, each element closed."""
    parsed = parse_fragment(f"<table>{rows}</table>").inner_html
    return render_table(read_table(parsed).rows) or []


@cases(__file__, "tables")
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


@cases(__file__, "aligned")
def test_columns_are_aligned_when_their_cells_are(rows: str, expected: str) -> None:
    """The delimiter row must show how each column is aligned."""
    for before, prefix in (("", ""), ("<blockquote>", "> "), ("<ul><li>x", "  ")):
        written = document_keeping(f"{before}<table>{rows}</table>").markdown
        assert prefix + expected in written.splitlines()
        assert not set(written) & set("\U0001fffe\U0001ffff\U0002fffe")


def test_a_cell_of_white_space_alone_is_empty() -> None:
    """It has nothing to be escaped."""
    assert ["| a |  |", "| --- | --- |"] == render("<tr><td>a<td> ")


@pytest.mark.parametrize(
    ("markup", "mark", "expected"),
    [
        (
            '<h2>Rye</h2><p>It <em>is</em> <a href="/in">in</a>.</p>',
            "",
            "## Rye\n\nIt *is* [in](https://field.example/in).",
        ),
        # Marks in the markup stay where they are, so that positions can be found.
        ("<p>\ue000Rye</p>", "\ue000", "\ue000Rye"),
        # Readers without notes take a note for the definition of a link, which must do no harm.
        (
            f'<p>Rye.</p><div id="{note_id("1", "1")}"><p>javascript:boom()</p></div>',
            "",
            "Rye.\n\n[^1]: &#8288;javascript:boom()",
        ),
    ],
)
def test_markup_is_rendered_as_a_whole(markup: str, mark: str, expected: str) -> None:
    """Blocks are parted by empty lines, links resolved, marks kept, and notes harmless."""
    base = "https://field.example/"
    assert expected == render_by_events(markup, base, tracking=False, mark=mark)
