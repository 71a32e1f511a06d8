"""Markdown: each case is markup of real pages and its expected output."""

from __future__ import annotations

from typing import Final

import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher import WriteOptions

BLOCKS: Final[dict[str, tuple[str, str]]] = {
    "divs side by side": ("<div>one</div><div>two</div>three", "one\n\ntwo\n\nthree"),
    "two line breaks": ("<p>a<br>b<br><br>c<br></p>", "a  \nb\n\nc"),
    "bold over two paragraphs": ("<b>a<br><br>b</b>", "**a**\n\n**b**"),
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
    "code in an item": ("<ul><li>a<pre>b\n  c</pre></li></ul>", "- a\n  ```\n  b\n    c\n  ```"),
    "definitions": ("<dl><dt>a</dt><dd>b</dd></dl>", "a\n: b"),
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
    "Chinese with a full stop": ("<p>早<b>茶。</b>晚</p>", "早**茶**。晚"),
    "Chinese in quotation marks": ("<p>早<b>“茶”</b>晚</p>", "早“**茶**”晚"),
    "no-break space at edges": ("<h2>a&nbsp;b&nbsp;</h2><p>&nbsp;c&nbsp;", "## a b\n\nc"),
    "no-break space in a line": ("<p>a&nbsp;b<br>&nbsp;c</p>", "a\u00a0b  \nc"),
    "no-break space beside code": ("<p>a&nbsp;<code>b</code></p>", "a\u00a0`b`"),
    "ideographic space": ("<p>　　早茶</p>", "早茶"),
    "decimal number first": ("<p>10.9 secs</p>", "10.9 secs"),
    "date first": ("<p><time>14.10.2020</time> a</p>", "14.10.2020 a"),
    "hash and word first": ("<p>#a # b</p>", "#a # b"),
    "sign and number first": ("<p>-5<p>+49 30", "-5\n\n+49 30"),
    "list marker first": ("<p>14. a<p>+ b<p># c<p>- d", "14\\. a\n\n\\+ b\n\n\\# c\n\n\\- d"),
    "soft hyphen": (
        "<p>a\u00adb <a href=/x title='c\u00add'>e</a></p>",
        'ab [e](https://site.example/x "cd")',
    ),
    "line end in an alternative text": (
        "<img src=/a alt='a\nb'>",
        "![a b](https://site.example/a)",
    ),
    "links in code": (
        "<p><code>f(a: <a href=/u>u</a>) -&gt; <a href=/v>V</a></code></p>",
        "`f(a:` [`u`](https://site.example/u)`) ->` [`V`](https://site.example/v)",
    ),
    "link in code in bold": (
        "<p><b><code>a<a href=/u>u</a></code></b></p>",
        "**`a`[`u`](https://site.example/u)**",
    ),
    "Chinese without": ("<p>早<b>茶</b>晚</p>", "早**茶**晚"),
    "over a line break": ("<p><b>a<br>b</b></p>", "**a  \nb**"),
    "struck out": ("<p>a <del>b</del> <s>c</s></p>", "a ~~b~~ ~~c~~"),
    "raised and bold": ("<p>a<sup><b>b</b></sup></p>", "a<sup>**b**</sup>"),
    "raised in code": ("<p><code>a<sup>2</sup></code></p>", "`a²`"),
    "raised link": ("<p>a<sup><a href=/x>b</a></sup></p>", "a[b](https://site.example/x)"),
    "ruby": ("<p><ruby>麦<rt>むぎ</ruby>と</p>", "麦(むぎ)と"),
    "quotation": ("<p><q>a</q></p>", "“a”"),
    "source behind a quotation": ("<p>a.<cite>b</cite>c</p>", "a. b c"),
    "in code": ("<pre><b>a</b></pre>", "```\na\n```"),
    "small signs": (
        "<p>H<sub>2</sub>O <small>a</small> <mark>b</mark></p>",
        "H<sub>2</sub>O a <mark>b</mark>",
    ),
    "highlighted": (
        "<p>a<mark> b</mark><code><mark>c</mark></code><mark></mark>",
        "a <mark>b</mark>`c`",
    ),
    "a number that begins a line": ("<p><sup>1. </sup>a</p>", "<sup>1.</sup> a"),
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
    "Doxygen's lines": (
        "<div class=fragment><div class=line><span class=lineno>    1</span>a</div>\n"
        "<div class=line><span class=lineno>    2</span>  b</div></div>",
        "```\na\n  b\n```",
    ),
    "fence inside": ("<pre>```</pre>", "````\n```\n````"),
}

