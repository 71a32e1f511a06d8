"""Markdown: each case is markup that real pages have, and what must become of it."""

from __future__ import annotations

from typing import Final

import pytest

from tests.fixture_pages import document_keeping
from thresher import WriteOptions

BLOCKS: Final[dict[str, tuple[str, str]]] = {
    "divs side by side": ("<div>one</div><div>two</div>three", "one\n\ntwo\n\nthree"),
    "two line breaks": ("<p>a<br>b<br><br>c<br></p>", "a  \nb\n\nc"),
    "bold over two paragraphs": ("<b>a<br><br>b</b>", "a\n\nb"),
    "heading with a line break": ("<h2>a<br>b</h2>", "## a b"),
    "heading with blocks": ("<h2><div>a</div><div>b</div></h2>", "## a b"),
    "heading in bold": ("<h2><b>a</b></h2>", "## a"),
    "empty heading": ("<h2></h2><p>a</p>", "a"),
    "quote": ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
    "rule between": ("<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"),
    "form": ("<label>a</label><button>b</button><select><option>c<option>d", "a\n\nb\n\nc\n\nd"),
    "figure": (
        "<figure><img src=/a.png alt=b><figcaption>c</figcaption></figure>",
        "![b](https://site.example/a.png)\n\nc",
    ),
    "noscript": ("<noscript><p>a</p></noscript>", "a"),
    "custom elements": ("<x-a>a<x-b>b</x-b><x-b>c</x-b></x-a>", "ab c"),
}

LISTS: Final[dict[str, tuple[str, str]]] = {
    "paragraphs in items": ("<ul><li><p>a</p></li><li><div>b</div></li></ul>", "- a\n- b"),
    "several blocks in an item": ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"),
    "list in an item": ("<ul><li>a<ul><li>b</li></ul></li></ul>", "- a\n  - b"),
    "text after the list in an item": (
        "<ul><li>a<ul><li>b</li></ul>c</li></ul>",
        "- a\n\n  - b\n\n  c",
    ),
    "list right in a list": ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
    "text right in a list": ("<ul>a<li>b</li></ul>", "- a\n- b"),
    "item without a list": ("<div><li>a</li></div>", "a"),
    "numbers from five": ("<ol start=5><li>a</li><li>b</li></ol>", "5. a\n6. b"),
    "code in an item": (
        "<ul><li>a<pre>b\n  c</pre></li></ul>",
        "- a\n  ```\n  b\n    c\n  ```",
    ),
    "definitions": ("<dl><dt>a</dt><dd>b</dd></dl>", "a\n\nb"),
    "menu": ("<menu><li>a</li></menu>", "- a"),
}

LINKS: Final[dict[str, tuple[str, str]]] = {
    "link": ('<p><a href="/x" title="t">a</a></p>', '[a](https://site.example/x "t")'),
    "space in the address": ('<p><a href="/x y">a</a></p>', "[a](https://site.example/x%20y)"),
    "links with nothing between": (
        "<p><a href=/x>a</a><a href=/y>b</a></p>",
        "[a](https://site.example/x) [b](https://site.example/y)",
    ),
    "picture right behind a link": (
        "<p><a href=/x>a</a><img src=/p.png alt=p></p>",
        "[a](https://site.example/x) ![p](https://site.example/p.png)",
    ),
    "empty link": ("<p>a <a href=/x></a>b</p>", "a b"),
    "link of white space": ("<p>a<a href=/x> </a>b</p>", "a b"),
    "anchor": ("<p><a name=x>a</a></p>", "a"),
    "picture in a link": (
        "<a href=/x><img src=/p.png alt=p></a>",
        "[![p](https://site.example/p.png)](https://site.example/x)",
    ),
    "link around a heading and a paragraph": (
        "<a href=/x><h3>a</h3><p>b</p></a>",
        "### [a](https://site.example/x)\n\nb",
    ),
    "link around a picture and a heading": (
        "<a href=/x><div><img src=/p.png></div><h3>a</h3></a>",
        "![](https://site.example/p.png)\n\n### [a](https://site.example/x)",
    ),
    "link around divs": (
        "<a href=/x><div>a</div><div>b</div></a>",
        "[a](https://site.example/x)\n\nb",
    ),
    "link around one div": ("<a href=/x><div>a</div></a>", "[a](https://site.example/x)"),
    "brackets in a link": ("<p><a href=/x>[1]</a></p>", r"[\[1\]](https://site.example/x)"),
}

