"""Definitions and lists in a shape that Markdown supports."""

from __future__ import annotations

from typing import Final

import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher.evaluation.fidelity.cases import render_markdown
from thresher.writers.stream.arranging import arrange_lists
from thresher.writers.stream.events import Close, Event, Open, Run

SIMPLE = "<dl><dt>a<dd>b<dt>c<dd><p>d</p><dd>e</dl>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (SIMPLE, "a\n: b\n\nc\n: d\n: e"),
        ("<dl><dt><b>a</b><dd><code>b</code> <a href=/c>c</a></dl>", "**a**\n: `b` [c](/c)"),
        (f"<blockquote>{SIMPLE}</blockquote>", "> a\n> : b\n>\n> c\n> : d\n> : e"),
        ("<ol><li>x<dl><dt>a<dd>b</dl></ol>", "1. x\n\n   a\n   : b"),
        ("<dl><dt>a<dd>1. b</dl>", "a\n: 1\\. b"),
        ("<dl><dt>a<dd># b</dl>", "a\n: \\# b"),
        ("<dl><dt>a<dd>- b</dl>", "a\n: \\- b"),
    ],
)
def test_list_is_written_with_colons_when_definitions_are_one_line(
    html: str, expected: str
) -> None:
    """Terms, definitions and their surroundings must be written as Pandoc and others read them."""
    base = "https://site.example"
    assert expected == document_keeping(html).markdown.replace(base, "")


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<p>b<p>c", "a\n: b\n\n  c"),
        ("b<ul><li>c</ul>", "a\n: b\n\n  - c"),
        ("b<pre>c\n  d</pre>", "a\n: b\n\n  ```\n  c\n    d\n  ```"),
        ("b<br>c", "a\n: b  \n  c"),
        ("b<dl><dt>c<dd>d</dl>", "a\n: b\n\n  c\n  : d"),
        ("b<dl><dt>c<dd><p>d<p>e</dl>", "a\n: b\n\n  **c**\n\n  d\n\n  e"),
    ],
)
def test_definition_is_indented_when_it_is_longer(inside: str, expected: str) -> None:
    """The blocks of a definition after its first must be indented, as of an item."""
    html = f"<dl><dt>a<dd>{inside}<dt>z<dd>y</dl><p>x"
    assert f"{expected}\n\nz\n: y\n\nx" == document_keeping(html).markdown


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<dt>a<dt>b<dd>c", "**a**\n\nb\n: c"),
        ("<dt>a<dt>b<dd>c<p>d", "**a**\n\nb\n: c\n\n  d"),
        ("<dt>a<dd><ul><li>b</ul>", "**a**\n\n- b"),
        ("<dt>a<dd><pre>b</pre>", "**a**\n\n```\nb\n```"),
        ("<dt><b>a</b> c<dd><pre>b</pre>", "**a** c\n\n```\nb\n```"),
        ("<dt>a<br>c<dd>d", "**a  \nc**\n\nd"),
    ],
)
def test_term_is_bold_when_colons_cannot_be_written(inside: str, expected: str) -> None:
    """A term must be told from its definition in every list."""
    assert expected == document_keeping(f"<dl>{inside}</dl>").markdown


def test_list_is_plain_when_it_is_in_a_cell() -> None:
    """A cell must be one line."""
    table = f"<table><tr><th>x<th>y<tr><td>{SIMPLE}<td>z</table>"
    assert "\n: " not in document_keeping(table).markdown


def test_list_comes_back_when_markdown_is_read() -> None:
    """A reader that supports description lists must get the list back."""
    read = render_markdown(document_keeping(SIMPLE).markdown)
    assert ["a", "c"] == [part.split("<")[0] for part in read.split("<dt>")[1:]]
    assert 3 == read.count("<dd>")


def test_blocks_of_a_definition_come_back_when_markdown_is_read() -> None:
    """A reader that supports description lists must get the blocks of a definition back."""
    html = "<dl><dt>a<dd>b<dt>c<dd><p>d<p>e<pre>f</pre></dl><p>g"
    read = render_markdown(document_keeping(html).markdown)
    inside = read[read.index("<dl>") : read.index("</dl>")]
    assert "<p>d</p>\n<p>e</p>\n<pre><code>f" in inside
    assert read.endswith("</dl>\n<p>g</p>\n")


