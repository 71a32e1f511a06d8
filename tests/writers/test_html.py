"""HTML fragments and whole pages."""

from __future__ import annotations

from typing import Final

import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher import WriteOptions

CASES: Final[dict[str, tuple[str, str]]] = {
    "paragraphs": ("<div>a<div>b</div>c</div>", "<p>a</p>\n<p>b</p>\n<p>c</p>"),
    "a paragraph with attributes": (
        '<p class=x id=y lang=de style="a">a</p>',
        '<p lang="de">a</p>',
    ),
    "inline runs between blocks": (
        "<div><b>a</b> b<p>c</p><i>d</i></div>",
        "<p><b>a</b> b</p>\n<p>c</p>\n<p><i>d</i></p>",
    ),
    "bold over a line break": ("<p><b>a<br>b</b></p>", "<p><b>a<br>b</b></p>"),
    "line breaks at the edges": ("<p><br>a<br></p>", "<p>a</p>"),
    "cells": (
        "<table><tr><th scope=row colspan=2 width=3>a<td rowspan=2>b</table>",
        '<table>\n<tbody>\n<tr>\n<th scope="row" colspan="2">a</th>\n'
        '<td rowspan="2">b</td>\n</tr>\n</tbody>\n</table>',
    ),
    "code": ('<pre class="brush: js">a</pre>', '<pre><code class="language-js">a</code></pre>'),
    "old names": ("<tt>a</tt> <strike>b</strike>", "<p><code>a</code> <s>b</s></p>"),
    "formula": ("<p><math><mi>x</mi></math></p>", "<p><math><mi>x</mi></math></p>"),
    "formula with HTML inside": ("<p><math><mtext><b>x</b></mtext></math></p>", "<p>x</p>"),
    "footnote": (
        "<p>a<sup><a id=r href=#n>1</a></sup></p><p id=n class=x>b c <a href=#r>↩</a>",
        '<p>a<sup><a id="fnref-1" href="#fn-1">1</a></sup></p>\n'
        '<p id="fn-1">b c <a href="#fnref-1">↩</a></p>',
    ),
    "footnote in a div": (
        "<p>a<sup><a href=#n>1</a></sup></p><div id=n><p>b c<p>d</div>",
        '<p>a<sup><a id="fnref-1" href="#fn-1">1</a></sup></p>\n'
        '<div id="fn-1">\n<p>b c</p>\n<p>d</p>\n</div>',
    ),
    "ids of the page": ("<p id=fn-1>a", "<p>a</p>"),
    "language of a wrapper": (
        "<p>a</p><div lang=he dir=rtl class=x><p>b<p>c</div>",
        '<p>a</p>\n<div lang="he" dir="rtl">\n<p>b</p>\n<p>c</p>\n</div>',
    ),
    "language of a span": (
        "<p lang=en>a <span lang=fr style=x>b</span> <span lang=en>c</span>",
        '<p lang="en">a <span lang="fr">b</span> c</p>',
    ),
    "formula twice": (
        "<p><span class=katex><math><mi>x</mi></math><span class=katex-html><i>x</i></span></span>",
        "<p><math><mi>x</mi></math></p>",
    ),
    "ruby and title": (
        "<p><ruby>麦<rt>むぎ</ruby> <abbr title=t>a</abbr>",
        '<p><ruby>麦<rt>むぎ</rt></ruby> <abbr title="t">a</abbr></p>',
    ),
    "heading by its role": ("<div role=heading aria-level=1 lang=de>a", '<h1 lang="de">a</h1>'),
    "time": ("<time datetime=2024 class=x>a</time>", '<p><time datetime="2024">a</time></p>'),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_html_is_as_expected_when_written(html: str, expected: str) -> None:
    """Each case must be written as its table says."""
    assert expected == document_keeping(html).html


def test_a_div_sets_the_direction_when_the_page_does() -> None:
    """Right-to-left text must stay so in a fragment, whatever page it is embedded in."""
    document = document_keeping("<html lang=ar dir=RTL><body><p>a</p>")
    assert '<div lang="ar" dir="rtl">\n<p>a</p>\n</div>' == document.html


def test_a_page_is_written_when_metadata_is_on() -> None:
    """With metadata the HTML must be a page with a head that declares it, safely escaped."""
    document = document_keeping("<html lang=en><title>a &amp; c</title><h1>a &amp; c</h1><p>d")
    written = document.write("html", WriteOptions(metadata=True))
    assert written.startswith('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">')
    assert "<title>a &amp; c</title>" in written
    assert written.endswith("<p>d</p>\n</body>\n</html>")


def test_nothing_is_written_when_nothing_is_kept() -> None:
    """Without kept leaves there must be no markup, not even the div for a direction."""
    assert "" == document_keeping("<html dir=rtl><p>a", []).html
