"""Feeds: subscriptions in their file, and their page."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp, Post, Web
from thresher.app import subscriptions as module
from thresher.app.imports import ImportedFeed
from thresher.app.saved import SAVED_FILE, SavedList
from thresher.app.subscriptions import FEEDS_FILE, Subscriptions
from thresher.errors import LimitError, UsageError
from thresher.feeds.reading import FeedItem, SourceFeed
from thresher.fetching.model import Fetched

MILL = ImportedFeed("https://mill.example/feed", "Mill", "Farms")
FARM = ImportedFeed("https://farm.example/?a=1&b", "Rye < oats")
FETCHED = Fetched(MILL.url, b"", None, None, 200, is_public=True, etag='"a"')


def item(number: int, date: datetime | None = None) -> FeedItem:
    url, content = f"https://mill.example/{number}", f"<h1>Day {number}</h1><p>Rye &amp; {number}"
    return FeedItem(f"Day {number}", url, content, id=url, published=date, author="Ada")


def feed(*items: FeedItem) -> SourceFeed:
    return SourceFeed("The mill", "https://mill.example/", items, "", (), str)


@pytest.fixture
def feeds(tmp_path: Path) -> Subscriptions:
    """Two feeds, the first with three items."""
    made = Subscriptions(tmp_path / FEEDS_FILE)
    assert (2, 0) == made.add([MILL, FARM])
    made.store(1, FETCHED, feed(item(3), item(2), item(1)))
    return made


def titles_of(
    feeds: Subscriptions, number: int | None = None, *, only_unread: bool = True
) -> list[str]:
    n_found, items = feeds.items(number, only_unread=only_unread)
    assert n_found == len(items)
    return [each.title for each in items]


def test_items_are_unread_until_they_are_read(feeds: Subscriptions) -> None:
    """They are listed once, in the order of their feed, and counted; read ones stay in the list."""
    feeds.store(1, FETCHED, feed(item(4), item(3)))
    assert ["Day 4", "Day 3", "Day 2", "Day 1"] == titles_of(feeds) == titles_of(feeds, 1)
    assert {"The mill": 4, "Rye < oats": 0} == {each.title: each.n_unread for each in feeds.feeds()}
    newest = feeds.items()[1][0]
    assert ("Rye & 4", "Ada", "The mill") == (newest.excerpt, newest.author, newest.feed_title)
    feeds.mark([newest.id, 99], is_read=True)
    assert ["Day 3", "Day 2", "Day 1"] == titles_of(feeds)
    assert 4 == len(titles_of(feeds, only_unread=False))
    feeds.mark([newest.id], is_read=False)
    feeds.mark_all(2, 99)
    feeds.mark_all(None, newest.id - 1)
    assert ["Day 4"] == titles_of(feeds)


def test_dates_are_those_of_the_feed(feeds: Subscriptions) -> None:
    """An item without a valid date, or of the future, is of now."""
    dates = (datetime(2020, 9, 13, 12, 26, 40, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC), None)
    feeds.store(2, FETCHED, feed(*(item(n, date) for n, date in enumerate(dates))))
    found = {each.title: each.published_at for each in feeds.items(2)[1]}
    assert 1.6e9 == found["Day 0"]
    assert all(abs(found[f"Day {n}"] - time.time()) < 100 for n in (1, 2))


def test_feeds_are_fetched_after_an_hour_and_later_if_they_fail(
    feeds: Subscriptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what their server said last; a failure is shown until it is over."""
    assert [FARM.url] == [each.url for each in feeds.due()]
    feeds.note_trouble(2, "HTTP 500")
    feeds.note_trouble(2, "HTTP 500")
    assert () == feeds.due()
    assert "HTTP 500" == feeds.feeds()[0].trouble
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 3700)
    (due,) = feeds.due()
    assert (MILL.url, '"a"') == (due.url, due.etag)
    monkeypatch.setattr("time.time", lambda: now + 2 * 3700)
    assert {MILL.url, FARM.url} == {each.url for each in feeds.due()}
    feeds.note_trouble(2)
    assert "" == feeds.feeds()[0].trouble
    feeds.note_trouble(1)
    feeds.hasten(1)
    assert [MILL.url] == [each.url for each in feeds.due()]


