"""Lists, tables, headings and runs are outlined as what they are."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import thresher
from tests.helpers.data import cases
from tests.helpers.fixture_pages import document_keeping
from thresher.analysis.links import find_inner_links
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF, HEADINGS, NAMES
from thresher.writers.formats import FormatName
from thresher.writers.outline.headings import find_permalinks, read_headings
from thresher.writers.outline.items import find_checkboxes, format_number
from thresher.writers.outline.lists import drop_layout_lists, find_item_marks
from thresher.writers.outline.outline import outline_page
from thresher.writers.outline.tables import find_data_tables

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


def test_a_box_goes_with_its_text() -> None:
    """A box whose text is dropped has nothing to be done."""
    page = parse("<ul><li><input type=checkbox checked>a<ul><li><input type=checkbox>b</ul></ul>")
    keep = np.array([text != "a" for text in page.leaf_texts(np.arange(page.leaves.size))])
    (row,) = find_checkboxes(outline_page(page, keep))
    assert "b" == page.text_of(row)


@cases(__file__, "tables")
def test_table_is_classified_when_it_holds_data(html: str, expected: list[bool]) -> None:
    """Each case must be classified as its table says."""
    page = parse(f"<body>{html}")
    holds = np.diff(page.leaf_offset[np.stack((np.arange(len(page)), page.end))], axis=0)[0] > 0
    runs = page.leaves[page.blocks.start[:-1]]
    found = find_data_tables(page, page.tag, holds, runs)
    assert expected == found[page.tag == CODE_OF["table"]].tolist()


ROLES: Final = (
    "<div role=table><div role=rowgroup><div role=row><p role=columnheader>a</p>"
    "<p role=columnheader>b</p></div></div><div role=row><p role=cell>1</p>"
    "<p role=cell>2</p></div></div>"
)


def test_declared_table_is_a_table_in_all_formats() -> None:
    """HTML must have its elements, plain text its tabs."""
    document = document_keeping(ROLES)
    assert "<th>a</th>\n<th>b</th>" in document.html
    assert "a\tb\n1\t2" == document.text


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>a</h1><h4>b</h4><h6>c</h6>", ["h1", "h4", "h6"]),
        ("<h3>a</h3><h2>b</h2>", ["h3", "h2"]),
        ("<div role=heading aria-level=9>a</div>", ["h6"]),
        ("<div role=heading>a</div>", ["h2"]),
        ("<div role=heading><h3>a</h3></div>", ["h3"]),
        ("<li role=heading>a</li>", []),
        ("<p class=MsoTitle>a</p><h1>b</h1><h6>c</h6>", ["h1", "h2", "h6"]),
        ("<p class=MsoTitle>a</p><h2>b</h2>", ["h1", "h2"]),
        ("<p class=MsoTitle></p><h1>b</h1>", ["h1"]),
        ("<p class=MsoTitle>a</p><div role=heading>b</div>", ["h1", "h2"]),
    ],
)
def test_levels_are_those_of_the_page(html: str, expected: list[str]) -> None:
    """The tag says the level of a heading, and the role that of other elements."""
    page = parse(f"<body>{html}")
    tag = read_headings(page, np.ones(len(page), np.bool_))
    assert expected == [NAMES[code] for code in tag[HEADINGS[tag]].tolist()]


URL = "https://site.example/a?b"


@pytest.mark.parametrize(
    ("html", "n_leaf", "n_row"),
    [
        ("<h2>a<a href=#a>¶</a></h2>", 1, 0),
        ("<h2>a <a href=/p>🔗</a></h2>", 1, 0),
        ("<h2>a<a href=/p>&amp;</a></h2>", 0, 0),
        ("<h2>a<a href='javascript:x()'>↑</a></h2>", 1, 0),
        ("<h2>a<a class=anchor href=/p>∷</a></h2>", 1, 0),
        ("<h2>a <a class=headerlink href=#a>link</a></h2>", 1, 0),
        ("<h2><a href=#a>a</a></h2>", 0, 1),
        ("<h2><a href=/a>a</a></h2>", 0, 0),
        ("<p>a<a href=#a>¶</a></p>", 0, 0),
        ("<p id=a>a<a href=#a>¶</a></p>", 1, 0),
        ("<p><a id=a></a>a<a href=#a>#</a></p>", 1, 0),
        ("<p id=a>a</p><p><a href=#a>#</a></p>", 0, 0),
        ("<dl><dt id=a><a class=permalink href=#a>a</a><dd>b</dl>", 0, 1),
        ("<dl><dt><a class=permalink href=#b>a</a><dd id=b>b</dl>", 0, 0),
        ("<h2><a href='/a?b'>a</a></h2>", 0, 1),
        ("<h2>a <button>Copy</button></h2>", 1, 0),
        ("<h2><button>a</button></h2>", 0, 0),
        ("<h2>a <a href=#top>Up</a></h2>", 1, 0),
        ("<h2><a href=#top>Up</a></h2>", 0, 1),
    ],
)
def test_permalink_is_found_when_it_is_in_a_heading(html: str, n_leaf: int, n_row: int) -> None:
    """Signs must go, words must lose their link, and links elsewhere must stay."""
    page = parse(f"<body>{html}", url=URL)
    keep = np.ones(page.leaves.size, np.bool_)
    found = find_permalinks(page, keep, find_inner_links(page, keep))
    assert (n_leaf, n_row) == (len(found.leaves), len(found.rows))


def test_each_slide_of_a_carousel_is_a_paragraph() -> None:
    """AMP shows the pictures of a carousel one after the other, not in a line."""
    html = (
        "<script src=https://cdn.ampproject.org/v0.js></script><p>before</p><amp-carousel>"
        "<amp-img src=https://a.example/1></amp-img><a href=https://a.example/><amp-img"
        " src=https://a.example/2></amp-img> two</a></amp-carousel><p>after"
    )
    assert (
        "before\n\n![](https://a.example/1)\n\n[![](https://a.example/2) two](https://a.example/)"
        "\n\nafter"
    ) == thresher.extract(html, method="keep_all").markdown


SIGNATURE = (
    "<table class=memname><tr><td class=memname>void grind <td>( <td>int&nbsp; <td><em>rye</em>,"
    "<tr><td class=paramkey><td><td>int&nbsp;<td><em>oats</em><tr><td><td>)</table>"
)


@pytest.mark.parametrize("fmt", ["markdown", "text"])
def test_signature_is_one_line_when_it_is_laid_out_as_a_table(fmt: FormatName) -> None:
    """Doxygen's cells of a signature are joined; the table around its parts is none of data."""
    document = document_keeping(f"<p>Above it.{SIGNATURE}<p>It grinds.")
    written = document.write(fmt).replace("*", "").replace("\N{NO-BREAK SPACE}", " ")
    expected = "void grind ( int  rye, int oats )"
    assert ["Above it.", expected, "It grinds."] == written.strip().split("\n\n")


