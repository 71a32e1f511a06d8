"""Emphasis and languages that the page's own tags cannot show."""

from __future__ import annotations

from tests.helpers.cases import cases
from tests.helpers.fixture_pages import document_keeping


@cases(__file__, "emphasis")
def test_emphasis_is_that_of_the_page(html: str, expected: str) -> None:
    """What a browser shows as bold, italic, struck, raised or lowered must be that."""
    assert expected == document_keeping(html).markdown


def test_scripts_by_style_are_scripts_in_plain_text() -> None:
    """Plain text must have the characters that are raised and lowered."""
    html = "4<b style='vertical-align:super'>2</b> H<b style='vertical-align:sub'>2</b>O"
    assert "4² H₂O" == document_keeping(html).text


def test_tags_nest_when_emphasis_and_links_cross_paragraphs() -> None:
    """Elements must end in the opposite order of their beginnings."""
    written = document_keeping("<b><i><a href=/x><p>a</p><p>b</p></a></i></b>").html
    assert '<a href="https://site.example/x"><b><i>a</i></b></a>' in written


@cases(__file__, "direction")
def test_direction_is_set_once_when_the_page_sets_it(html: str, expected: int) -> None:
    """A direction must be in the HTML once, unless no element can carry it."""
    assert expected == document_keeping(html).html.count('dir="rtl"')