CASES: Final = {
    "numbers": ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
    "numbers from a start": ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b"),
    "numbers of a kind": ("<ol type=i><li>a<li>b</ol>", "1. a\n2. b"),
    "in reverse": ("<ol reversed><li>a<li><p>b</p></ol>", "2. a\n1) b"),
    "in reverse from a start": ("<ol reversed start=9><li>a<li>b</ol>", "9. a\n\n8) b"),
    "values that count up": ("<ol><li value=4>a<li value=5>b<li>c</ol>", "4. a\n5. b\n6. c"),
    "values that jump": ("<ol><li>a<li value=7>b<li>c</ol>", "1. a\n\n7) b\n8) c"),
    "values that are none": ("<ol><li value=x>a<li value>b</ol>", "1. a\n2. b"),
    "values below zero": ("<ol><li value=-1>a<li>b</ol>", "-1. a\n\n0\\. b"),
    "numbers from below zero": (
        "<ol start=-2><li>a<ul><li>b</ul></ol><p>c</p>",
        "-2. a\n\n- b\n\nc",
    ),
    "numbers below zero of items without a text": (
        "<ol start=-2><li><ul><li>b</ul></ol>",
        "-2.\n\n- b",
    ),
    "lists right in lists": ("<ul><ul><ul><ul><li>a</ul></ul></ul></ul>", "- a"),
    "lists right in lists, then an item": ("<ul><ol><li>a</ol><li>b</ul>", "- a\n- b"),
    "lists behind an item": (
        "<ul><li>a<ul><li>b<li>c</ul><ul><li>d</ul></ul>",
        "- a\n  - b\n  - c\n  * d",
    ),
    "a list first in an item": (
        "<ul><li><ul><li>a</ul><li>b<ul><li>c</ul></ul>",
        "- \n  - a\n- b\n  - c",
    ),
    "a heading among the items": ("<ul><li>a</li><h3>b</h3><li>c</ul>", "- a\n  ### b\n\n- c"),
    "a box alone": ("<ul><li><input type=checkbox disabled><ul><li>a</ul></ul>", "- [ ]\n  - a"),
    "a box before a paragraph": ("<ul><li><input type=checkbox disabled><p>a</ul>", "- [ ] a"),
    "tasks": (
        "<ul><li><input type=checkbox checked> a<li><label><input type=checkbox>b</label></ul>",
        "- [x] a\n- [ ] b",
    ),
    "a box inside a text": ("<ul><li>a <input type=checkbox> b</ul>", "- a b"),
    "a box in no list": ("<p><input type=checkbox> b</p>", "b"),
    "a field in a list": ("<ul><li><input> b</ul>", "- b"),
    "numbers in a cell": (
        "<table><tr><th>x<th>y<tr><td>1<td><ol start=3><li>a<ul><li>b</ul><li>c</ol></table>",
        "| x | y |\n| --- | --- |\n| 1 | 3. a<br>- b<br>4. c |",
    ),
    "a table in an item": (
        "<ul><li>a<table><tr><th>x<th>y<tr><td>1<td>2</table></ul>",
        "- a\n  | x | y |\n  | --- | --- |\n  | 1 | 2 |",
    ),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_list_is_as_expected_when_written(html: str, expected: str) -> None:
    """A list must become Markdown that shows the same numbers."""
    assert expected == document_keeping(html).markdown


def test_boxes_stay_when_html_is_written() -> None:
    """HTML must show which tasks are done, too, in disabled checkboxes."""
    written = document_keeping("<ul><li><input type=checkbox checked name=x> a</ul>").html
    assert '<li><input type="checkbox" disabled="" checked="">' in written


def test_nothing_is_changed_when_numbers_count_up() -> None:
    """A list that Markdown supports must stay unchanged."""
    events: list[Event] = [Open("ol", {"start": "2"}), Open("li", {}), Run(["a"]), Close("li")]
    events.append(Close("ol"))
    assert events == arrange_lists(events)
