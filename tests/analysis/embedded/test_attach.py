"""Attachment of texts after a page's own rows, which stay unchanged."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given

from tests.helpers.trees import NASTY_PAGES, PLAIN_PAGE, soups
from thresher.analysis.embedded import Embedded, Origin, attach
from thresher.page import Page
from thresher.page.parse import parse

TEXTS = (
    Embedded(Origin.STATE, "<h2>a</h2><p>b <b>c</b>d", "x.y", 4),
    Embedded(Origin.JSON_LD, "<p>e", "[0].articleBody", 1),
)
COLUMNS = ("tag", "parent", "depth", "open_start", "open_stop")


def check(page: Page, whole: Page) -> None:
    """Check that the page's own rows, leaves and blocks are the first of the attached page's."""
    n_row, n_leaf, n_block = len(page), page.leaves.size, len(page.blocks)
    for column in COLUMNS:
        assert (getattr(page, column) == getattr(whole, column)[:n_row]).all()
    assert n_row == whole.n_own_row
    assert (page.leaves == whole.leaves[:n_leaf]).all()
    assert (page.blocks.start[:-1] == whole.blocks.start[:n_block]).all()
    assert (page.source_spans == whole.source_spans[:n_row]).all()
    assert (whole.source_spans[n_row:] == -1).all()
    texts = ["a", "b ", "c", "d", "e"]
    assert texts == [whole.leaf_text(n) for n in range(n_leaf, whole.leaves.size)]


@pytest.mark.parametrize("html", [PLAIN_PAGE, *NASTY_PAGES.values()])
def test_attach_leaves_the_page_as_it_was(html: str) -> None:
    """New rows come last on any page; if that is impossible, nothing changes."""
    page = parse(html)
    whole = attach(page, TEXTS)
    if whole is page:
        assert "frameset" in html or not (page.tag == 0).any()
    else:
        check(page, whole)


@given(soups())
def test_attach_to_any_soup(html: str) -> None:
    """The same holds for any page with a body."""
    page = parse(html)
    whole = attach(page, TEXTS)
    if whole is not page:
        check(page, whole)


def test_attach_says_where_rows_are_from() -> None:
    """Each row knows its origin; only the page's own rows have a path and a source."""
    page = parse(PLAIN_PAGE)
    whole = attach(page, TEXTS)
    origins = [whole.origin(row) for row in range(len(page), len(whole))]
    assert [Origin.STATE] * 8 + [Origin.JSON_LD] * 3 == origins
    assert {Origin.MARKUP} == {whole.origin(row) for row in range(len(page))}
    assert ["x.y", "[0].articleBody"] == [each.path for each in whole.attached]
    assert (None, None) == (whole.path(len(page)), whole.source_span(len(page)))
    assert page.path(len(page) - 1) == whole.path(len(page) - 1)


def test_attach_twice() -> None:
    """Texts can be attached after others."""
    page = parse(PLAIN_PAGE)
    whole = attach(attach(page, TEXTS[:1]), TEXTS[1:])
    assert attach(page, TEXTS).buffer == whole.buffer
    assert attach(page, TEXTS).attached == whole.attached


def test_attach_pickles() -> None:
    """A page with attached rows travels between processes."""
    whole = attach(parse(PLAIN_PAGE), TEXTS)
    copy = pickle.loads(pickle.dumps(whole))
    assert (whole.attached, whole.text) == (copy.attached, copy.text)
    assert np.array_equal(whole.source_spans, copy.source_spans)


def test_attach_nothing() -> None:
    """Without texts or without a body, the same page is returned."""
    page, frames = parse(PLAIN_PAGE), parse("<frameset><frame src=a></frameset>")
    assert page is attach(page, ())
    assert frames is attach(frames, TEXTS)


def test_attach_leaves_scripts_out() -> None:
    """Scripts and styles in a text's markup are no rows, and unclosed markup ends with it."""
    markup = "<p>a<script>b()</script><style>c{}</style><!-- d --><svg><script>e()</script></svg>"
    markup += "<plaintext>f"
    whole = attach(parse("<p>x"), [Embedded(Origin.STATE, markup, "", 1), TEXTS[1]])
    assert "xafe" == whole.text
    assert not whole.tagged(["script", "style", "plaintext"]).any()


def test_attach_deep_markup() -> None:
    """Extremely deep nesting is handled."""
    deep = Embedded(Origin.STATE, "<div>" * 50_000 + "x", "", 1)
    whole = attach(parse("<p>y"), [deep])
    assert "yx" == whole.text
