"""Which elements are cells, and which parts of a link list are removed."""

from __future__ import annotations

from thresher.algorithms.crunch.link_lists import find_cells, find_link_lists, list_contents
from thresher.algorithms.crunch.params import Params
from thresher.page.parse import parse


def test_boxes_are_cells_when_they_hold_no_other() -> None:
    """A box around other cells or boxes is page layout, and is not a cell."""
    page = parse("<div id=1><div id=2></div><section id=3><ul id=4></ul></section></div>")
    cells = find_cells(page, Params()).nonzero()[0].tolist()
    assert ["2", "4"] == [page.attr(row, "id") for row in cells]


def test_outer_cells_are_cells_when_nested() -> None:
    """Table cells and lists are judged at every level of nesting, as in the paper."""
    page = parse("<ul id=1><li><ul id=2></ul></ul>")
    cells = find_cells(page, Params()).nonzero()[0].tolist()
    assert ["1", "2"] == [page.attr(row, "id") for row in cells]


def test_cell_kept_when_its_ratio_is_at_the_limit() -> None:
    """A cell exactly at the limit is kept: the paper says greater than."""
    page = parse("<ul><a href=u>x</a> 12345 12345 12345 12345</ul>")
    assert 0 == find_link_lists(page, Params()).sum()
    assert 1 == find_link_lists(page, Params(max_link_ratio=0.249)).sum()


def test_links_and_texts_removed_when_only_contents_are() -> None:
    """Pictures outside links stay in the list; pictures inside are removed with their links."""
    page = parse("<p>x<video></video><a href=u><img></a></p>")
    contents = list_contents(page, Params()).nonzero()[0].tolist()
    assert ["#text", "a", "img"] == [page.name(row) for row in contents]
    assert list_contents(page, Params(whole_cells=True)).all()
