"""What tests of the page table share: an oracle, nasty pages, and a strategy for tag soup.

The oracle is a plain walk over the parser's own tree. It shares no code with `thresher.page.scan`,
which reads the same rows off bytes.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import turbohtml
from hypothesis import strategies as st

from thresher.page import Page
from thresher.page.canonical import source_tree
from thresher.page.tags import TEXT


class Row(NamedTuple):
    """One row of a page, spelled out; a text has no attributes, an element no text."""

    name: str
    parent: int
    depth: int
    text: str
    attrs: dict[str, str]


def walk_rows(html: str) -> list[Row]:
    """Return the rows a page of this HTML must have, in document order.

    Neighbouring texts are one, unless a processing instruction lies between them. A template's
    content hangs on a fragment, which is no row.
    """
    rows: list[Row] = []
    last_text_parent = -1
    root = source_tree(html).root
    assert root is not None
    stack: list[tuple[turbohtml.Node, int, int]] = [(root, -1, 0)]
    while stack:
        node, parent, depth = stack.pop()
        if isinstance(node, turbohtml.Text):
            if last_text_parent == parent:
                rows[-1] = rows[-1]._replace(text=rows[-1].text + node.data)
            else:
                rows.append(Row("#text", parent, depth, node.data, {}))
            last_text_parent = parent
            continue
        if isinstance(node, turbohtml.Element):
            attrs = {str(name): node.attr(name) or "" for name in node.attrs}
            rows.append(Row(node.tag, parent, depth, "", attrs))
            parent, depth = len(rows) - 1, depth + 1
        elif not isinstance(node, turbohtml.DocumentFragment | turbohtml.ProcessingInstruction):
            raise AssertionError(f"no row for {node!r}")
        last_text_parent = -1
        stack.extend((child, parent, depth) for child in reversed(list(node.children)))
    return rows


def rows_of(page: Page) -> list[Row]:
    """Return the rows of a page as the oracle spells them."""
    return [
        Row(
            page.name(row),
            int(page.parent[row]),
            int(page.depth[row]),
            page.text_of(row) if page.tag[row] == TEXT else "",
            page.attrs(row),
        )
        for row in range(len(page))
    ]


PLAIN_PAGE: Final = (
    "<!DOCTYPE html>\n<html lang=en><head><title>Harbour</title></head>\n"
    '<body><div id="top" class="wide bar"><a href="/">Home</a><a href="/news">News</a></div>\n'
    "<main><h1>A new harbour</h1><p>The town <b>built</b> a wall.<br>It holds.</p>"
    '<p>See <a href="/plan">the plan</a>.</p><img src="wall.jpg" alt="The wall"></main>\n'
    "<footer><p>All rights kept.</p></footer></body></html>"
)
"""A page without surprises."""

NASTY_PAGES: Final[dict[str, str]] = {
    "empty": "",
    "only white space": " \n\t ",
    "only text": "just words",
    "only a comment": "<!-- nothing -->",
    "only a doctype": "<!DOCTYPE html>",
    "white space around everything": " \n<html> \n<head> \n</head> \n<body> \n</body> \n</html> \n",
    # Foreign content.
    "void name closed in svg": "<svg><link></link><p>out</svg>",
    "void name closed and not in svg": "<svg><link/><g><link>a</link></g></svg>b",
    "void names nested in svg": "<svg><area><area></area><area/>a</area></svg>b",
    "void names crossing in svg": "<svg><input><base></input></base>x</svg>",
    "void name in math": "<math><hr></hr><mi>x</mi></math>",
    "void names of svg's own": "<svg><image></image><source></source><param>x</param></svg>",
    "html inside svg": "<svg><foreignObject><p>a<svg viewBox='0 0 1 1'><clipPath/></svg>b</svg>",
    "html inside math": "<math><annotation-xml encoding='text/html'><p>a</annotation-xml>b</math>",
    "math text with picture": "<math><mtext><img></mtext><mglyph></mglyph></math>",
    "raw names in svg": "<svg><style>a&lt;b</style><script>c&gt;d</script><xmp>e</xmp><iframe>f",
    "plaintext in svg": "<svg><plaintext>a</plaintext><noembed>b</noembed></svg>",
    "title in svg": "<svg><title>a<b>c</b></title><desc><template><p>d</template></desc></svg>",
    "cdata in svg": "<svg><![CDATA[<p>&amp;]]></svg><![CDATA[x]]>",
    "foreign attributes": "<svg xlink:href=a xml:lang=b xmlns=c xmlns:xlink=d viewbox=e>",
    # Names.
    "lt in tag name": "<div<p>a</div<p><div<p<q a<b=c<d>e",
    "quotes in tag name": '<a="x">a<b" c="d">e<f=\'"\' g=\'"\'>h',
    "names of 14 to 17 letters": "<abcdefghijklmn>a<abcdefghijklmno>b<abcdefghijklmnop>c"
    "<abcdefghijklmnopq>d<blockquotexxxxxx>e",
    "known name as a prefix": "<ab>a<hrx>b<scriptx>c<p-p>d<html5>e",
    "non-ascii names": "<x\u00e9 a=1>a</x\u00e9><p \u00e9=1 \u540d=2>b<d\u00edv>c",
    "quotes in attribute names": '<a href="x"">a</a><a "=1 <b=2 c=3>b</a><p x"="y">c',
    "equals in attribute names": "<a ==x>a<a =>b<a =\"x\" b=1>c<a =\"=' v=' =\"=' w='>d",
    "attribute without a space before": "<a b='c'd='e'f>g",
    "attributes twice": "<a x=1 x=2 X=3>a</a>",
    "attributes across lines": "<b\n\tx\n=\n'y'\x0cz\r\nw>a<div id=a/b/c=d>",
    "slashes in tags": "<a/b>a<p/>b<br/>c<div / id=x/>d",
    "attribute values with everything": "<a b='\"<>&amp;&lt;&nbsp;\n'>a<p c=\"'<p d='>'\">b",
    "attribute of 64 KiB": f"<a b='{'x&lt;<>' * 8192}'>a",
    "a thousand attributes": f"<a {' '.join(f'n{i}={i}' for i in range(1000))}>a",
    # Newlines the serialiser or the parser drops.
    "pre with newlines": "<pre>\n\nx</pre><pre>\nx</pre><pre>\n</pre><pre>\n\n</pre><pre></pre>",
    "pre beginning with an element": "<pre><b>\nx</b></pre><pre>\n<b>\n</b>\ny</pre>",
    "textarea with newlines": "<textarea>\n\nx</textarea><textarea>\n</textarea><textarea><b>",
    "listing with newlines": "<listing>\n\n\nx</listing><listing>\r\n\r\ny</listing>",
    "line ends of all kinds": "<p>a</p>\r\n<p>b\rc\r\n\r\nd",
    # Raw text.
    "plaintext": "<p>a<plaintext>b<b></plaintext>c &amp;",
    "plaintext with newline": "<plaintext>\nx",
    "xmp": "<xmp><b>x</b> &lt; </xmp>y<xmp>\n\nz</xmp>",
    "script with markup": "<script>if (a<b) '</p>' </script>x",
    "script with script in comment": "<script><!-- <script> </script> --></script>x",
    "script in template": "<template><template>a<p>b</template><script>x<y</script></template>z",
    "style iframe noembed": "<style>a<b{}</style><iframe><p>x</iframe><noembed>y<b></noembed>z",
    "noscript in head and body": "<head><noscript><link><style>a</style></noscript></head>"
    "<body><noscript><p>b</p></noscript>",
    "title and textarea with markup": "<title>a<b>&amp;</title><textarea>c<p>&lt;</textarea>",
    # Templates.
    "template with cells": "<template><tr><td>x</template><table><template>y</template></table>",
    "shadow root of no host": "<b><template shadowrootmode=open>x<slot></slot></template>y</b>",
    # Comments, instructions, doctypes.
    "comments everywhere": "<!--a--><html a=1><!--b--><body b=2><!--c-->x<!--d-->y</body><!--e-->"
    "</html><!--f-->",
    "comments with markup": "a<!-- <p> --> b <!-- x > y --!> c <!--> d <!-> e",
    "comment never closed": "<p>a<!-- b <p> c",
    "bogus comments": "a<!b>c</ d>e</>f<!>g",
    "processing instructions": "<?xml version='1.0'?><p>a<?x y?>b<?z <b?><i>c</i><table><?w?>d",
    "php": "a<?php echo '<b>' ?>b",
    "doctype with odd ids": "<!DOCTYPE html PUBLIC \"-//X//<x> 'q'\" 'a\"<b'><p>x",
    "doctype in the middle": "a<!DOCTYPE html>b",
    # Content the parser moves or implies.
    "frameset": "<frameset><frame src=a><frame></frame> <noframes>x<b></noframes></frameset>y",
    "frameset after body": "<body><frameset><frame></frameset>",
    "formatting misnested": "<b><p>x</b>y</p><i><div>z</i>w",
    "links misnested": "<a href=1>x<a href=2>y<div><a>z",
    "foster parenting": "<table>a<tr>b<td>c<p>d</table>e<table><a><tr></a><td>x",
    "columns": "<table><col></col><colgroup><col>a</table><col><caption><tr>",
    "select": "<select><option>a<optgroup><option>b<hr><b>c</b></select>",
    "end tags alone": "</p></br></div></html>x</body>y",
    "obsolete elements": "<image src=x><isindex><keygen></keygen><menuitem>x</menuitem>",
    "body twice": "<body a=1>x<body a=2 b=3>y<html c=4>z",
    "head after body": "<body>x<head><title>y</title></head><meta><link>",
    "form in form": "<form>a<form>b</form>c</form>d",
    # Characters.
    "NULs": "a\0b<p\0q c\0=d\0>\0<svg>\0x</svg><script>\0</script>",
    "entities": "&lt;b&gt;&amp;amp;&nbsp;&copy;&#0;&#x80;&notit;&#x1F600;&NotEqualTilde;&",
    "control characters": "a\x1fb\x7f\x85\x0c<p\x0c>c",
    "beyond the basic plane": "<p title=\U0001f600>\U0001f600 \u00e9 \U00020000</p>",
    "byte-order mark": "\ufeffx",
    "lone surrogates": "a\ud800b<p c=\udc00>d\ud83d\ude00e",
    "noncharacters": "a\ufffeb\uffffc",
}
"""Pages written to trip a parser, a serialiser or a scanner, by what is nasty about them."""

_TAG_NAMES: Final = """
a abbr b body br button caption col dd div dl dt em font form frameset h1 head hr html i iframe img
input li link listing main math mi mtext nobr noframes noscript object ol option p plaintext pre rp
rt ruby script section select span strong style svg table tbody td template textarea title tr ul
video xmp foreignObject desc clipPath x-y div<p a="b" p\u00e9 abcdefghijklmnop
"""
_ATTRIBUTE_NAMES: Final = 'class id href style hidden aria-hidden title x" =y <z \u00e9 data-a'
_TEXTS: Final = (
    *("word", "two words", " ", "\n", "\r\n", "\t", "\u00e9t\u00e9", "\u4e2d\u6587", "\U0001f600"),
    *("&amp;", "&lt;p&gt;", "&nbsp;", "&#65;", "&", "<", ">", "< b", '"', "=", "\0", "e\u0301"),
)
_MARKUP: Final = (
    *("<!-- c -->", "<!--", "-->", "<!DOCTYPE html>", "<?pi <?>", "<![CDATA[x<y]]>", "</", "<!"),
    *("<br><br>", "<script>a<b</script>", "<style>p{}</style>", "<svg><link></link></svg>"),
)


def soups(max_pieces: int = 24) -> st.SearchStrategy[str]:
    """Generate tag soup: tags in any order, attributes, texts, entities, comments."""
    names = st.sampled_from(_TAG_NAMES.split())
    texts = st.sampled_from(_TEXTS) | st.text(max_size=8)
    quote = st.sampled_from(['"', "'", ""])
    attributes = st.builds(
        lambda name, quote, value: f" {name}={quote}{value}{quote}",
        st.sampled_from(_ATTRIBUTE_NAMES.split()),
        quote,
        texts,
    )
    start_tags = st.builds(
        lambda name, attributes, close: f"<{name}{''.join(attributes)}{close}",
        names,
        st.lists(attributes, max_size=3),
        st.sampled_from([">", ">", ">", "/>"]),
    )
    end_tags = names.map("</{}>".format)
    pieces = st.one_of(start_tags, start_tags, end_tags, texts, st.sampled_from(_MARKUP))
    return st.lists(pieces, max_size=max_pieces).map("".join)
