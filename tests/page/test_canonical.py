"""The canonical HTML of a page, by the compiled step and by the parser."""

from __future__ import annotations

import random
from importlib.metadata import requires

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.compiled_steps import canonicalise_by_step, compiled_steps, needs_steps
from tests.helpers.drawn_markup import draw_markup
from thresher.native import CLOSED_AS_XML, REFUSALS
from thresher.page import canonical
from thresher.page.canonical import canonicalise, canonicalise_fragment

KERNEL = "thresher.page.canonical.canonicalise"
TAKEN = {
    "nothing": "",
    "implied root": "a<p>b",
    "spelled out": "<!doctype html><html lang=de><head><title>a</title></head><body>b</body>",
    "second body": "x<body class=a id=b><p>y<body class=c title=d><html lang=e>",
    "behind the head": "<head></head> <link> <script>a</script> <body>b",
    "head ended by a picture": "<head><noscript><img></noscript><meta><title>x</title>",
    "behind the body": "<body><div>a</body> </html> b<p>c",
    "comments": "a<!-- b --><!--> c<!--->d<!--e--!>f<!x>i<!---->",
    "scripts": "<script>a</script ><script><!--<script></script>b--></script>c<script><!--"
    "</script>d",
    "raw text": "<style>a<b></style><iframe><p></iframe><noembed><p></noembed><textarea>\n\na<b>"
    "</textarea>",
    "paragraphs": "<p>a<p>b<div>c<p>d</div>e</p>f<ul><li>g<p>h<li>i<ul><li>j</ul></ul>k",
    "headings": "<h1>a<h2>b</h1>c</h2><p>d<h3>e",
    "definitions": "<dl><dt>a<dd>b<dt>c<div><dd>d</dl>e",
    "preformatted": "<pre>\n\na</pre><pre><b>\n</b></pre><pre>\r\nb</pre>"
    "<listing><!-- -->\nc</listing>",
    "formatting": "<p><b>a<i>b</b>c<p>d</i>e<a href=1>f<a href=2>g</a></a><code>h",
    "three alike": "<p><b a=1 c=2><b c=2 a=1><b a=1 c=2><b a=1 c=2><p>x",
    "nobr": "<nobr>a<nobr>b</nobr>c",
    "objects": "<b><object>a<i>b</object>c<marquee>d</b>e</marquee>f",
    "button": "<button>a<p>b<button>c</button>d",
    "form": "<form><div>a</form>b</div>c<form>d<form>e</form>f<table><form><tr><td>g</table>",
    "select": "<select><option>a<optgroup><option>b<hr><option>c</select>d<select><select>e"
    "<select><input>",
    "ruby": "<ruby>a<rb>b<rt>c<rtc>d<rp>e</ruby>f",
    "tables": "<!doctype html><p>a<table><caption>b<col><tr><td>c<th>d<tbody><tr>e</table>".replace(
        "<tr>e", "<tr><td>e"
    )
    + "<table><td>f<table><td>g</table></table>h",
    "table in a paragraph": "<p>a<table><tr><td>b</table>c",
    "parts of tables elsewhere": "<tr>a</td><tbody>b</table><caption>c",
    "hidden input": "<table><tr><td>a</td><input type=hidden></table>",
    "templates": "<template><tr><td>a</template>"
    "<template><li>b<template>c</template></li></template>"
    "<template>d",
    "drawing": "<svg viewbox=1 xlink:href=a><lineargradient/><title><p>a</title>"
    "<foreignobject><div>b"
    "</foreignobject><style>c</style><g><p>d</svg>e",
    "formula": "<math definitionurl=a><mi>x<b>y</b></mi><mo/><mtext><svg><path/></svg></mtext>"
    "</math>z",
    "references": "&lt;&amp&nbsp;\xa0&copyx&notit &#x80;&#0;&#xD800;&#x110000;&;&#;&#x;"
    "&quot;\xe9\xc2"
    "<p title='&amp;&lt&nbsp;\xa0&quot;\"<>&copy=1&copy;'>",
    "attributes": '<p A=1 a=2 =b= "c" d/e/f g=h/ i=\'j\'k l="m" ><br/><div<p>n</div<p>',
    "line ends": "<p\r\ntitle='a\r\nb\rc'>d\r\ne\rf",
    "cut in a tag": "<p>a<b title='c",
    "cut in an end tag": "<title>a</title",
    "a lone <": "a < b <3 c<",
    "breaks": "a</br>b</p>c<image src=d>e<p>f<hr>g",
    "custom elements": "<x-y><p>a</x-y>b<xy-\xe9>c</xy-\xe9>",
    "instruction for XML": "<?xml version='1.0'?><p>a<?xml:namespace prefix='o'?>b",
}
"""Pages that the step takes."""
REFUSED_PAGES = {
    "block in formatting": "<b><p>a</b>b</p>",
    "text in a table": "<table>a<tr><td>b</table>",
    "element in a table": "<table><div>a</div></table>",
    "frames": "<frameset><frame></frameset>",
    "plain text": "<xmp>a</xmp>",
    "formula in a script": "<script type='math/tex'>a</script>",
    "rare reference": "<p>&NotEqualTilde;",
    "instruction": "<p><?php a>",
    "CDATA": "<svg><![CDATA[a]]></svg>",
    "unknown doctype": "<!doctype x><p><table><td>a</table>",
    "zero": "<p>a\0b",
    "newline as a number": "<pre>&#10;a</pre>",
    "depth": "<div>" * 300,
}
"""Pages that are left to the parser."""


