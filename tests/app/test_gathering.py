"""What is fetched in the background and for feed readers, politely."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp, Post, Web
from thresher.app.engine import PageSource
from thresher.app.pages.feeds import MAX_ITEMS
from thresher.app.saved import SAVED_FILE, SavedList, SavedPage
from thresher.app.saved_changes import change_pages, load_pictures

pytestmark = pytest.mark.slow  # a worker has to start

PNG: Final = b"\x89PNG\r\n\x1a\n" + b"\0" * 40
MILL: Final = (
    "<title>The mill</title><article><h1>The mill</h1><p>The mill ground the rye in autumn, and the"
    " flour was white, fine and dry.</p><figure><img src=/rye.png alt=Rye></figure>"
    + "<p>In spring the fields were ploughed again, and the year began anew for all of us.</p>"
    * 5
)
ROBOTS: Final = "User-agent: *\nDisallow: /closed"


def test_links_become_pages_with_their_pictures(
    open_app: OpenApp, post: Post, tmp_path: Path, web: Web
) -> None:
    """A link is fetched under its last address with its pictures; what cannot be says why.

    Kept pictures are shown without asking the site, in Read and in books; a page that is saved
    with its images in sight keeps them.
    """
    web.pages = {
        "https://mill.example/robots.txt": ROBOTS,
        "https://mill.example/rye": MILL,
        "https://mill.example/rye.png": PNG,
    }
    web.moved["https://mill.example/short"] = "https://mill.example/rye"
    saved = SavedList(tmp_path / SAVED_FILE)
    for name in ("short", "closed", "gone"):
        source = PageSource(b"", f"https://mill.example/{name}", is_fetched=True)
        saved.save(source, name, "")
    assert all(page.is_link for page in saved.search()[1])

    def settled() -> tuple[SavedPage, ...]:
        until_s = time.monotonic() + 100
        while any(page.is_wanted for page in saved.search()[1]):
            assert time.monotonic() < until_s
            time.sleep(0.05)
        return saved.search(sort="oldest")[1]

    with open_app(allow_private=True) as client:
        state: Any = client.app
        state.state.gatherer.delay_s = 0.0
        post(client, "/saved/change", data={"do": "keep", "page": ["1", "2", "3"]})
        mill, closed, gone = settled()
        assert ("The mill", "https://mill.example/rye", 1) == (mill.title, mill.url, mill.n_picture)
        assert not mill.is_link and "ground the rye" in mill.excerpt
        assert "robots.txt" in closed.trouble and "404" in gone.trouble
        assert "https://mill.example/closed" not in web.urls
        assert not any(options["allow_private"] for _, options in web.asked)
        assert "not fetched: HTTP 404" in client.get("/saved").text

        web.asked.clear()
        read = client.get(client.get("/saved/1").headers["location"]).text
        image = read.partition('<img src="/read')[2].partition('"')[0].replace("&amp;", "&")
        assert PNG == client.get(f"/read{image}").content
        assert PNG in client.get("/saved/1/book.epub").content
        assert [] == web.asked
        assert 502 == client.get("/saved/3").status_code
        web.pages["https://mill.example/gone"] = MILL
        opened = client.get("/saved/3").headers["location"]
        assert "gone" in opened and "ground the rye" in client.get(opened).text
        web.pages["https://mill.example/seen"] = MILL
        read = client.get("/read?url=https://mill.example/seen").headers["location"]
        post(client, read.replace("?", "/save?") + "&images=on")
        assert 1 == settled()[-1].n_picture
    assert not saved.search(sort="oldest")[1][2].is_link
    change_pages(saved, [1], "delete")
    assert {"https://mill.example/rye.png": PNG} == load_pictures(saved, 1)


def test_a_link_to_a_saved_page_becomes_that_page(tmp_path: Path) -> None:
    """Tags and highlights of both are there, and the page once."""
    saved = SavedList(tmp_path / SAVED_FILE)
    page = PageSource(MILL, "https://mill.example/rye", is_fetched=True)
    link = saved.save(PageSource(b"", "https://mill.example/s", is_fetched=True), "Short", "")
    number = saved.save(page, "The mill", "Rye.")
    assert number == saved.fill(link, page, "The mill", "Rye.")
    assert [number] == [each.id for each in saved.search()[1]]


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


@pytest.fixture
def client(open_app: OpenApp, web: Web) -> Iterator[TestClient]:
    """An app beside a site with a story; it may fetch private addresses, without pauses."""
    web.pages = {
        "https://mill.example/robots.txt": ROBOTS,
        "https://mill.example/rye": STORY.format("rye"),
    }
    with open_app(allow_private=True) as opened:
        state: Any = opened.app
        state.state.feeds.delay_s = 0.0
        yield opened


def rss(items: str) -> str:
    return f"<rss version='2.0'><channel><title>Mill</title>{items}</channel></rss>"


def open_feed(client: TestClient) -> list[ElementTree.Element]:
    answer = client.get("/feed", params={"url": FEED})
    assert "application/rss+xml" in answer.headers["content-type"], answer.text
    return ElementTree.fromstring(answer.text)[0].findall("item")


def test_items_have_the_contents_of_their_pages(client: TestClient, web: Web) -> None:
    """Pages are read once, as robots.txt allows; others leave their item as it is.

    A public feed leads to no private address, though the app may fetch some.
    """
    web.pages[FEED] = rss(item(1, "rye") + item(2, "closed") + item(3, "gone"))
    whole, closed, gone = open_feed(client)
    assert "ground the rye in autumn" in (whole.findtext(CONTENT) or "")
    assert "Home" not in (whole.findtext(CONTENT) or "")
    others = [(each.findtext("description"), each.findtext(CONTENT)) for each in (closed, gone)]
    assert [("Short 2", None), ("Short 3", None)] == others
    assert "https://mill.example/closed" not in web.urls
    assert [FEED] == [url for url, options in web.asked if options["allow_private"]]
    web.pages.pop("https://mill.example/rye")
    assert whole.findtext(CONTENT) == open_feed(client)[0].findtext(CONTENT)


def test_pages_without_time_wait_for_the_next_time(client: TestClient, web: Web) -> None:
    """A feed is sent in time, with what there is, and with all of its items."""
    web.pages[FEED] = rss(item(1, "rye") * (MAX_ITEMS + 5))
    state: Any = client.app
    state.state.feeds.delay_s = 1000.0
    found = [(each.findtext("description"), each.findtext(CONTENT)) for each in open_feed(client)]
    assert [("Short 1", None)] * (MAX_ITEMS + 5) == found
    assert "https://mill.example/rye" not in web.urls


def test_what_is_no_feed_is_an_error(client: TestClient, web: Web) -> None:
    """No address, and a page in place of a feed, say what is wrong."""
    assert 400 == client.get("/feed").status_code
    web.pages[FEED] = "<p>No feed"
    answer = client.get("/feed", params={"url": FEED})
    assert 400 <= answer.status_code < 500
    assert "no feed" in answer.text
