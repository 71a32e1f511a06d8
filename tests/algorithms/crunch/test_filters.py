"""The order of the filters, among themselves and down the tree."""

from __future__ import annotations

from thresher.algorithms.crunch.filters import FILTERS, apply_filters
from thresher.algorithms.crunch.params import Params
from thresher.page.parse import parse


def test_filters_are_tried_in_the_papers_order() -> None:
    """Advertisements come first, then link lists, then tags (the second phase of section 4.2)."""
    assert [
        "leads to an advertiser",
        "too many links for its words",
        "a link without a picture",
        "a link with a picture",
        "a picture",
        "inside a tag that is always removed",
    ] == [step.reason for step in FILTERS]


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
