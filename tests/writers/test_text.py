"""Plain text."""

from __future__ import annotations

from typing import Final

import pytest

from tests.helpers.fixture_pages import document_keeping

CASES: Final[dict[str, tuple[str, str]]] = {
    "paragraphs": ("<p>a\n b</p><div>c</div>d", "a b\n\nc\n\nd"),
    "line breaks": ("<p>a<br>b<br><br>c</p>", "a\nb\n\nc"),
    "links with nothing between": ("<a href=x>a</a><a href=y>b</a>", "a b"),
    "list": ("<ul><li>a</li><li><p>b</p><p>c</p></li></ul>", "- a\n- b\n  c"),
    "list in a list": ("<ul><li>a<ul><li>b</li></ul>c</li></ul>d", "- a\n  - b\n  c\n\nd"),
    "list right behind a list": ("<ul><li>a</ul><ol><li>b</ol>", "- a\n\n1. b"),
    "text right in a list": ("<ul>a<li>b</ul>", "- a\n- b"),
    "numbers": (
        "<ol start=3><li>a<ol type=A><li>b<li>c</ol><li value=9>d<li>e<p>f</ol>",
        "3. a\n  A. b\n  B. c\n9. d\n10. e\n  f",
    ),
    "numbers counted down": ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b"),
    "scripts": (
        "<p>4<sup>2</sup> H<sub>2</sub>O x<sup>n+1</sup> y<sup>2k</sup> z<sub>max</sub></p>",
        "4² H₂O xⁿ⁺¹ y^2k z_max",
    ),
    "a word that is raised": ("<p>1<sup>st</sup> a<sup>®</sup> M<sup>me</sup></p>", "1st a® Mme"),
    "soft hyphen": ("<p>Lande\u00adplatz <sup>a\u00adb</sup></p>", "Landeplatz ab"),
    "one column under a header": ("<table><tr><th>a<tr><td>b<tr><td>c</table>", "a\nb\nc"),
    "ruby": ("<p><ruby>麦<rp>(<rt>むぎ<rp>)</ruby>と</p>", "麦(むぎ)と"),
    "quotation": ("<p><q>a <b>b</b></q> <q>‘c’</q></p>", "“a b” ‘c’"),
    "source behind a quotation": ("<p>a.<cite>b</cite></p>", "a. b"),
    "an edit": ("<p><del>a</del><ins>b</ins>, c</p>", "a b, c"),
    "details": ("<details><summary>a</summary>b</details>", "a\n\nb"),
    "sign for a link to a heading": ("<h2>a<a href=#a>¶</a></h2>", "a"),
    "note": (
        "<p>a<sup>[<a href=#n>1</a>]</sup>.</p><ol><li id=n>b c<p>d</p></ol><p>e</p>",
        "a[1].\n\ne\n\n[1] b c\nd",
    ),
    "note in brackets": ("<p>a [<a href=#n>1</a>] b</p><p id=n>c d", "a [1] b\n\n[1] c d"),
    "lines in an item": ("<ul><li>a<br>b</ul>", "- a\n  b"),
    "definitions": ("<dl><dt>a<dd>b<dd><p>c<p>d</dl>", "a\n  b\n  c\n  d"),
    "table": ("<table><tr><th>a<th>b<tr><td>c<br>d<td>e</table>", "a\tb\nc d\te"),
    "empty cells": ("<table><tr><th><th>a<th>b<tr><td>c<td><td>d</table>", "\ta\tb\nc\t\td"),
    "blocks in a cell": ("<table><tr><th>a<td><p>b</p><p>c</p></table>", "a\tb c"),
    "caption": ("<table><caption>t</caption><tr><th>a<td>b</table>", "t\na\tb"),
    "layout table": ("<table><tr><td>a</table>", "a"),
    "pre": ("<pre>a\n  b<br>c</pre>", "a\n  b\nc"),
    "pre with blank lines": ("<pre>a\n\n\nb</pre>", "a\n\n\nb"),
    "pre in an item": ("<ul><li>a<pre>b\n c</pre></ul>", "- a\n  b\n   c"),
    "heading with blocks": ("<h1><div>a</div><div>b</div></h1>c", "a b\n\nc"),
    "quote": ("<blockquote><p>a<p>b</blockquote>", "a\n\nb"),
    "picture": ("<p>a <img src=x alt=y> b</p>", "a b"),
    "TeX": (
        "<p><math><semantics><mi>y</mi><annotation encoding='application/x-tex'>x"
        "</annotation></semantics></math></p>",
        "x",
    ),
    "markup in text": ("<p>&lt;b&gt; &amp;amp; *a*</p>", "<b> &amp; *a*"),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_text_is_as_expected_when_written(html: str, expected: str) -> None:
    """Each case must be written as its table says."""
    assert expected == document_keeping(html).text


def test_words_stay_apart_when_something_between_is_dropped() -> None:
    """Dropping a link between two words must not join them; punctuation stays attached."""
    document = document_keeping("<p>a<a href=x>b</a>c<a href=x>d</a>, e</p>", drop=["a"])
    assert "a c, e" == document.text
