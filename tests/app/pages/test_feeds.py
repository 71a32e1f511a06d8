"""Feeds page: subscribing, reading, refreshing, and OPML."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

from starlette.testclient import TestClient

from tests.app.conftest import OpenApp
from thresher.app.saved import SAVED_FILE, SavedList
from thresher.app.subscriptions import FEEDS_FILE, Subscriptions
from thresher.errors import FetchError
from thresher.fetching.model import Fetched

FEED = "https://mill.example/feed.xml"
OPML = f'<opml version="2.0"><body><outline text="Mill" xmlUrl="{FEED}"/></body></opml>'


def feed_of(*numbers: int) -> bytes:
    items = "".join(
        f"<item><title>Day {n}</title><link>https://mill.example/{n}</link>"
        f"<description>&lt;p&gt;Rye &lt;b&gt;of day {n}&lt;/b&gt; &amp;amp; oats.</description>"
        "</item>"
        for n in numbers
    )
    return f"<rss version='2.0'><channel><title>The mill</title>{items}</channel></rss>".encode()


class Web:
    """The web, in place of fetching."""

    def __init__(self) -> None:
        link = '<link rel=alternate type="application/rss+xml" href=/feed.xml>'
        self.pages = {
            "https://mill.example/": f"<title>Mill</title>{link}".encode(),
            "https://bare.example/": b"<title>Bare</title><p>No feed.",
            FEED: feed_of(2, 1),
            "https://mill.example/1": b"<title>Day 1</title><article><p>The whole text of day 1.",
        }
        self.asked: list[tuple[str, bool, dict[str, str]]] = []

    def __call__(self, url: str, **options: Any) -> Fetched:
        self.asked.append((url, options["allow_private"], options["headers"]))
        if url not in self.pages:
            raise FetchError("HTTP 404 Not Found", url=url, status=404)
        etag = f'"{crc32(self.pages[url])}"'
        if options["headers"].get("If-None-Match") == etag:
            raise FetchError("HTTP 304 Not Modified", url=url, status=304)
        return Fetched(url, self.pages[url], "utf-8", "text/html", 200, is_public=True, etag=etag)


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Web:
    """A web with a site and its feed."""
    made = Web()
    monkeypatch.setattr("thresher.fetching.fetch.fetch", made)
    return made


@pytest.fixture
def client(open_app: OpenApp, web: Web) -> Iterator[TestClient]:
    """An app without subscriptions, which may fetch private addresses."""
    with open_app(allow_private=True) as opened:
        state: Any = opened.app
        state.state.gatherer.delay_s = 0.0
        yield opened


def titles(client: TestClient, query: str = "") -> list[str]:
    return re.findall(r'/feeds/items/\d+">([^<]+)', client.get(f"/feeds{query}").text)


def wait_until(is_so: Callable[[], bool]) -> None:
    until_s = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until_s
        time.sleep(0.05)


@pytest.mark.slow  # a worker has to start
def test_from_subscribing_to_unsubscribing(
    client: TestClient, post: Any, web: Web, tmp_path: Path
) -> None:
    """A site's feed is found, its items are read in full, saved and marked; it can be removed.

    An item whose page is gone shows what the feed says. Nothing private is asked for the feed.
    """

    def change(do: str, query: str = "", **more: str) -> str:
        answer = post(client, f"/feeds/change{query}", data={"do": do, **more})
        assert 303 == answer.status_code, answer.text
        return str(answer.headers["location"])

    assert "not subscribed to anything" in client.get("/feeds").text
    answer = post(client, "/feeds/subscribe", data={"url": "mill.example/"})
    assert "/feeds?feed=1" == answer.headers["location"]
    assert [("https://mill.example/", True), (FEED, False)] == [each[:2] for each in web.asked]
    assert ["Day 2", "Day 1"] == titles(client) == titles(client, "?feed=1")
    assert "Rye of day 2 &amp; oats." in client.get("/feeds").text

    opened = client.get("/feeds/items/1").headers["location"]
    assert "The whole text of day 1." in client.get(opened).text
    assert (["Day 2"], ["Day 2", "Day 1"]) == (titles(client), titles(client, "?show=all"))
    opened = client.get("/feeds/items/2").headers["location"]
    assert "Rye <b>of day 2</b>" in client.get(opened).text.replace("strong>", "b>")
    assert not any(allows for url, allows, _ in web.asked if url[-1].isdigit())
    assert "Nothing is unread." in client.get("/feeds").text
    assert "/feeds?show=all" == change("unread", "?show=all", item="1")
    change("save", item="1")
    saved = SavedList(tmp_path / SAVED_FILE)
    wait_until(lambda: not saved.search()[1][0].is_wanted)
    assert "whole text of day 1" in saved.search()[1][0].excerpt
    assert [] == titles(client)

    web.pages[FEED] = feed_of(3, 2)
    assert "/feeds?feed=1&asked=1" == change("refresh", "?feed=1", feed="1")
    wait_until(lambda: titles(client) == ["Day 3"])
    assert '"' in web.asked[-1][2]["If-None-Match"]
    (until,) = re.findall(r'name="until" value="(\d+)', client.get("/feeds").text)
    change("read-all", until=until)
    assert [] == titles(client)
    feeds = Subscriptions(tmp_path / FEEDS_FILE)
    before = feeds.feeds()[0].checked_at
    change("refresh")
    wait_until(lambda: feeds.feeds()[0].checked_at != before)
    assert "" == feeds.feeds()[0].trouble

    assert f'xmlUrl="{FEED}"' in client.get("/feeds/feeds.opml").text
    told = client.get(change("remove", "?feed=1", feed="1")).text
    assert "The feed has been removed." in told and "not subscribed to anything" in told
    assert "/feeds?feed=1" == change("restore", feed="1")
    assert 400 == post(client, "/feeds/change", data={"do": "read"}).status_code
    assert 404 == client.get("/feeds/items/99").status_code


@pytest.mark.slow  # a worker has to start
def test_subscriptions_of_other_readers_are_imported(
    client: TestClient, post: Any, tmp_path: Path
) -> None:
    """OPML adds feeds, whose items follow; what cannot be subscribed to says why."""
    for n_new, n_known in ((1, 0), (0, 1)):
        answer = post(client, "/saved/import", files={"file": ("feeds.opml", OPML.encode())})
        assert f"/feeds?new={n_new}&known={n_known}" == answer.headers["location"]
    assert "0 feeds added, 1 known already" in client.get(answer.headers["location"]).text
    wait_until(lambda: titles(client) == ["Day 2", "Day 1"])
    for typed, reason in (
        ("bare.example/", "there is no feed at this address"),
        ("gone.example/", "HTTP 404 Not Found"),
        ("", "enter the address"),
    ):
        answer = post(client, "/feeds/subscribe", data={"url": typed})
        assert 400 <= answer.status_code < 600
        assert reason in answer.text and f'value="{typed}"' in answer.text
    assert 1 == len(Subscriptions(tmp_path / FEEDS_FILE).feeds())
