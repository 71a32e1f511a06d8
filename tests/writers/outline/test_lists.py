"""Lists: those that are none, those in pieces, marks, numbers and tasks."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from tests.helpers.cases import cases
from tests.helpers.fixture_pages import document_keeping
from thresher.page.parse import parse
from thresher.writers.outline.items import find_checkboxes, format_number
from thresher.writers.outline.lists import drop_layout_lists, find_item_marks
from thresher.writers.outline.outline import outline_page

TEXT = "<p>" + "The mill grinds rye. " * 12 + "</p>"
SECTION = "<section><h3>Rye</h3><p>A grain.</p></section>"


@pytest.mark.parametrize(
    ("html", "is_layout"),
    [
        ("<ul><li><h2>Rye</h2><p>A grain.</p></li></ul>", True),
        (f"<ul><li>{SECTION}</li><li>{SECTION}</li></ul>", True),
        (
            f"<ol><li><h2>Rye</h2>{TEXT}</li><li><time>9:15</time><h2>Oats</h2>{TEXT}</li></ol>",
            True,
        ),
        ("<ul><li><h2>Rye</h2><p>A grain.</p></li><li><h2>Oats</h2></li></ul>", False),
        (f"<ul><li><h2>Rye</h2>{TEXT}</li><li>{TEXT}</li></ul>", False),
        (f"<ul><li>{SECTION}</li><li>{SECTION}<p>Oats</p></li></ul>", False),
        ("<h2>Rye</h2><ul><li>A grain</li></ul>", False),
    ],
)
def test_list_is_dropped_when_its_items_are_sections(html: str, is_layout: bool) -> None:
    """One item with a heading, items of a section each, or long ones with headings are no list."""
    page = parse(f"<body>{html}")
    tag = drop_layout_lists(page, page.tag, np.ones(len(page), np.bool_))
    changed = tag != page.tag
    assert is_layout == bool(changed.any())
    assert {"li", "ol", "ul"} >= {page.name(row) for row in np.flatnonzero(changed).tolist()}


ONE: Final = "<ol start=1><li>a</ol>"


@cases(__file__, "continued")
def test_lists_are_one_when_they_continue(html: str, expected: str) -> None:
    """Each case must be written as its table says."""
    assert expected == document_keeping(html).markdown


def test_continued_list_is_one_in_all_formats() -> None:
    """HTML must have one list, and no language between its items; plain text one paragraph."""
    second = "<div dir=rtl><ol start=2><li><div lang=fr>b</div></ol></div>"
    document = document_keeping(f"<div dir=rtl>{ONE}</div>{second}<div dir=rtl><p>c</div>")
    items = '<li>a</li>\n<li>\n<div lang="fr">b</div>\n</li>'
    assert f'<ol start="1">\n{items}\n</ol>\n<div dir="rtl">\n<p>c</p>\n</div>' == document.html
    assert "1. a\n2. b\n\nc" == document.text


def _item(level: int, marker: str, text: str) -> str:
    style = f"mso-list:l0 level{level} lfo1"
    return f"<p style='{style}'><span style='mso-list:Ignore'>{marker}</span>{text}</p>"


PARAGRAPHS: Final = {
    "bullets": (_item(1, "·", "a") + _item(1, "·", "b"), "- a\n- b"),
    "levels": (
        _item(1, "1.", "a") + _item(2, "a)", "b") + _item(2, "b)", "c") + _item(1, "2.", "d"),
        "1. a\n   1. b\n   2. c\n2. d",
    ),
    "levels that fall": (_item(3, "o", "a") + _item(2, "1.", "b"), "- a\n1. b"),
    "a start": (_item(1, "3.", "a") + _item(1, "4.", "b"), "3. a\n4. b"),
    "a jump": (_item(1, "1.", "a") + _item(1, "7.", "b"), "1. a\n\n7) b"),
    "sections": (_item(1, "2.1.", "a") + _item(1, "2.2.", "b"), "1. a\n2. b"),
    "two kinds": (_item(1, "·", "a") + _item(1, "1.", "b"), "- a\n1. b"),
    "a text between": (_item(1, "1.", "a") + "<p>b" + _item(1, "2.", "c"), "1. a\n\nb\n\n2. c"),
    "in cells": (
        f"<table><tr><th>x<th>y<tr><td>{_item(1, '·', 'a')}<td>{_item(1, '·', 'b')}</table>",
        "| x | y |\n| --- | --- |\n| - a | - b |",
    ),
    "a caption": (
        f"<table><caption>{_item(1, '·', 'a')}</caption><tr><th>x<th>y</table>",
        "a\n\n| x | y |\n| --- | --- |",
    ),
}


@pytest.mark.parametrize(("html", "expected"), PARAGRAPHS.values(), ids=list(PARAGRAPHS))
def test_paragraphs_are_items_when_word_says_so(html: str, expected: str) -> None:
    """Each case must be written as its table says."""
    assert expected == document_keeping(html).markdown


def test_paragraphs_are_items_in_all_formats() -> None:
    """HTML must have nested lists, and plain text the numbers of the page."""
    html = _item(1, "1.", "a") + _item(2, "b)", "b") + _item(1, "2.", "c")
    document = document_keeping(f"<p>x</p>{html}")
    inner = "<ol>\n<li>\na\n<ol>\n<li>b</li>\n</ol>\n</li>\n<li>c</li>\n</ol>"
    assert f"<p>x</p>\n{inner}" == document.html
    assert "x\n\n1. a\n  b. b\n2. c" == document.text


def test_comments_are_not_written_when_word_wrote_them() -> None:
    """Neither the link of a comment nor its text may be written, and no space in its place."""
    html = (
        "<p>a<span><a href='#_msocom_1'>[A1]</a></span><b>b</b> c</p>"
        "<div style='mso-element:comment-list'><p><a name='_msocom_1'>[A1]</a>d</p></div>"
    )
    document = document_keeping(html)
    assert ("a**b** c", "ab c") == (document.markdown, document.text)


MARKS: Final[dict[str, list[str]]] = {
    "<ul><li><span>•</span><div>a</div></ul>": ["•"],
    "<ol><li><b>1.</b> a<ul><li>x</ul><li><b>(2)</b> b</ol>": ["1.", "(2)"],
    "<ol start=4><li><b>4</b> a</ol>": ["4"],
    "<ol><li><b>2016</b> a<li><b>7.</b> b</ol>": [],
    "<ul><li><b>1.</b> a</ul>": [],
    "<ul><li>• a<li>•</ul>": [],
    "<ul><li><b>• a</b> b</ul>": [],
    "<ul><li><sup>*</sup> With tax.</ul>": [],
    "<p><span>•</span> a": [],
    "<table><td><span class='ltx_tag ltx_tag_equation'>(1)</span></table>": ["(1)"],
}


@pytest.mark.parametrize(("html", "expected"), MARKS.items())
def test_marks_are_found_when_they_repeat_those_of_the_list(html: str, expected: list[str]) -> None:
    """A bullet or the number of an item alone in an element must be found, and nothing else."""
    page = parse(f"<body>{html}")
    found = find_item_marks(page, np.ones(page.leaves.size, np.bool_))
    assert expected == [page.leaf_text(leaf) for leaf in found]


def test_items_have_one_mark_when_their_text_has_it_too() -> None:
    """An item must not begin with a bullet of the page, nor have a paragraph for it."""
    html = "<ul><li><span>•</span><div><p>The north.</p></div></li><li>b</li></ul>"
    assert "- The north.\n- b" == document_keeping(html).markdown


@pytest.mark.parametrize(
    ("number", "kind", "expected"),
    [
        (7, "1", "7"),
        (1, "a", "a"),
        (27, "A", "AA"),
        (1994, "i", "mcmxciv"),
        (4, "I", "IV"),
        (0, "a", "0"),
        (-3, "i", "-3"),
        (4000, "I", "4000"),
    ],
)
def test_number_is_formatted_when_a_list_has_a_kind(number: int, kind: str, expected: str) -> None:
    """Numbers must look as a browser shows them; those without such a form must be digits."""
    assert expected == format_number(number, kind)


@cases(__file__, "tasks")
def test_boxes_are_found_when_items_begin_with_them(html: str, expected: list[bool]) -> None:
    """Each item that begins with a checkbox must have one, ticked as on the page."""
    page = parse(f"<body>{html}")
    boxes = find_checkboxes(outline_page(page, np.ones(page.leaves.size, np.bool_)))
    assert expected == [" checked" in box for box in boxes.values()]
    assert all("li" == page.name(row) for row in boxes)
