"""The same features are read from HTML, whoever wrote it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from thresher.evaluation.fidelity.cases import render_markdown
from thresher.evaluation.fidelity.structure import (
    MAX_CELLS,
    Code,
    Grid,
    HeadingText,
    LinkText,
    ListItem,
    PageStructure,
    read_grid,
    read_structure,
    squeeze,
)
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF


@pytest.mark.parametrize(
    ("html", "field", "expected"),
    [
        ("<h2>a <b>b</b></h2><h3> </h3>", "headings", (HeadingText(2, "ab"),)),
        (
            "<ul><li>a<ol start=4><li>b<li value=7>c<li>d</ol><li>e</ul>",
            "items",
            (
                ListItem(1, "ul", "a"),
                *(ListItem(2, "4", "b"), ListItem(2, "7", "c"), ListItem(2, "8", "d")),
                ListItem(1, "ul", "e"),
            ),
        ),
        ("<dl><dt>a<dd>b</dl>", "items", (ListItem(1, "dt", "a"), ListItem(1, "dd", "b"))),
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "tables", ((("a", "b"), ("c", "d")),)),
        ("<table><tr><td>a<td>b</table><table><tr><td>a<tr><td>b</table>", "tables", ()),
        (
            '<pre class="lang-Py"><code> a\n\n  b\n\n</code></pre><pre> </pre>',
            "code",
            (Code(" a\n\n  b", "py"),),
        ),
        (
            '<math><mi>a</mi><annotation encoding="application/x-tex">{\\displaystyle a^{2} }'
            '</annotation></math><math alttext="{a}{b}"></math>',
            "formulas",
            ("a^2", "ab"),
        ),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>", "quotes", ("ab",)),
        (
            "<a href='https://x.example/a%20b'>a b</a><a href='#c'>c</a><a>d</a>",
            "links",
            (LinkText("ab", "//x.example/a b"),),
        ),
        (
            "<pre>a<br> b</pre><pre><div>c</div><div>d</div></pre>",
            "code",
            (Code("a\n b", ""), Code("c\nd", "")),
        ),
        (
            "<img src=a.png srcset='b.png 2x, a.png 1x'><img><img src='data:,x'>",
            "images",
            (frozenset(("a.png", "b.png")),),
        ),
        (
            "<a href='/a?utm_source=x&amp;b=1&amp;gclid=2#c'>d</a><a href='/?fbclid=3'>e</a>",
            "links",
            (LinkText("d", "/a?b=1#c"), LinkText("e", "/")),
        ),
        ("<p>a<sup><a href='#n'>1</a></sup>m<sup>2</sup>", "spans", (("sup", "2"),)),
        (
            "<p><i>a</i> <b>b</b><tt>c</tt><strike>d</strike><sup></sup></p><h2><b>e</b></h2>",
            "spans",
            (("em", "a"), ("strong", "b"), ("code", "c"), ("del", "d")),
        ),
        ("<p>a b<math><mi>c</mi></math></p><p>D</p>", "words", ("a", "b", "d")),
    ],
)
def test_structure_is_read(html: str, field: str, expected: tuple[Any, ...]) -> None:
    """Each kind of feature is found with the properties that are compared."""
    assert expected == getattr(read_structure(html), field)


def test_an_empty_output_has_no_features() -> None:
    """An empty output has no features."""
    assert PageStructure() == read_structure(" \n")


def test_links_into_the_page_itself_are_left_out() -> None:
    """Links to the page's own URL are left out."""
    html = "<a href='https://x.example/y#a'>a</a><a href='https://x.example/z#b'>b</a>"
    (link,) = read_structure(html, "https://x.example/y").links
    assert "b" == link.text


def test_footnotes_are_not_a_list() -> None:
    """The content of a footnote counts as a note and as words, not as a list."""
    found = read_structure(render_markdown("a[^1]\n\n[^1]: b *c*\n"))
    assert ("bc",) == found.notes
    assert () == found.items + found.spans
    assert ("a", "b", "c") == found.words


def test_texts_are_normalised() -> None:
    """Texts are equal whatever their white space and their Unicode normalisation form."""
    assert squeeze("caf\u00e9 ") == squeeze(" cafe\u0301")


def test_what_is_in_notes_is_apart_and_their_marks_are_nothing() -> None:
    """Emphasis and links of footnotes count only where labels have these in the text."""
    mark = "<p>Rye<sup><a href=#n>1</a></sup> <b><a href=#r>^</a></b> <i>oats</i></p>"
    note = "<section class=footnotes><ol><li><i>Roll</i> <a href=/9>9</a></ol></section>"
    found = read_structure(mark + note)
    assert (("em", "oats"),) == found.spans
    assert (("em", "Roll"),) == found.note_spans
    assert () == found.links
    assert (("9", "/9"),) == found.note_links


def test_a_page_without_text_has_nothing() -> None:
    """A tool may return markup without any content."""
    assert PageStructure() == read_structure("<p></p>")


def grid_of(html: str) -> Grid:
    page = parse(html)
    table = int(np.flatnonzero(page.tag == CODE_OF["table"])[0])
    return read_grid(page, table, lambda row: page.text_of(row).strip())


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("<tr><th colspan=2>a<tr><td>b<td>c", (("a", ""), ("b", "c"))),
        ("<tr><td rowspan=2>a<td>b<tr><td>c", (("a", "b"), ("", "c"))),
        ("<tr><td>a<td>b<tr><td>c", (("a", "b"), ("c", ""))),
        ("<tr><td>a<td><td>b<tr><td>c<td><td>d<tr><td>", (("a", "b"), ("c", "d"))),
        ("<tr><td colspan=x>a<td colspan=0>b", (("a", "b"),)),
        ("<tr><td>", ()),
        ("", ()),
    ],
)
def test_spans_are_expanded(rows: str, expected: Grid) -> None:
    """A cell is where it begins; rows and columns without text are left out."""
    assert expected == grid_of(f"<table>{rows}</table>")


def test_a_table_is_cut_when_it_is_long() -> None:
    """The number of compared cells is limited."""
    grid = grid_of(f"<table>{'<tr><td>a<td>b' * MAX_CELLS}</table>")
    assert MAX_CELLS == sum(map(len, grid))