@needs_steps
@pytest.mark.parametrize("html", TAKEN.values(), ids=TAKEN)
def test_step_writes_what_the_parser_writes(html: str) -> None:
    """Each construct comes out byte for byte as by the parser."""
    assert canonicalise.definition(html.encode()) == canonicalise_by_step(html)


@needs_steps
@pytest.mark.parametrize("html", REFUSED_PAGES.values(), ids=REFUSED_PAGES)
def test_step_refuses_what_only_a_tree_tells(html: str) -> None:
    """Misplaced content and rare constructs must be left to the parser."""
    assert canonicalise_by_step(html) is None
    assert canonicalise.definition(html.encode()) == canonicalise(html.encode())


@given(st.integers(0, 2**32))
def test_misplaced_markup_is_written_as_by_the_parser(seed: int) -> None:
    """Few names that meet in every order: what is taken is the parser's."""
    html = draw_markup(random.Random(seed))
    assert canonicalise.definition(html.encode()) == canonicalise(html.encode())


@needs_steps
@given(st.binary(max_size=200), st.integers(0, 300), st.integers(0, 20))
def test_step_takes_any_bytes(source: bytes, n_room: int, n_element: int) -> None:
    """Broken UTF-8 and too little room are no harm: sizes within the room, or none."""
    for asks in (0, 1):
        written = compiled_steps().canonicalise(source, n_room, n_element, asks)
        if written is not None:
            size, (n_found,), canonical_html, tags = written
            assert CLOSED_AS_XML <= size <= n_room
            assert max(size, 0) == canonical_html.size
            assert 0 <= n_found <= n_element
            assert (tags[:n_found] <= len(source)).all()


@needs_steps
def test_step_is_not_used_with_another_version_of_the_parser(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A version that the step was not compared with writes every page itself."""
    before = REFUSALS[KERNEL]
    expected = canonicalise(b"<p>a")
    assert before == REFUSALS[KERNEL]
    monkeypatch.setattr(canonical, "_IS_COMPARED", False)
    assert expected == canonicalise(b"<p>a")
    assert before + 1 == REFUSALS[KERNEL]


def test_step_was_compared_with_the_version_that_is_required() -> None:
    """The package requires one minor version of the parser, and the step knows that one."""
    (required,) = (each for each in requires("thresher") or () if each.startswith("turbohtml"))
    assert "turbohtml<1.16,>=1.15" == required
    assert canonical._IS_COMPARED == turbohtml.__version__.startswith("1.15.")


def test_escapes_may_take_more_room_than_the_source() -> None:
    """A page that grows beyond the room kept for it is still written."""
    html = "<p>" + "&" * 50_000
    expected = b"<html><head></head><body><p>" + b"&amp;" * 50_000 + b"</p></body></html>"
    assert expected == canonicalise(html.encode()).html


def test_fragments_lose_scripts_but_for_formulas() -> None:
    """A fragment is one element without scripts and styles; a formula's script is kept."""
    markup = "<p>a<script>b</script><style>c</style><script type=math/tex>d</script>"
    expected = b'<div><p>a<math type="math/tex">d</math></p></div>'
    assert expected == canonicalise_fragment(markup)