HEADINGS: Final[dict[str, tuple[str, str]]] = {
    "by its role": ("<div role=heading aria-level=3>a</div>b", "### a\n\nb"),
    "without a level": ("<p role=heading>a", "## a"),
    "levels left out": (
        "<h1>a</h1><h4>b</h4><h6>c</h6><h4>d</h4>",
        "# a\n\n#### b\n\n###### c\n\n#### d",
    ),
    "levels that begin low": ("<h3>a</h3><h4>b</h4>", "### a\n\n#### b"),
    "a sign for a link": ("<h2><a class=anchor href=#a>#</a> a<a href=#a>¶</a></h2>", "## a"),
    "nothing but a sign": ("<h2><a href=#a>#</a></h2><p>b", "b"),
    "a link to itself": ("<h2 id=a><a href=#a>a</a></h2>", "## a"),
    "a link elsewhere": ("<h2><a href=/x#a>a</a></h2>", "## [a](https://site.example/x#a)"),
}

NOTES: Final[dict[str, tuple[str, str]]] = {
    "list of notes": (
        "<p>a<a href=#fn1 id=r1><sup>1</sup></a> b</p>"
        "<hr><ol><li id=fn1><p>c d <a href=#r1>↩</a></p></li></ol>",
        "a[^1] b\n\n[^1]: c d",
    ),
    "paragraphs that lead back": (
        "<p>a<a href=#_ftn1 name=_ftnref1>[1]</a></p>"
        "<p><a href=#_ftnref1 name=_ftn1>[1]</a> c d</p>",
        "a[^1]\n\n[^1]: c d",
    ),
    "two references to a note": (
        "<p>a<sup><a id=x href=#n>1</a></sup> b<sup><a id=y href=#n>1</a></sup></p>"
        "<ul><li id=n>^ <a href=#x>a</a> <a href=#y>b</a> c d</ul>",
        "a[^1] b[^1]\n\n[^1]: c d",
    ),
    "several paragraphs": (
        "<p>a<sup>[<a href=#n>1</a>]</sup>.</p><div id=n><p>1. b c</p><ul><li>d</ul><p>e</div>",
        "a[^1].\n\n[^1]: b c\n\n    - d\n\n    e",
    ),
    "blocks behind anchors": (
        "<p>a<a href=#one><sup>1</sup></a> b<a href=#two><sup>2</sup></a></p>"
        "<p><a name=one>1.</a> c d<br><br><a name=two>2.</a> e f</p>",
        "a[^1] b[^2]\n\n[^1]: c d\n\n[^2]: e f",
    ),
    "terms and definitions": (
        "<p>a <a href=#d id=r class=footnote>1</a></p><dl><dt id=d><a href=#r>1</a><dd>c d</dl>",
        "a [^1]\n\n[^1]: c d",
    ),
    "a star": ("<p>a<sup><a href=#n>*</a></sup></p><p id=n>* b c</p>", "a[^1]\n\n[^1]: b c"),
    "the same mark twice": (
        "<p>a<sup><a href=#n>1</a></sup></p><p id=n>b c</p>"
        "<p>d<sup><a href=#m>1</a></sup></p><p id=m>e f</p>",
        "a[^1]\n\nd[^2]\n\n[^1]: b c\n\n[^2]: e f",
    ),
    "in brackets": ("<p>a [<a href=#n>1</a>] b</p><p id=n>c d</p>", "a [^1] b\n\n[^1]: c d"),
    "no reference": ("<p>a</p><ol><li id=n>b c</ol>", "a\n\n1. b c"),
    "no note": (
        "<p>a<sup><a href=#n>1</a></sup></p>",
        "a[1](https://site.example/dir/page.html#n)",
    ),
    "a table of contents": (
        "<p><a href=#n>1</a></p><h2 id=n>a</h2><p>b",
        "[1](https://site.example/dir/page.html#n)\n\n## a\n\nb",
    ),
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
    "no TeX": ("<p>a <math><mi>x</mi><mo>=</mo><mn>1</mn></math></p>", "a $x=1$"),
    "in KaTeX": (
        "<p>a <span class=katex><span class=katex-mathml><math><semantics><mi>x</mi>"
        "<annotation encoding='application/x-tex'>x_1</annotation></semantics></math></span>"
        "<span class=katex-html aria-hidden=true><i>x</i>1</span></span>-fold</p>",
        "a $x_1$-fold",
    ),
    "with a picture for browsers without": (
        "<p><span class=mwe-math-element><math alttext='{\\displaystyle x}'><mi>x</mi></math>"
        "<img class=mwe-math-fallback-image-inline src=/x.svg alt='{\\displaystyle x}'></span></p>",
        "$x$",
    ),
    "as a picture": ("<p><img class=latex src=/a.png alt='$a^2$'> b</p>", "$a^2$ b"),
    "noted in an attribute": ("<p><span data-math='a^2'><i>a</i>2</span> b</p>", "$a^2$ b"),
    "TeX that looks like markup": (
        "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>a&lt;b [c](d)"
        "</annotation></semantics></math>",
        r"$a\lt b [c]{}(d)$",
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
        "| a | b |\n| --- | --- |\n| `1`<br>`2` | 3 |",
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
        ("a * b", "a * b"),
        ("&lt;b&gt;", "&lt;b>"),
        ("&amp;amp;", "&amp;amp;"),
        ("[a](b)", r"\[a&#93;(b)"),
        ("`a`", r"\`a\`"),
    )
}

