"""Feed readers get feeds with the contents of their pages."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

from starlette.testclient import TestClient

from tests.app.conftest import OpenApp
from thresher.app.full_feeds import MAX_ITEMS
from thresher.errors import FetchError
from thresher.fetching.model import Fetched

FEED = "https://mill.example/feed.xml"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"
STORY = (
    "<nav><a href=/>Home</a></nav><article><h1>{0}</h1>"
    + "<p>The mill ground the {0} in autumn, and the flour was white, fine and dry for the year."
    * 6
)


def item(number: int, path: str) -> str:
    return (
        f"<item><title>Day {number}</title><link>https://mill.example/{path}</link>"
        f"<description>Short {number}</description></item>"
    )


class Mill:
    """The web, in place of fetching."""

    def __init__(self, feed: str) -> None:
        self.pages = {
            FEED: f"<rss version='2.0'><channel><title>Mill</title>{feed}</channel></rss>",
            "https://mill.example/robots.txt": "User-agent: *\nDisallow: /closed",
            "https://mill.example/rye": STORY.format("rye"),
        }
        self.calls: list[tuple[str, bool]] = []

    def __call__(self, url: str, **options: Any) -> Fetched:
        self.calls.append((url, options["allow_private"]))
        if url not in self.pages:
            raise FetchError("HTTP 404 Not Found", url=url, status=404)
        return Fetched(url, self.pages[url].encode(), "utf-8", "text/html", 200, is_public=True)


def open_feed(client: TestClient) -> list[ElementTree.Element]:
    answer = client.get("/feed", params={"url": FEED})
    assert "application/rss+xml" in answer.headers["content-type"], answer.text
    return ElementTree.fromstring(answer.text)[0].findall("item")


def use(monkeypatch: pytest.MonkeyPatch, client: TestClient, feed: str) -> Mill:
    mill = Mill(feed)
    monkeypatch.setattr("thresher.fetching.fetch.fetch", mill)
    state: Any = client.app
    state.state.feeds.delay_s = 0.0
    return mill


@pytest.mark.slow  # a worker has to start
def test_items_have_the_contents_of_their_pages(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages are read once, as robots.txt allows; others leave their item as it is.

    A public feed leads to no private address, though the app may fetch some.
    """
    with open_app(allow_private=True) as client:
        mill = use(monkeypatch, client, item(1, "rye") + item(2, "closed") + item(3, "gone"))
        whole, closed, gone = open_feed(client)
        assert "ground the rye in autumn" in (whole.findtext(CONTENT) or "")
        assert "Home" not in (whole.findtext(CONTENT) or "")
        others = [(each.findtext("description"), each.findtext(CONTENT)) for each in (closed, gone)]
        assert [("Short 2", None), ("Short 3", None)] == others
        assert "https://mill.example/closed" not in dict(mill.calls)
        assert [FEED] == [url for url, allows in mill.calls if allows]
        mill.pages.pop("https://mill.example/rye")
        assert whole.findtext(CONTENT) == open_feed(client)[0].findtext(CONTENT)


def test_pages_without_time_wait_for_the_next_time(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A feed is sent in time, with what there is, and with all of its items."""
    with open_app() as client:
        mill = use(monkeypatch, client, item(1, "rye") * (MAX_ITEMS + 5))
        state: Any = client.app
        state.state.feeds.delay_s = 1000.0
        items = open_feed(client)
        assert MAX_ITEMS + 5 == len(items)
        assert {("Short 1", None)} == {
            (each.findtext("description"), each.findtext(CONTENT)) for each in items
        }
        assert "https://mill.example/rye" not in dict(mill.calls)


def test_what_is_no_feed_is_an_error(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    """No address, an unknown one, and a page in place of a feed say what is wrong."""
    with open_app() as client:
        mill = use(monkeypatch, client, "")
        assert 400 == client.get("/feed").status_code
        mill.pages[FEED] = "<p>No feed"
        answer = client.get("/feed", params={"url": FEED})
        assert 400 <= answer.status_code < 500
        assert "no feed" in answer.text
