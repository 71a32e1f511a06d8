"""Adaptation of safe HTML to the reading page and to EPUB."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given

from tests.helpers.trees import soups
from thresher import document_of, select
from thresher.app.markup import HeadingMark, prepare_for_book, prepare_for_page
from thresher.page.parse import parse


def test_headings_are_marked_and_below_the_title() -> None:
    """The title is not repeated, and headings are demoted below it."""
    html = "<h1>Rye  Bread</h1><p>a</p><h2>Soil</h2><h1>Sky</h1><h2>Wind</h2><h6>Air</h6>"
    found = prepare_for_page(html, title="rye bread")
    expected = (
        HeadingMark("part-1", 2, "Soil"),
        HeadingMark("part-2", 2, "Sky"),
        HeadingMark("part-3", 3, "Wind"),
        HeadingMark("part-4", 6, "Air"),
    )
    assert expected == found.headings
    assert found.markup.startswith('<p>a</p><h2 id="part-1">Soil</h2><h2 id="part-2">Sky</h2>')


def test_headings_stay_when_they_say_something_else() -> None:
    """Only the first heading can be removed as title, and empty headings are ignored."""
    found = prepare_for_page("<h2>Soil</h2><h2>Rye</h2><h2> </h2>", title="Rye")
    assert ["Soil", "Rye"] == [heading.title for heading in found.headings]
    assert '<h2 id="part-1">Soil</h2><h2 id="part-2">Rye</h2> ' == found.markup


def test_images_are_described_unless_they_are_placed() -> None:
    """Images are replaced by descriptions, or loaded from the given address only."""
    html = '<p><img src="https://e.org/a.png" alt="A &lt;field" width="3"><img src="b.png"></p>'
    found = prepare_for_page(html, title="")
    assert '<p><span class="picture">A &lt;field</span></p>' == found.markup
    assert 2 == found.n_image
    placed = prepare_for_page(
        html, title="", place_image=lambda url: "/i?1&2" if url.startswith("https:") else None
    )
    expected = '<p><img src="/i?1&amp;2" alt="A &lt;field" loading="lazy" width="3"></p>'
    assert expected == placed.markup


def test_page_has_no_styles_and_can_be_reached_by_keyboard() -> None:
    """Alignment becomes a class, scrollable elements get a tab stop, and links get noreferrer."""
    html = (
        '<table><tr><td style="text-align: right">1</td></tr></table><pre>x</pre>'
        '<a href="https://e.org/?a&amp;b">out</a><a href="#fn-1">in</a><input type="checkbox">'
    )
    expected = (
        '<div class="scroll" tabindex="0"><table><tr><td class="to-right">1</td></tr></table></div>'
        '<pre tabindex="0">x</pre><a href="https://e.org/?a&amp;b" rel="noreferrer">out</a>'
        '<a href="#fn-1">in</a><input type="checkbox" aria-label="to do">'
    )
    assert expected == prepare_for_page(html, title="").markup


def test_text_stays_text() -> None:
    """Escaped markup in text stays escaped."""
    html = '<p>&lt;b style="text-align: left"&gt; &amp;amp; "x"</p>'
    assert html == prepare_for_page(html, title="").markup


def test_book_is_xml() -> None:
    """Elements are closed, namespaces are set, and broken links are removed."""
    html = (
        '<p lang="de">a<br>b &amp; c\x0c</p><a href="/x">y</a><a href="#fn-1">z</a>'
        '<math><mi>x</mi></math><img src="a.png" alt="Bild"><ruby><rb>a</rb><rt>b</rt></ruby>'
    )
    expected = (
        '<p lang="de" xml:lang="de">a<br/>b &amp; c</p><a>y</a><a href="#fn-1">z</a>'
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>'
        '<span class="picture">Bild</span><ruby>a<rt>b</rt></ruby>'
    )
    found = prepare_for_book(html, title="")
    assert expected == found.markup
    assert found.has_math


@given(soups())
def test_book_is_well_formed_whatever_the_page(soup: str) -> None:
    """The output is well-formed XML for any page."""
    html = document_of(select(parse(soup), "keep_all")).html
    ElementTree.fromstring(f"<body>{prepare_for_book(html, title='').markup}</body>")


@pytest.mark.parametrize("tag", ["div", "span", "blockquote"])
def test_deep_markup_is_no_trouble(tag: str) -> None:
    """Deep markup is handled."""
    html = f"<{tag}>" * 20_000 + "x" + f"</{tag}>" * 20_000
    assert html == prepare_for_page(html, title="").markup
