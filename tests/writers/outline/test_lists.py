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