def test_other_tables_are_written_as_such_beside_signatures() -> None:
    """Only the table of the signature must lose its cells."""
    table = "<table><tr><th>a<th>b<tr><td>1<td>2</table>"
    assert "| a | b |" in document_keeping(f"<p>Above it.{SIGNATURE}{table}").markdown


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("<tr><td>a<td>b<td><tr><td>c<td>d<td>", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<tr><th>a<td>&nbsp;<td>b<tr><th>c<td> <td>d", "| a | b |\n| --- | --- |\n| c | d |"),
        (
            "<tr><td>a<td>b<td><tr><td>c<td>d<td>e",
            "| a | b |  |\n",
        ),
        (
            "<tr><td>a<td>b<th>e<tr><td>c<td>d<td>",
            "| a | b | e |\n",
        ),
        ("<tr><td colspan=2>a<td>b<td><tr><td>c<td>d<td>e<td>", "| a |  | b |  |"),
    ],
    ids=["last", "between", "filled once", "with a header", "unclear for spans"],
)
def test_columns_without_anything_are_not_written(rows: str, expected: str) -> None:
    """A column in which no row has anything only makes room, or was for what is dropped."""
    written = thresher.extract(f"<table>{rows}</table>", method="keep_all").markdown
    assert written.startswith(expected)
