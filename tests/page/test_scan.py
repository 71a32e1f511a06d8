"""The columns read off canonical bytes are those of the parser's tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tests.helpers.trees import NASTY_PAGES, PLAIN_PAGE, rows_of, soups, walk_rows
from thresher.page.parse import parse
from thresher.page.scan import Columns, scan
from thresher.page.tags import CODE_OF, OTHER, TEXT

DEEP = 200_000


def test_columns_of_a_small_buffer() -> None:
    """Every column of a page small enough to count by hand."""
    buffer = b"<html><p>a<br>b</p><x-y></x-y></html>"
    expected = Columns(
        tag=np.array([CODE_OF["html"], CODE_OF["p"], TEXT, CODE_OF["br"], TEXT, OTHER], np.int16),
        parent=np.array([-1, 0, 1, 1, 1, 0], np.int32),
        end=np.array([6, 5, 3, 4, 5, 6], np.int32),
        depth=np.array([0, 1, 2, 2, 2, 1], np.int32),
        open_start=np.array([0, 6, 9, 10, 14, 19], np.int32),
        open_stop=np.array([6, 9, 10, 14, 15, 24], np.int32),
        close_start=np.array([30, 15, 10, 14, 15, 24], np.int32),
        close_stop=np.array([37, 19, 10, 14, 15, 30], np.int32),
    )
    columns = scan(buffer)
    for name in Columns.__slots__:
        np.testing.assert_array_equal(getattr(expected, name), getattr(columns, name), name)
        assert getattr(expected, name).dtype == getattr(columns, name).dtype


@pytest.mark.parametrize("html", [PLAIN_PAGE, *NASTY_PAGES.values()], ids=["plain", *NASTY_PAGES])
def test_rows_of_nasty_pages(html: str) -> None:
    """Names, parents, depths, texts and attributes are those of a plain walk over the tree."""
    page = parse(html)
    assert walk_rows(page.source) == rows_of(page)


@given(soups())
def test_rows_of_soup(html: str) -> None:
    """Rows agree with the walk whatever the order of tags, texts and comments."""
    assert walk_rows(html) == rows_of(parse(html))


@given(soups())
def test_invariants_of_soup(html: str) -> None:
    """Rows are in document order, subtrees and spans nest."""
    page = parse(html)
    n_row, rows = len(page), np.arange(len(page))
    inner, parent = rows[1:], page.parent[1:]
    assert (-1, 0, n_row) == (page.parent[0], page.depth[0], page.end[0])
    assert (parent < inner).all()
    assert (page.depth[1:] == page.depth[parent] + 1).all()
    assert (rows < page.end).all()
    assert (page.end[1:] <= page.end[parent]).all()
    assert (inner < page.end[parent]).all()
    assert (page.tag[parent] != TEXT).all()
    assert (page.end[page.tag == TEXT] == rows[page.tag == TEXT] + 1).all()
    assert (page.open_start < page.open_stop).all()
    assert (page.open_stop <= page.close_start).all()
    assert (page.close_start <= page.close_stop).all()
    assert (page.open_stop[:-1] <= page.open_start[1:]).all()
    assert (page.open_stop[parent] <= page.open_start[1:]).all()
    assert (page.close_stop[1:] <= page.close_start[parent]).all()
    assert page.markup(0) == page.buffer


@pytest.mark.parametrize(
    ("script", "code"), [("", OTHER), ("https://cdn.ampproject.org/v0.js", CODE_OF["amp-img"])]
)
def test_elements_of_amp_are_known_where_its_script_is(script: str, code: int) -> None:
    """A page without the script that shows them has unknown elements only."""
    page = parse(f"<script src='{script}'></script><amp-img src=a></amp-img>")
    assert [code] == [int(page.tag[row]) for row in range(len(page)) if page.name(row) == "amp-img"]
    assert 1 == page.tagged(["amp-img"]).sum()


@pytest.mark.parametrize(
    ("html", "n_element"),
    [
        ("<div>" * DEEP, DEEP),
        pytest.param("<span>" * DEEP + "x", DEEP, marks=pytest.mark.slow),
        pytest.param("<div>" * DEEP + "</div>" * DEEP, DEEP, marks=pytest.mark.slow),
        pytest.param("<svg>" + "<g>" * DEEP, DEEP + 1, marks=pytest.mark.slow),
        ("<b>" * (DEEP // 10), DEEP // 10),
        ("<table><tr><td>" * (DEEP // 10), 4 * (DEEP // 10)),
    ],
    ids=["div", "span", "div closed", "svg", "b", "table"],
)
def test_rows_of_a_very_deep_page(html: str, n_element: int) -> None:
    """200,000 nested tags parse, each to a row (the parser itself flattens at some depth)."""
    page = parse(html)
    assert n_element + 3 == np.count_nonzero(page.tag != TEXT)
    assert (page.depth[1:] == page.depth[page.parent[1:]] + 1).all()


@pytest.mark.parametrize("n_level", [65_535, 65_536, DEEP])
def test_columns_of_very_deep_markup(n_level: int) -> None:
    """Levels beyond sixteen bits, which take another sort, and beyond any stack are right too."""
    columns = scan(b"<html>" + b"<div>" * n_level + b"x<p>y</p>" + b"</div>" * n_level + b"</html>")
    opened = np.arange(n_level + 1)
    assert [n_level, n_level, n_level + 2] == columns.parent[n_level + 1 :].tolist()
    assert (columns.depth[opened] == opened).all()
    assert (columns.parent[opened] == opened - 1).all()
    assert (columns.end[opened] == n_level + 4).all()
    assert (columns.close_stop[opened[:-1]] > columns.close_stop[opened[1:]]).all()


def test_rows_of_a_very_wide_page() -> None:
    """Hundreds of thousands of siblings share one parent."""
    page = parse("<br>" * DEEP)
    assert [-1, 0, 0] == page.parent[:3].tolist()
    assert (page.parent[3:] == 2).all()
    assert DEEP + 3 == len(page)
