"""Pages made to hurt: each a shape that grows with one number.

What a shape is made of is repeated ``n`` times, so that twice the number is twice the page. Each
row has a full size, with which the page is of the order of the largest that the web has or that
an attacker would send: 100,000 levels, a million attributes, 20 MB of text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["SHAPES", "Shape"]


@dataclass(frozen=True, slots=True)
class Shape:
    """One way of hurting."""

    build: Callable[[int], str]
    """The page of a size."""
    full: int
    """The size that the promises are about."""


def _nested(tag: str, inside: str = "word ") -> Callable[[int], str]:
    return lambda n: f"<p>start</p>{f'<{tag}>' * n}{inside}{f'</{tag}>' * n}"


def _worded(tag: str) -> Callable[[int], str]:
    """Nest elements that each have a word of their own."""
    return lambda n: f"<{tag}>word " * n + f"</{tag}>" * n


def _repeated(piece: str) -> Callable[[int], str]:
    return lambda n: piece * n


def _numbered(piece: str) -> Callable[[int], str]:
    return lambda n: "".join(piece.replace("#", str(i)) for i in range(n))


def _around(before: str, piece: str, after: str) -> Callable[[int], str]:
    return lambda n: before + piece * n + after


def _reopened(n: int) -> str:
    """Leave elements open in a paragraph, which are opened again in each of as many behind it."""
    return "<p>" + "".join(f"<b c={i}>" for i in range(n)) + "<p>w" * n


def _json_ld(n: int) -> str:
    """Build objects in objects, more than any JSON reader recurses."""
    data = '{"@type":"Article","hasPart":' * n + "{}" + "}" * n
    return f"<script type='application/ld+json'>{data}</script><p>word"


def _json_ld_wide(n: int) -> str:
    people = [{"@type": "Person", "name": f"Name {i}"} for i in range(n)]
    data = json.dumps({"@type": "Article", "author": people, "articleBody": "word " * n})
    return f"<script type='application/ld+json'>{data}</script><p>word"


def _long_base(n: int) -> str:
    """Build a base as long as all the links that are relative to it."""
    return f"<base href='https://x.example/{'b' * 15 * n}/'>" + "<a href=c>d</a> " * n


_SENTENCE: Final = "The grain was cut before the rain, and the barn was full by night. "

SHAPES: Final[Mapping[str, Shape]] = {
    # Depth.
    "div in div": Shape(_nested("div"), 100_000),
    "div in div, a word each": Shape(_worded("div"), 100_000),
    "span in span": Shape(_nested("span"), 100_000),
    "span in span, a word each": Shape(_worded("span"), 100_000),
    "table in table": Shape(_nested("table><tr><td"), 33_000),
    "ul in ul": Shape(_worded("ul><li"), 50_000),
    "ol in ol": Shape(_worded("ol><li"), 50_000),
    "blockquote in blockquote": Shape(_worded("blockquote"), 100_000),
    "b in b": Shape(_worded("b"), 100_000),
    "i and b in turn": Shape(_worded("i><b"), 50_000),
    "font in font": Shape(_worded("font"), 100_000),
    "a in a": Shape(_worded("a href=x"), 100_000),
    "sup in sup": Shape(_worded("sup"), 100_000),
    "details in details": Shape(_worded("details><summary>s</summary"), 50_000),
    "template in template": Shape(_worded("template"), 50_000),
    "svg in svg": Shape(_worded("svg><g"), 50_000),
    "math in math": Shape(_nested("mrow", "<mi>x</mi>"), 50_000),
    "names in names of a formula": Shape(
        lambda n: f"<p>w<math>{'<mi>{' * n}x{'</mi>' * n}</math>", 2_000
    ),
    # Width.
    "paragraphs": Shape(_repeated(f"<p>{_SENTENCE}"), 100_000),
    "siblings": Shape(_repeated("<i></i>"), 1_000_000),
    "siblings with text": Shape(_repeated("<p>w"), 500_000),
    "links": Shape(_numbered("<a href=/p/#>link #</a> "), 100_000),
    "links, a paragraph each": Shape(_numbered("<p><a href=/p/#>link #</a>"), 100_000),
    "list items": Shape(_repeated("<li>item"), 200_000),
    "table cells": Shape(_around("<table>", "<tr><td>a<td>b<td>c", ""), 50_000),
    "tables": Shape(_repeated("<table><tr><th>a<th>b<tr><td>1<td>2</table>"), 20_000),
    "wide row": Shape(_around("<table><tr>", "<td>a", "<tr><td>b<td>c</table>"), 100_000),
    "rows with spans": Shape(
        _around("<table>", "<tr><td rowspan=9 colspan=9>a<td>b", "</table>"), 20_000
    ),
    "headings": Shape(_numbered("<h2>Part #</h2><p>word"), 50_000),
    "images": Shape(_numbered("<img src=/i#.jpg alt='picture #'>"), 100_000),
    "line breaks": Shape(_repeated("word<br>"), 300_000),
    "definition lists": Shape(_repeated("<dl><dt>a<dd>b</dl>"), 50_000),
    "code lines": Shape(_around("<pre>", "let x = <b>1</b>;\n", "</pre>"), 100_000),
    "formulas": Shape(_repeated("<math><mi>x</mi><mo>=</mo><mn>1</mn></math> "), 30_000),
    "footnotes": Shape(
        _numbered("<p>w<sup><a href=#n#>#</a></sup></p><p id=n#><a href=#r#>^</a> note #</p>"),
        20_000,
    ),
    "references in no paragraph": Shape(
        lambda n: (
            "".join(f"<p>w</p><sup id=r{i}><a href=#n{i}>{i}</a></sup>" for i in range(n))
            + "<ol class=references>"
            + "".join(f"<li id=n{i}><a href=#r{i}>^</a> note {i}" for i in range(n))
        ),
        20_000,
    ),
    "comments of readers": Shape(
        _numbered(
            "<div class=comment id=c#><a class=author href=/u/#>user#</a>"
            "<time datetime=2024-01-01>then</time><p>I say so.</p></div>"
        ),
        30_000,
    ),
    # What an output may repeat.
    "links on a long base": Shape(_long_base, 100_000),
    "links on a base of a server's limit": Shape(
        _around(f"<base href='https://x.example/{'b' * 7900}/'>", "<a href=c>d</a> ", ""), 100_000
    ),
    "code in quotes": Shape(
        lambda n: f"{'<blockquote>' * n}<pre>{'w' + chr(10) * 8 * n}</pre>", 100_000
    ),
    "lines in quotes": Shape(lambda n: f"{'<blockquote>' * n}<p>{'w<br>' * n}", 100_000),
    "table in quotes": Shape(
        lambda n: f"{'<ol><li>' * n}<table>{'<tr><td>a<td>b' * n}</table>", 50_000
    ),
    "code in a note": Shape(
        lambda n: (
            "w<sup><a href=#n>1</a></sup><ol class=footnotes><li id=n>"
            f"{'<blockquote>' * n}<pre>{'w' + chr(10) * 8 * n}"
        ),
        50_000,
    ),
    "blocks below a hundred levels": Shape(_around("<div>" * 100, "<p>w", ""), 200_000),
    "blocks below long names": Shape(_around(f"<x-{'y' * 200}>" * 50, "<p>w", ""), 200_000),
    "sections below a long heading": Shape(
        lambda n: f"<h1>{'word ' * n}</h1>{'<h2>b</h2><p>w' * n}", 30_000
    ),
    # Names and attributes.
    "attributes of one element": Shape(
        lambda n: f"<p {' '.join(f'a{i}=1' for i in range(n))}>word", 1_000_000
    ),
    "one attribute, long": Shape(_around("<p title='", "x&lt;", "'>word"), 2_000_000),
    "classes of one element": Shape(
        lambda n: f"<p class='{' '.join(f'c{i}' for i in range(n))}'>word", 500_000
    ),
    "classes": Shape(_numbered("<p class=c#>w"), 200_000),
    "ids": Shape(_numbered("<p id=n#>w"), 200_000),
    "tag names": Shape(_numbered("<x-#>w</x-#>"), 200_000),
    "tag names, never closed": Shape(_numbered("<x#>w"), 20_000),
    "styles": Shape(_repeated("<p style='display:block;color:red'>w"), 100_000),
    # What is never closed, or never opened.
    "tags never closed": Shape(_repeated("<b><i><p>w"), 20_000),
    "formatting open in all behind it": Shape(_reopened, 20_000),
    "end tags alone": Shape(_repeated("</div></p></b>"), 300_000),
    "comments never closed": Shape(_repeated("<!-- w "), 1_000_000),
    "comments": Shape(_repeated("w<!-- c -->"), 500_000),
    "less-than signs": Shape(_repeated("<"), 5_000_000),
    "open tag never ended": Shape(_around("<p>w<a ", "b=c ", ""), 1_000_000),
    "misnested": Shape(_repeated("<a><div></a>w</div>"), 20_000),
    "foster parents": Shape(_around("<table>", "w<b>", "</table>"), 20_000),
    # Text.
    "one text": Shape(_repeated(_SENTENCE), 300_000),
    "one word": Shape(_repeated("x"), 20_000_000),
    "white space": Shape(_around("<p>word", " \n\t", "word"), 6_000_000),
    "entities": Shape(_repeated("&amp;&eacute;&#x4e2d;&notit;"), 500_000),
    "NUL and control characters": Shape(
        _around(_SENTENCE * 80, "a\0b\x01\x1f\x7f\x85", ""), 1_000_000
    ),
    "line ends of all kinds": Shape(_repeated("a\r\nb\rc\n"), 1_000_000),
    "bidirectional controls": Shape(_repeated("\u202eabc\u202c \u2066def\u2069 "), 500_000),
    "combining marks": Shape(_around("<p>a", "\u0301", ""), 5_000_000),
    "Chinese": Shape(_repeated("\u4e2d\u6587\u3002"), 3_000_000),
    "Markdown signs": Shape(_repeated("*_`[](<>)#|~\\!"), 500_000),
    "brackets": Shape(_repeated("["), 2_000_000),
    "backticks in code": Shape(
        lambda n: f"<code>{' '.join('`' * (i % 40) for i in range(n))}", 50_000
    ),
    "stars in emphasis": Shape(_repeated("<em>*</em>"), 100_000),
    "dates": Shape(_repeated("<p>12 March 2024, 10:00 "), 100_000),
    "bylines": Shape(_repeated("<p class=byline>By Ann Bee and Cy Dee"), 50_000),
    # What patterns of names, formulas and dates are slow to refuse.
    "commands in a picture's text": Shape(
        _around("<p>w<img src=a.png alt='", "\\aa ", "'>"), 30_000
    ),
    "spaces in a formula": Shape(
        _around("<p>w<script type=math/tex><![CDATA[", " ", "x</script>"), 1_000_000
    ),
    "underscores in a class": Shape(_around("<p class='", "_", "'>w"), 1_000_000),
    "openings of formulas": Shape(_around("<p><em>", "\\(\\alpha ", "</em>"), 100_000),
    "environments never closed": Shape(_around("<p>", "\\begin{align}x ", "</p>"), 100_000),
    "formulas in signs": Shape(
        lambda n: f"<p>w<img class=tex src=a.png alt='{'$$' * n}x{'$$' * n}'>", 100_000
    ),
    "spaces in a title": Shape(_around("<title>a", " \u00a0", "b</title><p>w"), 300_000),
    "candidates of a srcset": Shape(_around("<p>w<img srcset='a.jpg", ",", " 1x'>"), 1_000_000),
    "letters in an address": Shape(
        _around("<p>w<img src=/a.jpg><img src='", "jpg.", "'>"), 300_000
    ),
    "dots in a profile": Shape(_around("<p>w<a href='/u", "/", "'>x</a>"), 300_000),
    "headings in headings, empty": Shape(_nested("h2", "<br>"), 50_000),
    "names in a byline": Shape(
        _around("<p class=byline>By Ann Bee", " Guest and ", "</p><p>word"), 100_000
    ),
    "digits": Shape(_repeated("1234567890"), 1_000_000),
    "forms without a field": Shape(
        _around("<p>word", "<form><button>x</button></form>", "<p>word"), 20_000
    ),
    "titles and headings": Shape(
        _numbered("<meta property=og:title content='The title number #'><h2>A heading, #</h2><p>w"),
        20_000,
    ),
    # What no reader sees.
    "inline script": Shape(_around("<script>", "var a=1<2;", "</script><p>word"), 2_000_000),
    "scripts": Shape(_repeated("<script>1</script>"), 200_000),
    "state in a script": Shape(
        lambda n: f"<script>window.__STATE__={json.dumps({'a': [{'b': 'word'}] * n})}</script>",
        200_000,
    ),
    "svg paths": Shape(_around("<svg>", "<path d='M0 0L1 1'/>", "</svg><p>word"), 200_000),
    "picture as data": Shape(
        _around("<img src='data:image/png;base64,", "AAAA", "'><p>word"), 3_000_000
    ),
    "JSON-LD, deep": Shape(_json_ld, 100_000),
    "JSON-LD, wide": Shape(_json_ld_wide, 100_000),
    "meta": Shape(_numbered("<meta name=n# content=c>"), 200_000),
    "microdata": Shape(_numbered("<p itemscope itemtype=x itemprop=y#>w</p>"), 50_000),
    "hidden": Shape(_repeated("<p hidden>w<p style='display:none'>v"), 100_000),
    "details": Shape(_repeated("<details><summary>w</summary>v</details>"), 100_000),
    "posts with a time": Shape(
        _repeated("<article class=a><time datetime=2020-01-01>1</time><p>w</article>"), 50_000
    ),
    "slots": Shape(
        _repeated("<div><template shadowrootmode=open><slot></slot><p>w</template><p>v</div>"),
        50_000,
    ),
    "words for screen readers": Shape(_repeated("<p>w <span class=sr-only>v</span> u"), 100_000),
    "rules of a style sheet": Shape(
        lambda n: (
            f"<style>{''.join(f'.c{i}{{display:none}}' for i in range(n))}</style>"
            + "".join(f"<p class=c{i}>w" for i in range(n))
        ),
        50_000,
    ),
    "srcset": Shape(
        lambda n: f"<p>word<img srcset='{', '.join(f'/{i}.jpg {i + 1}w' for i in range(n))}'>",
        100_000,
    ),
}
"""Every shape by what is hurtful about it."""
