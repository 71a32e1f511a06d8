"""The filters of crunch: their order, what each removes, and their measures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from thresher import Page
from thresher.algorithms.crunch import select
from thresher.algorithms.crunch.ads import (
    find_ads,
    host_of,
    is_covered,
    read_hosts,
    shipped_ad_hosts,
)
from thresher.algorithms.crunch.filters import (
    FILTERS,
    apply_filters,
    find_cells,
    find_image_links,
    find_images,
    find_link_lists,
    find_links,
    find_text_links,
    link_ratios,
)
from thresher.algorithms.crunch.params import Params
from thresher.algorithms.crunch.removal import find_empty_tables
from thresher.page.parse import parse


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://ads.test/x?y", "ads.test"),
        ("//Ads.Test", "ads.test"),
        ("https://bücher.test/", "xn--bcher-kva.test"),
        (" HTTP://user:pw@ads.test:8080#x", "ads.test"),
        ("https:\\\\ads.test\\x", "ads.test"),
        ("https://ads.test./", "ads.test"),
        ("/path//ads.test", None),
        ("?to=https://ads.test", None),
        ("mailto:x@ads.test", None),
        ("https://", None),
        ("", None),
    ],
)
def test_host_read_when_address_is_absolute(address: str, host: str | None) -> None:
    """The host of an absolute URL is found as a browser finds it; a relative URL has none."""
    assert host == host_of(address)


@pytest.mark.parametrize(
    ("host", "covered"),
    [
        ("ads.test", True),
        ("cdn.ads.test", True),
        ("a.b.ads.test", True),
        ("badads.test", False),
        ("ads.test.org", False),
        ("test", False),
        ("", False),
    ],
)
def test_subdomains_covered_when_host_is_listed(host: str, covered: bool) -> None:
    """Like `||host^`, a rule covers its host and the subdomains, and nothing else."""
    assert covered == is_covered(host, frozenset({"ads.test"}))


def test_hosts_read_in_either_notation() -> None:
    """A line may be a host or `||host^`; comments and empty lines are skipped."""
    lines = ["||Ads.test^", "plain.test", "! comment", "# comment", "", "  "]
    assert {"ads.test", "plain.test"} == read_hosts(lines)


def test_shipped_list_is_small_and_lower_case() -> None:
    """The shipped list has at most 200 domains, all in lower case."""
    hosts = shipped_ad_hosts()
    assert 100 <= len(hosts) <= 200
    assert all(host == host.lower() and "." in host and "/" not in host for host in hosts)


def test_every_src_and_href_surveyed_when_elements_differ() -> None:
    """`src` and `href` of any element are checked, and no other attribute."""
    html = (
        "<img src=//x.ads.test/1><a href=//ads.test>a</a><iframe src=https://ads.test></iframe>"
        "<p cite=//ads.test>b</p><a href=/ads.test>c</a>"
    )
    page = parse(html)
    flags = find_ads(page, Params(ad_hosts=("ads.test",)))
    assert ["img", "a", "iframe"] == [page.name(row) for row in flags.nonzero()[0].tolist()]
    assert not find_ads(page, Params(ad_hosts=())).any()


def test_outermost_element_takes_a_row_when_several_would() -> None:
    """The walk is top-down: inner filters never see the contents of a deleted element."""
    links = "<form><ul><li><a href=a>list</a></ul></form>"
    page = parse(f"<ul><li>{links}</ul>{links}")
    texts = page.leaves.tolist()
    steps, takers = apply_filters(page, Params())
    assert [
        ("too many links for its words", "ul"),
        ("inside a tag that is always removed", "form"),
    ] == [(FILTERS[steps[row]].reason, page.name(takers[row])) for row in texts]


def test_first_filter_takes_a_row_when_two_act_on_one_element() -> None:
    """If two filters match one element, the earlier filter deletes it."""
    page = parse("<a href=//ads.test><img></a><p>text</p>")
    steps, takers = apply_filters(page, Params(ad_hosts=("ads.test",)))
    assert [0, -1] == steps[page.leaves].tolist()
    assert -1 == takers[page.leaves[1]]


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


PAGE = parse(
    "<a href=u id=text>x</a><a href=u id=deep><b><img id=in></b>x</a><a id=anchor>x</a>"
    "<img id=out><a href=u id=icon><svg></svg></a>"
)


@pytest.mark.parametrize(
    ("find", "params", "ids"),
    [
        (find_text_links, Params(remove_text_links=True), ["text"]),
        (find_text_links, Params(), []),
        (find_image_links, Params(), ["deep", "icon"]),
        (find_image_links, Params(remove_image_links=False), []),
        (find_images, Params(), ["out"]),
        (find_images, Params(remove_images=False), []),
    ],
)
def test_links_and_images_distinguished_when_filtered(
    find: Callable[[Page, Params], npt.NDArray[np.bool_]], params: Params, ids: list[str]
) -> None:
    """A link around a picture is an image link, at any depth, and its picture is not an image."""
    assert ids == [PAGE.attr(row, "id") for row in find(PAGE, params).nonzero()[0].tolist()]


@pytest.mark.parametrize(
    ("html", "ratio"),
    [
        ("<td><a href=u>link</a> ten letters", 0.5),
        ("<td><a href=u>link</a><a href=v>link</a> 1234 5", 2),
        ("<td><a href=u>link</a>", 1.25),
        ("<td>words alone", 0),
        ("<td>", 0),
        ("<td><a name=u>five5</a>", 0),
        ("<td><script>letters</script><a href=u>x</a>12345", 1),
    ],
)
def test_ratio_follows_the_formula_when_worked_out_by_hand(html: str, ratio: float) -> None:
    """The ratio is links × 5 / letters outside links: limit + 1 without words, 0 without links."""
    page = parse(f"<table><tr>{html}</table>")
    cell = page.tagged(["td"]).nonzero()[0]
    assert [ratio] == pytest.approx(link_ratios(page, Params())[cell].tolist())


def test_words_count_when_the_link_is_around() -> None:
    """A link around the element does not reduce its words."""
    page = parse("<a href=u><table><td>12345 <a href=v>12345</a></table></a>")
    assert [1 / 2] == link_ratios(page, Params())[page.tagged(["td"])].tolist()


def test_links_are_anchors_with_an_address() -> None:
    """Neither an `a` without `href` nor another element with one is a link."""
    page = parse("<a>x</a><a href=u>y</a><link href=v>")
    assert ["a"] == [page.name(row) for row in find_links(page).nonzero()[0].tolist()]


LINKS = "<ul>" + "<li><a href=u>A headline of some length</a>" * 30 + "</ul>"
LETTERS = "<p>" + "12345 " * 39
"""39 words of five letters: 30 links over them are 0.77 links a word."""


@pytest.mark.parametrize(
    ("html", "params", "is_portal"),
    [
        (LINKS, {}, True),
        (LINKS + LETTERS, {}, True),
        (LINKS + LETTERS + "12345", {}, False),
        (LINKS + LETTERS + "12345", {"min_content_words": 41.0}, True),
        (LINKS, {"keep_portals": False}, False),
        (LINKS, {"min_content_words": 0.0}, False),
        ("<p>Nothing here yet.", {}, False),
        ("", {}, False),
    ],
)
def test_page_left_as_it_is_when_it_is_a_portal(
    html: str, params: dict[str, Any], is_portal: bool
) -> None:
    """A page with more links than words, and few words, is kept completely, with a reason."""
    selection = select(parse(html), Params(**params))
    blocks = range(len(selection.page.blocks))
    reasons = {selection.reason(block) for block in blocks}
    assert is_portal == (reasons == {"the page is nothing but links: left as it is"})
    assert not is_portal or selection.keep.all()


# The outer table has 3 characters of its own, the inner 4. At 5 the inner is empty, and then so is
# the outer: 3 < 5. Counted together they would have 7.
NESTED = "<table id=1><td>abc<table id=2><td>defg</table></table>"


@pytest.mark.parametrize(
    ("html", "params", "empty"),
    [
        (NESTED, Params(), []),
        (NESTED, Params(min_table_chars=4), []),
        (NESTED, Params(min_table_chars=5), ["1", "2"]),
        ("<table id=1><td> <td>\n</table>", Params(), ["1"]),
        ("<table id=1><td> <td>\n</table>", Params(min_table_chars=0), []),
        ("<table id=1><td><input></table>", Params(), []),
    ],
)
def test_tables_without_substance_found_when_judged_from_inside(
    html: str, params: Params, empty: list[str]
) -> None:
    """A table needs a substance tag or enough characters, without those of empty inner tables."""
    page = parse(html)
    found = find_empty_tables(page, params, np.zeros(len(page), np.bool_))
    assert empty == [page.attr(row, "id") for row in found.nonzero()[0].tolist()]