def test_unsubscribing_can_be_undone_for_a_day(
    feeds: Subscriptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A removed feed is gone with its items, and comes back with them."""
    feeds.remove(1)
    assert ([], None) == (titles_of(feeds), feeds.number_of(MILL.url))
    feeds.restore(1)
    assert 3 == len(titles_of(feeds))
    feeds.remove(1)
    assert (1, 1) == feeds.add([MILL, FARM])
    assert 3 == len(titles_of(feeds))
    monkeypatch.setattr(module, "UNDO_S", -1.0)
    feeds.remove(1)
    with pytest.raises(UsageError, match="put back"):
        feeds.restore(1)


def test_feeds_and_items_are_bounded(feeds: Subscriptions, monkeypatch: pytest.MonkeyPatch) -> None:
    """The latest unread items stay; too many feeds are refused, and none is added."""
    feeds.mark([each.id for each in feeds.items()[1] if each.title == "Day 3"], is_read=True)
    monkeypatch.setattr(module, "_MAX_ITEMS", 3)
    feeds.store(1, FETCHED, feed(item(4)))
    assert ["Day 4", "Day 2", "Day 1"] == titles_of(feeds, only_unread=False)
    monkeypatch.setattr(module, "_MAX_FEEDS", 2)
    with pytest.raises(LimitError, match="feeds"):
        feeds.add([ImportedFeed("https://oats.example/", "Oats")])
    assert 2 == len(feeds.feeds())


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


@pytest.fixture
def client(open_app: OpenApp, web: Web) -> Iterator[TestClient]:
    """An app without subscriptions beside a site, which may fetch private addresses."""
    link = '<link rel=alternate type="application/rss+xml" href=/feed.xml>'
    web.pages = {
        "https://mill.example/": f"<title>Mill</title>{link}",
        "https://bare.example/": "<title>Bare</title><p>No feed.",
        FEED: feed_of(2, 1),
        "https://mill.example/1": "<title>Day 1</title><article><p>The whole text of day 1.",
    }
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
    client: TestClient, post: Post, web: Web, tmp_path: Path
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
    asked = [(url, options["allow_private"]) for url, options in web.asked]
    assert [("https://mill.example/", True), (FEED, False)] == asked
    assert ["Day 2", "Day 1"] == titles(client) == titles(client, "?feed=1")
    assert "Rye of day 2 &amp; oats." in client.get("/feeds").text

    opened = client.get("/feeds/items/1").headers["location"]
    assert "The whole text of day 1." in client.get(opened).text
    assert (["Day 2"], ["Day 2", "Day 1"]) == (titles(client), titles(client, "?show=all"))
    opened = client.get("/feeds/items/2").headers["location"]
    assert "Rye <b>of day 2</b>" in client.get(opened).text.replace("strong>", "b>")
    assert not any(options["allow_private"] for url, options in web.asked if url[-1].isdigit())
    assert "Nothing is unread." in client.get("/feeds").text
    assert "/feeds?show=all" == change("unread", "?show=all", item="1")
    change("save", item="1")
    saved = SavedList(tmp_path / SAVED_FILE)
    wait_until(lambda: not saved.search()[1][0].is_wanted)
    assert "whole text of day 1" in saved.search()[1][0].excerpt
    assert [] == titles(client)

    web.pages[FEED] = feed_of(3, 2)
    assert "/feeds?feed=1&refreshing=1" == change("refresh", "?feed=1", feed="1")
    wait_until(lambda: titles(client) == ["Day 3"])
    assert '"' in web.asked[-1][1]["headers"]["If-None-Match"]
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
    client: TestClient, post: Post, tmp_path: Path
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
