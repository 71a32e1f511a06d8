"""Emphasis and languages that the page's own tags cannot show."""

from __future__ import annotations

from tests.helpers.cases import cases
from tests.helpers.fixture_pages import document_keeping


def test_tags_nest_when_emphasis_and_links_cross_paragraphs() -> None:
    """Elements must end in the opposite order of their beginnings."""
    written = document_keeping("<b><i><a href=/x><p>a</p><p>b</p></a></i></b>").html
    assert '<a href="https://site.example/x"><b><i>a</i></b></a>' in written


@cases(__file__, "direction")
def test_direction_is_set_once_when_the_page_sets_it(html: str, expected: int) -> None:
    """A direction must be in the HTML once, unless no element can carry it."""
    assert expected == document_keeping(html).html.count('dir="rtl"')
