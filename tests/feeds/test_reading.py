"""Feeds of every kind are read, and broken ones mended."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.helpers.data import read_data
from thresher.errors import InputError
from thresher.feeds.reading import find_feed, mend_xml, read_feed

RSS = read_data("tide-post.xml").encode()


def test_rss_and_atom_are_read() -> None:
    """Addresses are absolute and of the web; the content goes before the summary."""
    one, two = read_feed(RSS).items
    assert ("One", "https://tide.example/1") == (one.title, one.url)
    assert "Short <b>text</b>" == one.content
    assert (None, "") == (two.url, two.content)
    [item] = read_feed(read_data("muehle.atom").encode()).items
    assert ("Eins", "https://mill.example/1", "<p>Voll</p>") == (item.title, item.url, item.content)


def test_json_feed_is_read_and_written() -> None:
    """Every field comes back, known or not, and the content is put in."""
    items: list[dict[str, Any]] = [
        {"id": "1", "url": "/1", "content_text": "Short.", "_mill": {"flour": 2}},
        {"id": "2", "title": "Zwei", "attachments": [{"url": "https://e.example/2.mp3"}]},
    ]
    source = {
        "version": "https://jsonfeed.org/version/1.1", "title": "Mühle",
        "home_page_url": "https://mill.example/", "_more": [1], "items": items,
    }  # fmt: skip
    feed = read_feed(json.dumps(source).encode())
    assert [("https://mill.example/1", "Short."), (None, "")] == [
        (item.url, item.content) for item in feed.items
    ]
    items[0]["content_html"] = "<p>Full &amp; \u00fc</p>"
    assert source == json.loads(feed.write({0: "<p>Full &amp; \u00fc</p>"}))
    assert "application/feed+json" == feed.media_type


def test_what_is_no_feed_is_an_error() -> None:
    """Pages, other JSON and broken feeds without an item are errors, and no empty feed."""
    for body in (b"<p>Words.", b"", b'{"version": "1"}', b'{"items": [', b"{" * 10**6, b"[1]"):
        with pytest.raises(InputError, match="no feed"):
            read_feed(body)
    with pytest.raises(InputError, match="no item can be read: the feed is not well-formed"):
        read_feed(b"<rss><channel><title>Tide & Post</title>")
    assert ("the feed has no items",) == read_feed(b"<rss><channel/></rss>").warnings


LINK = b'<atom:link href="https://tide.example/feed" rel="self"/>'


@pytest.mark.parametrize(
    "broken",
    [
        RSS.replace(b"Tide Post</title>", b"Tide & Post</title>" + LINK),
        RSS[: RSS.index(b"<guid>g2")],
        RSS.replace(b"&lt;b&gt;text&lt;/b&gt;", b"<b>text<br> &nbsp; more"),
        b"<br />\n<b>Warning</b>: line 1" + RSS,
        RSS.replace(b"News", b"\x00\x0bNews"),
    ],
)
def test_a_broken_feed_is_mended_with_a_warning(broken: bytes) -> None:
    """Each item is there, and what is written is well-formed."""
    feed = read_feed(broken)
    assert ["One", "Two"] == [item.title for item in feed.items]
    assert "not well-formed" in feed.warnings[0]
    written = ElementTree.fromstring(feed.write({0: "<p>Full</p>", 1: "<p>Two</p>"}))
    assert ["<p>Full</p>", "<p>Two</p>"] == [
        each.text for each in written.iter("{http://purl.org/rss/1.0/modules/content/}encoded")
    ]
    assert () == read_feed(feed.write({}).encode()).warnings


NAMESPACES = {
    "atom": "http://www.w3.org/2005/Atom", "content": "http://purl.org/rss/1.0/modules/content/",
    "dc": "http://purl.org/dc/elements/1.1/", "media": "http://search.yahoo.com/mrss/",
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd", "x": "urn:x",
    "podcast": "https://podcastindex.org/namespace/1.0", "yt": "http://www.youtube.com/xml/schemas/2015",
    "slash": "http://purl.org/rss/1.0/modules/slash/", "thr": "http://purl.org/syndication/thread/1.0",
    "sy": "http://purl.org/rss/1.0/modules/syndication/", "georss": "http://www.georss.org/georss",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "webfeeds": "http://webfeeds.org/rss/1.0",
    "wfw": "http://wellformedweb.org/CommentAPI/", "arxiv": "http://arxiv.org/schemas/atom",
}  # fmt: skip
GENERATORS = json.loads(Path(__file__).with_name("generators.json").read_text())
"""Generator → kind of feed, what it puts into the channel, and into an item."""


def build_feed(kind: str, channel: str, item: str) -> str:
    """Return a feed with two items of a generator."""
    prefixes = " ".join(f"xmlns:{name}='{uri}'" for name, uri in NAMESPACES.items())
    opened, closed = ("<link href='", "'/>") if kind == "atom" else ("<link>", "</link>")
    link = f"{opened}https://e.example/{{}}{closed}"
    name = "entry" if kind == "atom" else "item"
    items = "".join(
        f"<{name}><title>T {n}</title>{link.format(n)}{item}</{name}>" for n in range(2)
    )
    about = f"<title>F</title>{link.format('')}{channel}"
    match kind:
        case "atom":
            return f"<feed xmlns='{NAMESPACES['atom']}' {prefixes}>{about}{items}</feed>"
        case "rdf":
            rss = "http://purl.org/rss/1.0/"
            return f"<rdf:RDF xmlns='{rss}' {prefixes}><channel>{about}</channel>{items}</rdf:RDF>"
    return f"<rss version='2.0' {prefixes}><channel>{about}{items}</channel></rss>"


def count_parts(text: str) -> Counter[object]:
    """Count the elements of a document, each with its attributes, text and parent."""
    root = ElementTree.fromstring(text)
    pairs = [(root.tag, root), *((parent.tag, each) for parent in root.iter() for each in parent)]
    return Counter(
        (parent, each.tag, tuple(sorted(each.attrib.items())), (each.text or "").strip())
        for parent, each in pairs
    )


@pytest.mark.parametrize("name", GENERATORS)
def test_nothing_of_a_generator_is_lost(name: str) -> None:
    """Every element comes back as it was, but for the content that is put into one item."""
    source = build_feed(*GENERATORS[name])
    feed = read_feed(source.encode())
    assert () == feed.warnings
    assert ["https://e.example/0", "https://e.example/1"] == [item.url for item in feed.items]
    before = count_parts(source)
    assert before == count_parts(feed.write({}))
    after = count_parts(feed.write({1: "<p>Full &amp; whole</p>"}))
    assert all("Old" in str(part) for part in before - after)
    assert ["<p>Full &amp; whole</p>"] == [part[3] for part in after - before]  # type: ignore[index]


def test_the_feed_of_a_page_is_found() -> None:
    """The first one that it names, whatever the case; nothing else, and no other scheme."""
    head = "<link rel=stylesheet href=/x><link rel='alternate' type=text/html href=/de>{}"
    link = "<link rel='home ALTERNATE' type=application/{} href='{}'>"
    found = link.format("RSS+xml", "f.xml") + link.format("atom+xml", "/atom")
    page = "https://mill.example/a/"
    assert f"{page}f.xml" == find_feed(head.format(found).encode(), page)
    assert find_feed(head.format(link.format("atom+xml", "javascript:x()")).encode(), page) is None
    assert find_feed(b"\xff<p>", page) is None


WELL_FORMED = (
    '<a><b c="1 &amp; 2">x</b><!-- y --><?z w?><d/><![CDATA[<p>]]></a>',
    '<a xmlns:b="urn:b" xmlns="urn:a"><b:c b:d=\'"\'>&#228;&lt;</b:c></a>',
)


@pytest.mark.parametrize("text", WELL_FORMED)
def test_well_formed_xml_means_the_same(text: str) -> None:
    """Nothing is changed but how it is written."""
    mended, _ = mend_xml(text, 2)
    assert ElementTree.canonicalize(text, with_comments=True) == ElementTree.canonicalize(
        mended, with_comments=True
    )


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        ("<a>R & D &nbsp;&amp; &x</a>", "<a>R &amp; D \xa0&amp; &amp;x</a>"),
        ("<a><b>x</a>", "<a><b>x</b></a>"),
        ("<a>x</b></a>", "<a>x</a>"),
        ("<a>1 < 2</a>", "<a>1 &lt; 2</a>"),
        ("<a><b>cut o", "<a><b>cut o</b></a>"),
        ("<a><b c='1' c='2' d=3 ", "<a>&lt;b c='1' c='2' d=3 </a>"),
        ("<a b='1' b='2' c=3/>", '<a b="2" c="3"></a>'),
        ("junk <a>x</a> more <c/>", "<a>x</a>"),
        ("<a><dc:b>x</dc:b></a>", '<a><dc:b xmlns:dc="http://purl.org/dc/elements/1.1/">x</dc:b></a>'),
        ("<a><![CDATA[x", "<a><![CDATA[x]]></a>"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;\x08</a>", "<a>&amp;b;</a>"),
    ],
)  # fmt: skip
def test_broken_xml_is_mended(broken: str, expected: str) -> None:
    """What parsers refuse is closed, escaped, declared or left out."""
    assert expected == mend_xml(broken, 2)[0]
    ElementTree.fromstring(expected)


def test_anything_becomes_well_formed() -> None:
    """Pieces of markup in any order give a document that a parser reads, or none."""
    pieces = (*"<>&/='\" -!?[]", "<a>", "</a>", "<b:c d='e", "<!--", "-->", "<![CDATA[", "]]>", "x",
              "&amp;", "<?p", "?>", "<a b='&'>", "xmlns:x='",
              "<!DOCTYPE", "&#0;", "&#x110000;")  # fmt: skip
    chance = random.Random(1)
    for _ in range(2000):
        text = "".join(chance.choices(pieces, k=chance.randrange(1, 30)))
        mended, root = mend_xml(text, 3)
        if root:
            ElementTree.fromstring(mended)
            assert mended[root.start :].startswith(root.tag)


@pytest.mark.parametrize("piece", ["<a>", "</a>", '<a "', "<a x='", "<!--", "<![CDATA[", "&", "<"])
def test_a_long_document_takes_time_in_proportion(piece: str) -> None:
    """Many thousands of one piece, however broken, come to an end."""
    mend_xml("<r>" + piece * (2**17 // len(piece)), 3)
