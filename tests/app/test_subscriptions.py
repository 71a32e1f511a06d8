"""Subscriptions and their items in their file."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest

from thresher.app import subscriptions as module
from thresher.app.imports import ImportedFeed, read_imports
from thresher.app.subscriptions import FEEDS_FILE, Subscriptions, write_opml
from thresher.errors import LimitError, UsageError
from thresher.feeds.reading import FeedItem, SourceFeed

MILL = ImportedFeed("https://mill.example/feed", "Mill", "Farms")
FARM = ImportedFeed("https://farm.example/?a=1&b", "Rye < oats")


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
    made.store(1, feed(item(3), item(2), item(1)), is_public=True, etag='"a"')
    return made


def titles(
    feeds: Subscriptions, number: int | None = None, *, only_unread: bool = True
) -> list[str]:
    n_found, items = feeds.items(number, only_unread=only_unread)
    assert n_found == len(items)
    return [each.title for each in items]


def test_items_are_unread_until_they_are_read(feeds: Subscriptions) -> None:
    """They are listed once, in the order of their feed, and counted; read ones stay in the list."""
    feeds.store(1, feed(item(4), item(3)), is_public=True)
    assert ["Day 4", "Day 3", "Day 2", "Day 1"] == titles(feeds) == titles(feeds, 1)
    assert {"The mill": 4, "Rye < oats": 0} == {each.title: each.n_unread for each in feeds.feeds()}
    newest = feeds.items()[1][0]
    assert ("Rye & 4", "Ada", "The mill") == (newest.excerpt, newest.author, newest.feed_title)
    feeds.mark([newest.id, 99], is_read=True)
    assert ["Day 3", "Day 2", "Day 1"] == titles(feeds)
    assert 4 == len(titles(feeds, only_unread=False))
    feeds.mark([newest.id], is_read=False)
    feeds.mark_all(2, 99)
    feeds.mark_all(None, newest.id - 1)
    assert ["Day 4"] == titles(feeds)


def test_dates_are_those_of_the_feed(feeds: Subscriptions) -> None:
    """An item without a valid date, or of the future, is of now."""
    dates = (datetime(2020, 9, 13, 12, 26, 40, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC), None)
    feeds.store(2, feed(*(item(n, date) for n, date in enumerate(dates))), is_public=True)
    found = {each.title: each.published_at for each in feeds.items(2)[1]}
    assert 1.6e9 == found["Day 0"]
    assert all(abs(found[f"Day {n}"] - time.time()) < 100 for n in (1, 2))


def test_feeds_are_asked_after_an_hour_and_later_if_they_fail(
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
    assert ([], None) == (titles(feeds), feeds.number_of(MILL.url))
    feeds.restore(1)
    assert 3 == len(titles(feeds))
    feeds.remove(1)
    assert (1, 1) == feeds.add([MILL, FARM])
    assert 3 == len(titles(feeds))
    monkeypatch.setattr(module, "UNDO_S", -1.0)
    feeds.remove(1)
    with pytest.raises(UsageError, match="put back"):
        feeds.restore(1)


def test_feeds_and_items_are_bounded(feeds: Subscriptions, monkeypatch: pytest.MonkeyPatch) -> None:
    """The latest unread items stay; too many feeds are refused, and none is added."""
    feeds.mark([each.id for each in feeds.items()[1] if each.title == "Day 3"], is_read=True)
    monkeypatch.setattr(module, "_MAX_ITEMS", 3)
    feeds.store(1, feed(item(4)), is_public=True)
    assert ["Day 4", "Day 2", "Day 1"] == titles(feeds, only_unread=False)
    monkeypatch.setattr(module, "_MAX_FEEDS", 2)
    with pytest.raises(LimitError, match="feeds"):
        feeds.add([ImportedFeed("https://oats.example/", "Oats")])
    assert 2 == len(feeds.feeds())


def test_opml_is_read_back(feeds: Subscriptions) -> None:
    """Feeds with their folders; signs of XML do no harm."""
    text = write_opml(feeds.feeds())
    assert "opml" == ElementTree.fromstring(text).tag
    assert {("The mill", MILL.url, "Farms"), ("Rye < oats", FARM.url, "")} == {
        (each.title, each.url, each.folder) for each in read_imports(text.encode()).feeds
    }
