"""Emphasis and languages that the page's own tags cannot show."""

from __future__ import annotations

from typing import Final

import pytest

from tests.helpers.fixture_pages import document_keeping

CASES: Final = {
    "bold by style": ("<p>a <span style='font-weight:700'>b</span></p>", "a **b**"),
    "bold by name": ("<p>a <span style='color:red; font-weight: BOLD'>b</span></p>", "a **b**"),
    "almost bold": ("<p>a <span style='font-weight:500'>b</span></p>", "a b"),
    "bold of Asian text only": ("<p>a <span style='mso-bidi-font-weight:bold'>b</span></p>", "a b"),
    "italic": ("<p>a <font style='font-style:oblique'>b</font></p>", "a *b*"),
    "both": ("<p><span style='font-weight:600;font-style:italic'>b</span></p>", "***b***"),
    "struck": ("<p>a <u style='text-decoration:underline line-through'>b</u></p>", "a ~~b~~"),
    "raised": ("<p>4<span style='vertical-align:super'>2</span></p>", "4<sup>2</sup>"),
    "lowered": ("<p>H<span style='vertical-align:sub'>2</span>O</p>", "H<sub>2</sub>O"),
    "a link": (
        "<p><a href=/x style='font-weight:bold'>b</a></p>",
        "[**b**](https://site.example/x)",
    ),
    "bold that is none": ("<p><b style='font-weight:normal'>a <i>b</i></b></p>", "a *b*"),
    "bold in bold": ("<p><b>a <span style='font-weight:700'>b</span></b></p>", "**a b**"),
    "bold in styled": ("<p><span style='font-weight:700'>a <b>b</b></span></p>", "**a b**"),
    "bold in a heading": ("<h2><span style='font-weight:700'>a</span></h2>", "## a"),
    "code": ("<pre><span style='font-weight:700'>a</span></pre>", "```\na\n```"),
    "a block": ("<div style='font-weight:700'>a</div>", "a"),
    "over paragraphs": ("<p>a <i>b<br><br>c</i> d", "a *b*\n\n*c* d"),
    "nested over paragraphs": ("<b><i>a<br><br>b</i> c</b>", "***a***\n\n***b* c**"),
    "bold in bold over paragraphs": ("<b>a<br><br>b <strong>c</strong></b>", "**a**\n\n**b c**"),
    "over a heading and a list": (
        "<b><h2>a</h2><ul><li>b<li>c</ul></b>",
        "## a\n\n- **b**\n- **c**",
    ),
    "over code": ("<b>a<pre>b</pre></b>", "**a**\n\n```\nb\n```"),
    "over a link": (
        "<b><a href=/x><p>a</p><p>b</p></a></b>",
        "[**a**](https://site.example/x)\n\n**b**",
    ),
    "spaces of a link": (
        "<p>a <b><a href=/x> b </a></b>c</p>",
        "a **[b](https://site.example/x)** c",
    ),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
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


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<ul><li><div dir=rtl>b</div></ul>", 1),
        ("<p>a<ul dir=rtl><li>b</ul>", 1),
        ("<div dir=rtl><div dir=rtl><p>a</div></div><p>b", 1),
        ("<p>a <span dir=rtl>b</span>", 1),
        ("<p>a<h2><div dir=rtl>b</div></h2>", 0),
    ],
)
def test_direction_is_set_once_when_the_page_sets_it(html: str, expected: int) -> None:
    """A direction must be in the HTML once, unless no element can carry it."""
    assert expected == document_keeping(html).html.count('dir="rtl"')
