"""What tests of the page table share: an oracle, nasty pages, and a strategy for tag soup.

The oracle is a plain walk over the parser's own tree. It shares no code with `thresher.page.scan`,
which reads the same rows off bytes.
"""

from __future__ import annotations

import json
from collections import ChainMap
from typing import Final, NamedTuple

import turbohtml
from hypothesis import strategies as st

from tests.helpers.data import read_data
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
    **ChainMap(*reversed(json.loads(read_data("nasty-pages.json")).values())),
    "attribute of 64 KiB": f"<a b='{'x&lt;<>' * 8192}'>a",
    "a thousand attributes": f"<a {' '.join(f'n{i}={i}' for i in range(1000))}>a",
    "lone surrogates": "a\ud800b<p c=\udc00>d\ud83d\ude00e",
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