INLINE: Final[dict[str, tuple[str, str]]] = {
    "white space inside": ("<p>a<b> b </b>c</p>", "a **b** c"),
    "beside letters": ("<p>a<b>b</b>c</p>", "a**b**c"),
    "one in the other": ("<p><b><strong>a</strong></b></p>", "**a**"),
    "one behind the other": ("<p><b>a</b><b>b</b></p>", "**ab**"),
    "two kinds": ("<p><b>a <i>b</i></b></p>", "**a *b***"),
    "two kinds side by side": ("<p><b>a</b><i>b</i></p>", "**a**b"),
    "of nothing": ("<p>a<b> </b>b</p>", "a b"),
    "ends in a colon before a letter": ("<p><b>a:</b>b</p>", "a:b"),
    "ends in a colon before a space": ("<p><b>a:</b> b</p>", "**a:** b"),
    "Chinese with a full stop": ("<p>早<b>茶。</b>晚</p>", "早茶。晚"),
    "Chinese without": ("<p>早<b>茶</b>晚</p>", "早**茶**晚"),
    "over a line break": ("<p><b>a<br>b</b></p>", "**a  \nb**"),
    "struck out": ("<p>a <del>b</del> <s>c</s></p>", "a ~~b~~ ~~c~~"),
    "in code": ("<pre><b>a</b></pre>", "```\na\n```"),
    "small signs": ("<p>H<sub>2</sub>O <small>a</small> <mark>b</mark></p>", "H2O a b"),
    "a number that begins a line": ("<p><sup>1. </sup>a</p>", r"1\. a"),
    "a bold number glued to a word": ("<p><b>1.</b>a</p>", r"1\.a"),
    "a bold sign that cannot be bold": ("<p><b>#</b> <i></i>a</p>", "**#** a"),
}

CODE: Final[dict[str, tuple[str, str]]] = {
    "backticks in code": ("<p><code>a`b</code> <code>``</code></p>", "``a`b`` ` `` `"),
    "code behind code": ("<p><code>a</code><kbd>b</kbd></p>", "`ab`"),
    "code in a link": ("<a href=/x><code>a</code></a>", "[`a`](https://site.example/x)"),
    "tags in code": ("<p><code>&lt;b&gt;</code></p>", "`<b>`"),
    "language of pre": ('<pre class="language-py">a</pre>', "```py\na\n```"),
    "language of code": ('<pre><code class="lang-js x">a</code></pre>', "```js\na\n```"),
    "language around": ('<div class="highlight-c"><div><pre>a</pre></div></div>', "```c\na\n```"),
    "line breaks": ("<pre>a<br>b<br><br>c</pre>", "```\na\nb\n\nc\n```"),
    "lines in divs": ("<pre><div>a</div><div>  b</div></pre>", "```\na\n  b\n```"),
    "fence inside": ("<pre>```</pre>", "````\n```\n````"),
}

FORMULAS: Final[dict[str, tuple[str, str]]] = {
    "TeX": (
        "<p>a <math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x^2"
        "</annotation></semantics></math></p>",
        "a $x^2$",
    ),
    "TeX on its own": (
        "<math display=block><semantics><mi>x</mi><annotation encoding='application/x-tex'>x"
        "</annotation></semantics></math>",
        "$$x$$",
    ),
    "no TeX": ("<p>a <math><mi>x</mi><mo>=</mo><mn>1</mn></math></p>", "a x=1"),
    "TeX that looks like markup": (
        "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>a&lt;b [c](d)"
        "</annotation></semantics></math>",
        r"$a\lt b [c] (d)$",
    ),
}

