"""Items get the content of their pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.helpers.harbour import HARBOUR, NO_PAGE
from thresher.batch.model import Item
from thresher.batch.sources.base import Entry, Unreadable
from thresher.batch.sources.urls import FetchTask
from thresher.feeds.filling import fill_feed
from thresher.feeds.reading import FeedItem, SourceFeed
from thresher.request import SelectRequest

SITE = "https://tide.example"


def item_of(name: str, content: str = "<p>Short.</p>", url: str | None = "") -> FeedItem:
    return FeedItem(name, f"{SITE}/{name}" if url == "" else url, content)


def feed_of(*items: FeedItem) -> SourceFeed:
    return SourceFeed("Tide", None, items, "application/rss+xml", (), str)


def test_items_are_filled_and_none_is_lost(tmp_path: Path) -> None:
    """Pages replace summaries; what fails, or has a longer text of its own, stays as it was."""
    pages: dict[str, str] = {f"{SITE}/story": HARBOUR, f"{SITE}/pdf": NO_PAGE}
    long = item_of("story", "<p>Whole text.</p>" * 2000)
    items = (item_of("story"), item_of("gone"), item_of("pdf"), item_of("x", url=None), long)
    feed = feed_of(*items)
    said: list[str] = []
    asked: list[str] = []

    def fetch(tasks: Sequence[FetchTask]) -> Iterator[tuple[int, Entry]]:
        for task in reversed(tasks):
            asked.append(task.url)
            body = pages.get(task.url)
            unreadable = Unreadable(task.id, "FetchError: 404", task.url)
            yield task.position, Item(task.id, body, task.url) if body else unreadable

    filled = fill_feed(feed, fetch, cache=tmp_path / "feeds", say=said.append)
    assert [0] == list(filled)
    assert "<p>For two hundred years" in filled[0]
    assert len(filled[0]) > 1000
    assert [
        "x: left as it is: it has no address of a page",
        f"{SITE}/pdf: left as it is: {said[1].partition('is: ')[2]}",
        f"{SITE}/gone: left as it is: FetchError: 404",
        f"{SITE}/story: left as it is: its own content is longer",
    ] == said
    asked.clear()
    fill_feed(feed, fetch, max_items=3, say=said.append)
    assert "2 items after the first 3: left as they are" == said[-1]
    asked.clear()
    assert filled == fill_feed(feed, fetch, cache=tmp_path / "feeds")
    assert {f"{SITE}/gone", f"{SITE}/pdf"} == set(asked)


def test_the_cache_tells_requests_apart(tmp_path: Path) -> None:
    """A page read by another method is fetched again; without a cache no item is lost."""
    asked: list[str] = []
    said: list[str] = []

    def fetch(tasks: Sequence[FetchTask]) -> Iterator[tuple[int, Entry]]:
        asked.extend(task.url for task in tasks)
        return ((task.position, Item(task.id, HARBOUR, task.url)) for task in tasks)

    feed = feed_of(item_of("story"))
    for method in ("learned", "keep_all", "keep_all"):
        fill_feed(feed, fetch, request=SelectRequest(method), cache=tmp_path / "cache")
    assert 2 == len(asked)
    (tmp_path / "file").write_text("")
    filled = fill_feed(feed, fetch, cache=tmp_path / "file", say=said.append)
    assert len(filled[0]) > 1000
    assert "the page is not cached" in said[0]
