"""Lists in Markdown."""

from __future__ import annotations

from typing import Final

import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher.writers.stream.arranging import arrange_lists
from thresher.writers.stream.events import Close, Event, Open, Run

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
    "a heading among the items": (
        "<ul><li>a</li><h3>b</h3><li>c</ul>",
        "- a\n  ### b\n\n- c",
    ),
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
