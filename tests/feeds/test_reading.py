"""Feeds of every kind are read."""

from __future__ import annotations

import pytest

from thresher.errors import InputError
from thresher.feeds.reading import find_feed, read_feed

RSS = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Tide Post</title>
<link>https://tide.example/</link><description>News</description>
<item><title>One</title><link>/1</link><pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate>
<description>Short &lt;b&gt;text&lt;/b&gt;</description></item>
<item><title>Two</title><link>mailto:a@b.example</link><guid>g2</guid></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Mühle</title>
<link href="https://mill.example/"/><entry><title>Eins</title><id>tag:1</id>
<link href="https://mill.example/1"/><updated>2026-03-02T10:00:00Z</updated>
<author><name>Ada</name></author><content type="html">&lt;p&gt;Voll&lt;/p&gt;</content></entry>
</feed>""".encode()


def test_rss_is_read() -> None:
    """Addresses are absolute and of the web; an item is known by its id, or its address."""
    feed = read_feed(RSS)
    assert ("Tide Post", "https://tide.example/", "News") == (
        feed.title,
        feed.url,
        feed.description,
    )
    one, two = feed.items
    assert ("https://tide.example/1", "https://tide.example/1") == (one.url, one.id)
    assert "Short <b>text</b>" == one.content
    assert "Mon, 02 Mar 2026 10:00:00 +0000" == one.published
    assert (None, "g2", None, "") == (two.url, two.id, two.published, two.content)


def test_atom_is_read() -> None:
    """Dates become those of RSS; the content goes before the summary."""
    [item] = read_feed(ATOM).items
    assert ("Eins", "tag:1", "Ada", "<p>Voll</p>") == (
        item.title,
        item.id,
        item.author,
        item.content,
    )
    assert "Mon, 02 Mar 2026 10:00:00 +0000" == item.published


def test_broken_feed_is_read_and_a_page_is_none() -> None:
    """A stray ampersand does no harm; a page is an InputError."""
    assert 2 == len(read_feed(RSS.replace(b"Tide Post", b"Tide & Post")).items)
    with pytest.raises(InputError, match="no feed"):
        read_feed(b"<p>Words.")


def test_the_feed_of_a_page_is_found() -> None:
    """The first one that it names, whatever the case; nothing else, and no other scheme."""
    head = "<link rel=stylesheet href=/x><link rel='alternate' type=text/html href=/de>{}"
    link = "<link rel='home ALTERNATE' type=application/{} href='{}'>"
    found = link.format("RSS+xml", "f.xml") + link.format("atom+xml", "/atom")
    page = "https://mill.example/a/"
    assert f"{page}f.xml" == find_feed(head.format(found).encode(), page)
    assert find_feed(head.format(link.format("atom+xml", "javascript:x()")).encode(), page) is None
    assert find_feed(b"\xff<p>", page) is None
