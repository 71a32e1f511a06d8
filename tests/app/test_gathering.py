"""Links and pictures of saved pages are fetched in the background, politely."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

from tests.app.conftest import OpenApp
from thresher.app.engine import PageSource
from thresher.app.saved import SAVED_FILE, SavedList, SavedPage
from thresher.app.saved_changes import change_pages, load_pictures
from thresher.errors import FetchError
from thresher.fetching.model import Fetched

pytestmark = pytest.mark.slow  # a worker has to start

PNG: Final = b"\x89PNG\r\n\x1a\n" + b"\0" * 40
STORY: Final = (
    "<title>The mill</title><article><h1>The mill</h1><p>The mill ground the rye in autumn, and the"
    " flour was white, fine and dry.</p><figure><img src=/rye.png alt=Rye></figure>"
    + "<p>In spring the fields were ploughed again, and the year began anew for all of us.</p>"
    * 5
)
WEB: Final[dict[str, bytes]] = {
    "https://mill.example/robots.txt": b"User-agent: *\nDisallow: /closed",
    "https://mill.example/rye": STORY.encode(),
    "https://mill.example/rye.png": PNG,
}


def test_links_become_pages_with_their_pictures(
    open_app: OpenApp, post: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link is fetched under its last address with its pictures; what cannot be says why.

    Kept pictures are shown without asking the site, in Read and in books; a page that is saved
    with its images in sight keeps them.
    """
    asked: list[str] = []
    privately: list[str] = []

    def fetch(url: str, **options: Any) -> Fetched:
        asked.append(url)
        privately.extend([url] * options["allow_private"])
        final = url.replace("/short", "/rye")
        if final not in WEB:
            raise FetchError("HTTP 404 Not Found", url=url, status=404)
        return Fetched(final, WEB[final], "utf-8", "text/html", 200, is_public=True)

    monkeypatch.setattr("thresher.fetching.fetch.fetch", fetch)
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
        assert "https://mill.example/closed" not in asked and [] == privately
        assert "not fetched: HTTP 404" in client.get("/saved").text

        asked.clear()
        read = client.get(client.get("/saved/1").headers["location"]).text
        image = read.partition('<img src="/read')[2].partition('"')[0].replace("&amp;", "&")
        assert PNG == client.get(f"/read{image}").content
        assert PNG in client.get("/saved/1/book.epub").content
        assert [] == asked
        assert 502 == client.get("/saved/3").status_code
        WEB["https://mill.example/gone"] = WEB["https://mill.example/rye"]
        opened = client.get("/saved/3").headers["location"]
        assert "gone" in opened and "ground the rye" in client.get(opened).text
        WEB["https://mill.example/seen"] = WEB["https://mill.example/rye"]
        address = {"url": "https://mill.example/seen"}
        read = client.get("/read", params=address).headers["location"]
        post(client, read.replace("?", "/save?") + "&images=on")
        assert 1 == settled()[-1].n_picture
    assert not saved.search(sort="oldest")[1][2].is_link
    change_pages(saved, [1], "delete")
    assert {"https://mill.example/rye.png": PNG} == load_pictures(saved, 1)


def test_a_link_to_a_saved_page_becomes_that_page(tmp_path: Path) -> None:
    """Tags and highlights of both are there, and the page once."""
    saved = SavedList(tmp_path / SAVED_FILE)
    page = PageSource(STORY, "https://mill.example/rye", is_fetched=True)
    link = saved.save(PageSource(b"", "https://mill.example/s", is_fetched=True), "Short", "")
    number = saved.save(page, "The mill", "Rye.")
    assert number == saved.fill(link, page, "The mill", "Rye.")
    assert [number] == [each.id for each in saved.search()[1]]
