"""`thresher filter` and `feed`: their output and their errors."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Command, Web
from tests.helpers.harbour import HARBOUR
from thresher.cli.console import Exit
from thresher.feeds.reading import read_feed
from thresher.filters import Filters, parse_filters

PAGE: Final = (
    b"<title>t</title><p>Rye is sown in autumn, and cut when it is ripe.</p><img src=a.gif>"
    b"<p>x<img src=//ads.example/1><img src=https://ad.doubleclick.net/2></p>"
)


def test_filter_reads_and_writes(command: Command, tmp_path: Path) -> None:
    """A page that is piped in comes out on standard output, with -o in a file."""
    ran = command("filter", stdin=PAGE)
    assert (Exit.OK, []) == (ran.status, ran.errors)
    assert "<p>x<img src=//ads.example/1></p>\n" in ran.out
    out = tmp_path / "new" / "out.html"
    assert (Exit.OK, "", []) == command("filter", "-", "-o", out, stdin=PAGE)
    assert ran.out == out.read_text(encoding="utf-8")


def test_filter_heeds_its_options(command: Command, tmp_path: Path) -> None:
    """Settings come from a file, and options overrule it; lists add to Thresher's own."""
    settings, hosts = tmp_path / "filters.toml", tmp_path / "hosts"
    settings.write_text("[filters]\nimages = true\nads = false\n", encoding="utf-8")
    hosts.write_text("0.0.0.0 ads.example\n", encoding="utf-8")
    out = command("filter", "--filters", settings, stdin=PAGE).out
    assert "<img" not in out
    out = command("filter", "--filters", settings, "--no-images", stdin=PAGE).out
    assert 3 == out.count("<img")
    out = command("filter", "--ad-list", hosts, stdin=PAGE).out
    assert "<p>x</p>" in out


def test_filter_with_a_method(command: Command) -> None:
    """With a method, only its selection is kept."""
    ran = command("filter", "-m", "largest_body", "--summary", stdin=b"<nav>menu</nav>" + PAGE)
    assert "menu" not in ran.out
    assert "selection" in ran.errors[0]


def test_filter_of_a_fetched_page(command: Command, web: Web) -> None:
    """A fetched page is filtered as one of its host: what it has of its own stays."""
    ran = command("filter", web.serve("/story", PAGE), "--summary")
    assert Exit.OK == ran.status
    assert ["thresher: ads 1; 0 characters, 0 links removed"] == ran.errors


def test_filter_prints_its_settings(command: Command) -> None:
    """The output is a complete file of settings."""
    ran = command("filter", "--print-filters", "--no-ads", "--pixel-size", "3")
    assert Filters(ads=False, pixel_size=3) == parse_filters(ran.out)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--pixel-size", "-1"], "pixel_size must be a whole number from 0 to 100, not -1"),
        (["--filters", "missing.toml"], "missing.toml: No such file or directory"),
        (["--ad-list", "missing.txt"], "missing.txt: No such file or directory"),
    ],
)
def test_filter_that_is_called_wrongly(command: Command, options: list[str], says: str) -> None:
    """Incorrect usage is reported before anything is read, a page that is none afterwards."""
    assert (Exit.USAGE, "", [f"thresher: {says}"]) == command("filter", *options, stdin=PAGE)
    assert Exit.USAGE == command("filter").status
    ran = command("filter", stdin=b"%PDF-1.7")
    assert (Exit.FAILED, "") == (ran.status, ran.out)
    assert ran.errors[0].startswith("thresher: standard input: ")


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