TABLES: Final[dict[str, tuple[str, str]]] = {
    "header cells": (
        "<table><tr><th>a<th>b<tr><td>1<td>2</table>",
        "| a | b |\n| --- | --- |\n| 1 | 2 |",
    ),
    "a bar and a line break": (
        "<table><tr><th>a<th>b<tr><td>1|2<td>3<br>4</table>",
        "| a | b |\n| --- | --- |\n| 1\\|2 | 3<br>4 |",
    ),
    "emphasis with a bar": (
        "<table><tr><th>a<th>b<tr><td><b>1|2</b><td>3</table>",
        "| a | b |\n| --- | --- |\n| **1\\|2** | 3 |",
    ),
    "paragraphs and lists in cells": (
        "<table><tr><th>a<th>b<tr><td><p>1</p><p>2</p><td><ul><li>3<li>4</ul></table>",
        "| a | b |\n| --- | --- |\n| 1<br>2 | - 3<br>- 4 |",
    ),
    "code in a cell": (
        "<table><tr><th>a<th>b<tr><td><pre>1\n2</pre><td><h4>3</h4></table>",
        "| a | b |\n| --- | --- |\n| `1 2` | 3 |",
    ),
    "cells over columns and rows": (
        "<table><tr><th colspan=2>a<tr><td rowspan=2>1<td>2<tr><td>3</table>",
        "| a |  |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |",
    ),
    "rows of unequal length": (
        "<table><tr><td>a<td>b<tr><td>c</table>",
        "| a | b |\n| --- | --- |\n| c |  |",
    ),
    "an empty cell": (
        "<table><tr><td>a<td>b<tr><td><td>c</table>",
        "| a | b |\n| --- | --- |\n|  | c |",
    ),
    "one column": ("<table><tr><td>a<tr><td>b</table>", "a\n\nb"),
    "one row": ("<table><tr><td>a<td>b</table>", "a\n\nb"),
    "presentation": (
        "<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>",
        "a\n\nb\n\nc\n\nd",
    ),
    "heading in a cell": (
        "<table><tr><td><h2>a</h2><td>b<tr><td>c<td>d</table>",
        "## a\n\nb\n\nc\n\nd",
    ),
    "table in a cell": (
        "<table><tr><td><table><tr><th>a<td>b</table><td>c<tr><td>d<td>e</table>",
        "| a | b |\n| --- | --- |\n\nc\n\nd\n\ne",
    ),
    "caption": (
        "<table><caption>t</caption><tr><th>a<td>b</table>",
        "t\n\n| a | b |\n| --- | --- |",
    ),
}

ESCAPES: Final[dict[str, tuple[str, str]]] = {
    text: (f"<p>{text}</p>", expected)
    for text, expected in (
        ("# a", r"\# a"),
        ("- a", r"\- a"),
        ("1. a", r"1\. a"),
        ("&gt; a", r"\> a"),
        ("a * b", r"a \* b"),
        ("&lt;b&gt;", r"\<b>"),
        ("&amp;amp;", r"\&amp;"),
        ("[a](b)", r"\[a\](b)"),
        ("`a`", r"\`a\`"),
    )
}

CASES: Final = BLOCKS | LISTS | LINKS | INLINE | CODE | FORMULAS | TABLES | ESCAPES


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_markdown_is_as_expected_when_written(html: str, expected: str) -> None:
    """Each case must be written as its table says."""
    assert expected == document_keeping(html).markdown


def test_words_stay_when_a_line_break_is_in_bold() -> None:
    """A bold text must stay whole: turbohtml 1.15 with a converter for bold loses "May" here."""
    html = "<p><b>fourteen chars<br>z</b></p><p><b>Ripe grain in May</b> rye</p>"
    assert document_keeping(html).markdown.endswith("**Ripe grain in May** rye")


def test_only_link_texts_are_written_when_links_are_off() -> None:
    """Without links their texts must stay, and films must leave nothing."""
    document = document_keeping("<p><a href=/x>a</a> b</p><iframe src=/f></iframe>")
    assert "a b" == document.write("markdown", WriteOptions(links=False))


def test_no_picture_is_written_when_images_are_off() -> None:
    """Without pictures a link around one must vanish too."""
    document = document_keeping("<p>a <a href=/x><img src=/p.png></a></p>")
    assert "a" == document.write("markdown", WriteOptions(images=False))


def test_front_matter_comes_first_when_metadata_is_on() -> None:
    """The metadata must stand between dashes before the text."""
    document = document_keeping("<title>T: &quot;t&quot;</title><p>a</p>")
    written = document.write("markdown", WriteOptions(metadata=True))
    assert written.startswith("---\n")
    assert written.endswith("---\n\na")


def test_marks_are_dropped_when_the_page_has_their_characters() -> None:
    """The noncharacters that serve as marks must not be read as such when a page has them."""
    assert "ab" == document_keeping("<p>a\ufdd0\ufdd6b\ufddc</p>").markdown
