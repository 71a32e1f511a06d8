"""XHTML of a book."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given

from tests.helpers.trees import soups
from thresher import document_of, select
from thresher.app.book_markup import is_language, prepare_for_book
from thresher.page.parse import parse


def test_book_is_xml() -> None:
    """Elements are closed, namespaces are set, and broken links are removed."""
    html = (
        '<p lang="de">a<br>b &amp; c\x0c</p><a href="/x">y</a><a href="#fn-1">z</a>'
        '<i id="fn-1">1</i><math><mi>x</mi></math>'
        '<img src="a.png" alt="Bild"><ruby><rb>a</rb><rt>b</rt></ruby>'
    )
    expected = (
        '<p lang="de" xml:lang="de">a<br/>b &amp; c</p><a>y</a><a href="#fn-1">z</a>'
        '<i id="fn-1">1</i><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>'
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


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<ul><li value="3">a</li></ul>', "<ul><li>a</li></ul>"),
        ('<ol><li value="3">a</li></ol>', '<ol><li value="3">a</li></ol>'),
        ('<a href="#none">a</a>', "<a>a</a>"),
        ('<a href="https://e.org/%zz?a b#c">a</a>', '<a href="https://e.org/%25zz?a%20b#c">a</a>'),
        ('<a href="http://a b/">a</a>', "<a>a</a>"),
        ('<a href="https://mühle.example/">a</a>', '<a href="https://xn--mhle-0ra.example/">a</a>'),
        ('<blockquote cite="x">a</blockquote>', "<blockquote>a</blockquote>"),
        ('<td colspan="0">a</td>', "<td>a</td>"),
        ('<p lang="zz_bad">a</p>', "<p>a</p>"),
        ('<time datetime="today">a</time>', "<span>a</span>"),
        ('<time datetime="2020-01-31">a</time>', '<time datetime="2020-01-31">a</time>'),
        ("<dl><dd>a</dd></dl>", "<dl><dt></dt><dd>a</dd></dl>"),
        ("<dl><dt>a</dt></dl>", "<dl><dt>a</dt><dd></dd></dl>"),
        ("<rt>a</rt>", "<span>a</span>"),
        ("<bdo>a</bdo>", "<span>a</span>"),
        ('<i id="a"></i><i id="a"></i>', '<i id="a"></i><i></i>'),
    ],
)
def test_what_validators_refuse_is_repaired(html: str, expected: str) -> None:
    """Invalid attributes go, elements in the wrong place become plain ones, the text stays."""
    assert expected == prepare_for_book(html, title="").markup


def test_links_to_headings_lead_there() -> None:
    """The id of a heading stays as an anchor, even if the heading repeats the title."""
    html = '<h1 id="top">Rye</h1><a href="#top">a</a><a href="#soil">b</a><h2 id="soil">Soil</h2>'
    expected = (
        '<span id="top"></span><a href="#top">a</a><a href="#soil">b</a>'
        '<h2 id="part-1"><span id="soil"></span>Soil</h2>'
    )
    assert expected == prepare_for_book(html, title="Rye").markup


def test_language_tags() -> None:
    """What is no tag is not passed on."""
    assert is_language("pt-BR")
    assert not is_language("zz_bad lang")
    assert not is_language("")