CASES: Final = (
    BLOCKS | HEADINGS | NOTES | LISTS | LINKS | INLINE | CODE | FORMULAS | TABLES | ESCAPES
)


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_markdown_is_as_expected_when_written(html: str, expected: str) -> None:
    """Each case must be written as its table says."""
    assert expected == document_keeping(html).markdown


def test_words_stay_when_a_line_break_is_in_bold() -> None:
    """A bold text must stay whole: turbohtml 1.15 with a converter for bold loses "May" here."""
    html = "<p><b>fourteen chars<br>z</b></p><p><b>Ripe grain in May</b> rye</p>"
    assert document_keeping(html).markdown.endswith("**Ripe grain in May** rye")


def test_only_link_texts_are_written_when_links_are_off() -> None:
    """Without links their texts must stay, and media must be omitted."""
    document = document_keeping("<p><a href=/x>a</a> b</p><iframe src=/f></iframe>")
    assert "a b" == document.write("markdown", WriteOptions(links=False))


def test_no_image_is_written_when_images_are_off() -> None:
    """Without images a link around one must vanish too."""
    document = document_keeping("<p>a <a href=/x><img src=/p.png></a></p>")
    assert "a" == document.write("markdown", WriteOptions(images=False))


def test_front_matter_comes_first_when_metadata_is_on() -> None:
    """The metadata must be between lines of dashes before the text."""
    document = document_keeping("<title>T: &quot;t&quot;</title><p>a</p>")
    written = document.write("markdown", WriteOptions(metadata=True))
    assert written.startswith("---\n")
    assert written.endswith('---\n\n# T: "t"\n\na')


def test_marks_are_dropped_when_the_page_has_their_characters() -> None:
    """The noncharacters that serve as marks must not be read as such when a page contains them."""
    assert "ab" == document_keeping("<p>a\ufdd0\ufdd5b\U0005ffff</p>").markdown


MATHJAX = "<script src=https://maths.example/MathJax.js></script>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"{MATHJAX}<p>Of \\(n\\) sacks, \\[ a_n < 2 \\]", "Of $n$ sacks, $$a_n \\lt  2$$"),
        (f"{MATHJAX}<p>So <b>\\(n\\)</b> <code>\\(n\\)</code>", "So **$n$** `\\(n\\)`"),
        ("<p>Of \\(n\\) sacks", "Of \\\\(n\\\\) sacks"),
    ],
    ids=["shown by a script", "not in code", "shown by none"],
)
def test_raw_tex_is_a_formula_when_a_script_shows_it(html: str, expected: str) -> None:
    """TeX must be written as a formula if a script of the page renders it, otherwise as text."""
    assert expected == document_keeping(html).markdown


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<details><summary>Why?</summary><p>So.</details>", "**Why?**\n\nSo."),
        ("<details><summary><b>Why</b> so?</summary><p>So.</details>", "**Why** so?\n\nSo."),
        (
            "<h2>Rye<span class=mw-editsection>[<a href=/e>edit</a>]</span></h2><p>So.",
            "## Rye\n\nSo.",
        ),
    ],
)
def test_markdown_when_headings_are_of_another_kind(html: str, expected: str) -> None:
    """A summary must stand out as on the page; a heading must lose its edit link."""
    assert expected == document_keeping(f"<body>{html}").markdown
