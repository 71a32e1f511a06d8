"""Texts of a tree before Markdown is rendered."""

from __future__ import annotations

import pytest
import turbohtml

from thresher.writers.inline.marks import APART
from thresher.writers.inline.texts import (
    adapt_attributes,
    adapt_texts,
    drop_soft_hyphens,
    may_need_adapting,
)

TEXTS = {
    "edges": ("<p>&nbsp;a&nbsp;b&nbsp;</p>", "<p> a&nbsp;b </p>"),
    "beside an element of the line": ("<p>a&nbsp;<a>b</a></p>", "<p>a&nbsp;<a>b</a></p>"),
    "beside a line break": ("<p>a<br>&nbsp;b</p>", "<p>a<br> b</p>"),
    "heading": ("<h2>a&nbsp;b</h2>", "<h2>a b</h2>"),
    "code": ("<pre>&nbsp;10.9</pre>", "<pre>&nbsp;10.9</pre>"),
    "decimal number": ("<p>10.9</p>", f"<p>10{APART}.9</p>"),
    "number in parentheses": ("<p>1)a</p>", f"<p>1{APART})a</p>"),
    "hash": ("<p>#a</p>", f"<p>{APART}#a</p>"),
    "minus": ("<p>-5</p>", f"<p>{APART}-5</p>"),
    "list item": ("<p>1. a</p>", "<p>1. a</p>"),
    "heading sign": ("<p># a</p>", "<p># a</p>"),
}


@pytest.mark.parametrize(("html", "expected"), TEXTS.values(), ids=list(TEXTS))
def test_text_is_adapted_when_markdown_would_escape_it(html: str, expected: str) -> None:
    """Spaces and signs must change where the renderer would escape them, and nowhere else."""
    tree = turbohtml.parse_fragment(html, positions=False)
    adapt_texts(tree)
    assert expected == tree.inner_html


@pytest.mark.parametrize(("html", "expected"), TEXTS.values(), ids=list(TEXTS))
def test_fragment_is_searched_when_a_text_may_change(html: str, expected: str) -> None:
    """Every fragment whose texts change must be found beforehand."""
    assert may_need_adapting(html.encode()) or html == expected


def test_soft_hyphens_go_when_they_are_not_in_code() -> None:
    """Soft hyphens must be removed from texts, and stay in code."""
    tree = turbohtml.parse_fragment("<p>a\u00adb</p><pre>a\u00adb</pre>", positions=False)
    drop_soft_hyphens(tree)
    assert tree.inner_html == "<p>ab</p><pre>a\u00adb</pre>"


def test_white_space_collapses_when_an_attribute_is_shown() -> None:
    """Line ends must go from alternative texts and titles, but not from addresses."""
    tree = turbohtml.parse_fragment('<img alt="a\n b" src="c  d">', positions=False)
    adapt_attributes(tree)
    image = tree.find("img")
    assert image is not None
    assert (image.attr("alt"), image.attr("src")) == ("a b", "c  d")
