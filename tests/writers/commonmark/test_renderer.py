"""Blocks of Markdown: headings, lists, code, tables, notes."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from turbohtml import parse_fragment

from tests.helpers.cases import cases
from tests.helpers.fixture_pages import document_keeping
from tests.helpers.trees import soups
from thresher.writers.commonmark.rare_parts import render_parts
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
    assert render_events(read_events(markup, None)).endswith("- a")


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


def test_blocks_are_written_in_order() -> None:
    """Blocks are parted by empty lines, and links are resolved."""
    markup = '<h2>Rye</h2><p>It <em>is</em> <a href="/in">in</a>.</p>'
    found = render_by_events(markup, "https://field.example/", tracking=False, mark="")
    assert found == "## Rye\n\nIt *is* [in](https://field.example/in)."


def test_a_mark_is_put_where_a_run_starts() -> None:
    """Marks in the markup stay where they are, so that positions can be found."""
    found = render_by_events("<p>\ue000Rye</p>", None, tracking=False, mark="\ue000")
    assert "\ue000Rye" in found


def test_a_note_is_not_the_address_of_a_script() -> None:
    """Readers without notes take a note for the definition of a link, which must do no harm."""
    markup = f'<p>Rye.</p><div id="{note_id("1", "1")}"><p>javascript:boom()</p></div>'
    found = render_by_events(markup, None, tracking=False, mark="")
    assert found == "Rye.\n\n[^1]: &#8288;javascript:boom()"


RUN, HEADING, TABLE, CODE, DEFINITIONS, SUMMARY, CALLOUT = range(3, 10)
GIVEN_RUN, GIVEN_HEADING, GIVEN_BLOCK, GIVEN_NOTHING, GIVEN_CALLOUT = range(5)


def render_both(markup: str, kind: int) -> list[tuple[list[int], str]] | None:
    """Return the places and the texts of one part, which is all of the markup."""
    utf8 = markup.encode()
    given = render_parts(utf8, [(0, len(utf8), kind)], None, tracking=False)
    return given and list(zip(given.places.T.tolist(), map(bytes.decode, given.texts), strict=True))


def test_a_run_is_one_block() -> None:
    """Also in a heading, where lines are joined."""
    assert [([0, 17, GIVEN_RUN], "`a`  \nb")] == render_both("<kbd>a</kbd><br>b", RUN)
    assert [([0, 17, GIVEN_HEADING], "`a` b")] == render_both("<kbd>a</kbd><br>b", HEADING)


def test_an_empty_run_is_nothing() -> None:
    """Its markup is passed over all the same."""
    assert [([0, 13, GIVEN_NOTHING], "")] == render_both("<code></code>", RUN)


def test_a_caption_is_a_block_before_its_table() -> None:
    """All but the last block of a part end where it starts."""
    markup = "<table><caption>a</caption><tr><td>1</td></tr></table>"
    expected = [([0, 0, GIVEN_RUN], "a"), ([0, len(markup), GIVEN_BLOCK], "| 1 |\n| --- |")]
    assert expected == render_both(markup, TABLE)


def test_code_is_a_block() -> None:
    """With its fences."""
    markup = "<pre><code>a\nb</code></pre>"
    assert [([0, len(markup), GIVEN_BLOCK], "```\na\nb\n```")] == render_both(markup, CODE)


def test_each_short_definition_is_a_run() -> None:
    """Below its term."""
    markup = "<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl>"
    expected = [([0, 0, GIVEN_RUN], "a\n: b"), ([0, len(markup), GIVEN_RUN], "c\n: d")]
    assert expected == render_both(markup, DEFINITIONS)


def test_what_depends_on_its_surroundings_cannot_stand_alone() -> None:
    """Long definitions are indented."""
    assert render_both("<dl><dt>a</dt><dd><p>b</p><p>c</p></dd></dl>", DEFINITIONS) is None


def test_runs_in_a_summary_are_bold() -> None:
    """Unless something in them is bold."""
    assert [([0, 1, GIVEN_RUN], "**a**")] == render_both("a", SUMMARY)
    assert [([0, 10, GIVEN_RUN], "**a** b")] == render_both("<b>a</b> b", SUMMARY)


def test_a_callout_is_a_quote_of_its_kind() -> None:
    """One that shows only its kind would matter to what follows."""
    markup = '<blockquote data-callout="tip"><p>a</p><p>b</p></blockquote>'
    expected = "> [!TIP]\n> a\n>\n> b"
    assert [([0, len(markup), GIVEN_CALLOUT], expected)] == render_both(markup, CALLOUT)
    assert render_both(markup.replace("<p>a</p><p>b</p>", ""), CALLOUT) is None


def test_boxes_stay_with_their_text() -> None:
    """A box without text waits for that of the next run, which is in another part."""
    assert [([0, 16, GIVEN_RUN], "[x] a")] == render_both("<input checked>a", RUN)
    assert render_both("<input checked>", RUN) is None
    assert render_both("<table><tr><td><input>a</td></tr></table>", TABLE) is None
