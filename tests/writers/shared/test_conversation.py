"""Pages rearranged as conversations."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import soups
from thresher.page import Page
from thresher.page.parse import parse
from thresher.writers.thread import MAX_LEVELS, Excerpt, assemble_page


def excerpt(
    page: Page, row: int, *holes: int, heading: str | None = None, level: int = 0
) -> Excerpt:
    """Make an excerpt of an element without some elements inside, all leaves shown."""
    start, stop = row, int(page.end[row])
    without = [(hole, int(page.end[hole])) for hole in holes]
    leaves = [
        leaf
        for leaf, at in enumerate(page.leaves.tolist())
        if start <= at < stop and not any(a <= at < b for a, b in without)
    ]
    return Excerpt(heading, level, start, stop, without, np.array(leaves, np.int32))


def shown_texts(told: Page, shown: np.ndarray) -> list[str]:
    return [told.leaf_text(leaf).strip() for leaf in np.flatnonzero(shown).tolist()]


def rows_named(page: Page, name: str) -> list[int]:
    return [row for row in range(len(page)) if page.name(row) == name]


def check_table(page: Page) -> None:
    """Check that a page's columns form a tree, and that its buffer matches its rows."""
    for row in range(len(page)):
        parent = int(page.parent[row])
        assert parent < row < page.end[row] <= len(page)
        if parent >= 0:
            assert page.end[row] <= page.end[parent]
            assert page.depth[row] == page.depth[parent] + 1
            assert page.open_stop[parent] <= page.open_start[row]
            assert page.close_stop[row] <= page.close_start[parent]
        if page.name(row) != "#text":
            assert page.buffer[page.open_start[row] : page.open_start[row] + 1] == b"<"


def test_reply_comes_after_the_post_around_it() -> None:
    """A post around its reply must come first, whole, with an empty element where the reply was."""
    page = parse("<article>a<article>b</article>c</article>")
    outer, inner = rows_named(page, "article")
    told, shown = assemble_page(
        page,
        [
            excerpt(page, outer, inner, heading="One & two"),
            excerpt(page, inner, heading="Three", level=1),
        ],
    )
    check_table(told)
    assert ["One & two", "a", "c", "Three", "b"] == shown_texts(told, shown)
    assert (
        b"<html><body><h2>One &amp; two</h2><article>a<article></article>c</article>"
        b"<blockquote><h2>Three</h2><article>b</article></blockquote></body></html>"
    ) == told.buffer


def test_quotes_have_a_maximum_depth() -> None:
    """Very deep replies must be in the last quote, and the next one continues from there."""
    page = parse("<p>a</p>")
    (row,) = rows_named(page, "p")
    told, _ = assemble_page(page, [excerpt(page, row, level=level) for level in (0, 2, 99, 1)])
    check_table(told)
    assert MAX_LEVELS == told.buffer.count(b"<blockquote>")
    assert told.buffer.endswith(b"<p>a</p></blockquote></body></html>")


def test_siblings_are_shown_together() -> None:
    """An excerpt can be several sibling elements, with a gap of several."""
    page = parse("<div><p>a</p><p>b</p><p>c</p><p>d</p></div>")
    rows = rows_named(page, "p")
    div = rows_named(page, "div")[0]
    run = Excerpt(None, 0, rows[1], rows[3], [], np.array([1, 2], np.int32))
    rest = Excerpt(
        None, 0, div, int(page.end[div]), [(rows[1], rows[3])], np.array([0, 3], np.int32)
    )
    told, shown = assemble_page(page, [run, rest])
    check_table(told)
    assert ["b", "c", "a", "d"] == shown_texts(told, shown)


@given(soups(), st.integers(0, 30), st.integers(0, 30))
def test_any_element_can_be_an_excerpt(html: str, outer: int, inner: int) -> None:
    """The shown leaves of any excerpt must be written with their texts, in order."""
    page = parse(html)
    elements = np.flatnonzero(page.tag != 0).tolist()
    row = elements[outer % len(elements)]
    below = [each for each in elements if row < each < page.end[row]]
    holes = [below[inner % len(below)]] if below else []
    part = excerpt(page, row, *holes)
    told, shown = assemble_page(page, [part, *(excerpt(page, hole, level=1) for hole in holes)])
    check_table(told)
    expected = [page.leaf_text(leaf).strip() for leaf in part.leaves.tolist()]
    leaves = [page.leaf_text(leaf).strip() for hole in holes
              for leaf in excerpt(page, hole).leaves.tolist()]  # fmt: skip
    assert [*expected, *leaves] == shown_texts(told, shown)
