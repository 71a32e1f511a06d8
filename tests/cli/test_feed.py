"""`thresher feed`: feeds with full texts."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Command, Web
from tests.helpers.harbour import HARBOUR
from thresher.feeds.reading import read_feed

RSS = (
    "<rss version='2.0'><channel><title>Tide</title><link>{0}/</link><item><title>One</title>"
    "<link>{0}/1</link><description>Short.</description></item><item><title>Two</title></item>"
    "</channel></rss>"
)


def test_feed_is_written_with_full_texts(web: Web, command: Command, tmp_path: Path) -> None:
    """The page of an item is fetched once; the second run takes it from the cache."""
    web.serve("/robots.txt", status=404)
    web.serve("/1", HARBOUR.encode())
    source = web.serve("/feed.xml", RSS.format(web.url).encode(), Content_Type="text/xml")
    cache = tmp_path / "cache"
    ran = command("feed", source, "--cache", cache)
    left = "thresher: Two: left as it is: it has no address of a page"
    assert (0, [left]) == (ran.status, ran.errors)
    one, two = read_feed(ran.out.encode()).items
    assert "wait" in one.content
    assert "" == two.content
    again = command("feed", source, "--cache", cache, "--max-items", 1, "-o", tmp_path / "out.xml")
    assert (0, "") == (again.status, again.out)
    assert (one, two) == read_feed((tmp_path / "out.xml").read_bytes()).items
    assert 1 == sum(path == "/1" for path, _ in web.requests)


def test_what_is_no_feed_fails(command: Command) -> None:
    """A page on standard input is no feed: one line, and status 1."""
    says = "standard input: this is no feed: it is neither RSS nor Atom nor JSON Feed"
    assert (1, "", [f"thresher: {says}"]) == command("feed", "-", stdin=b"<p>Words.")
