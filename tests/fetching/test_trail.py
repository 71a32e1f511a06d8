"""Fetching the pages of one article."""

from __future__ import annotations

import pytest

from thresher.errors import FetchError
from thresher.fetching.limits import DELAY_S, MAX_DELAY_S
from thresher.fetching.model import Fetched
from thresher.fetching.robots import Robots
from thresher.fetching.trail import Trail

FIRST = "https://grain.example/rye"


class Site:
    """Pages by address; a text that begins with https is where a page redirects to."""

    def __init__(self, pages: dict[str, str]) -> None:
        self.pages = pages
        self.log: list[str | float] = []
        """Addresses fetched, and pauses in seconds."""

    def get(self, url: str) -> Fetched:
        self.log.append(url)
        if url not in self.pages:
            raise FetchError("HTTP 404", url=url, status=404)
        body = self.pages[url]
        if body.startswith("https:"):
            url, body = body, self.pages.get(body, "elsewhere")
        return Fetched(url, body.encode(), None, "text/html", 200, True)

    def trail(self) -> Trail:
        return Trail(FIRST, b"one", self.get, Robots(self.get), self.log.append)


def test_follow_after_a_pause() -> None:
    """Before each page there is a pause; robots.txt is asked once."""
    site = Site({f"{FIRST}?page=2": "two", f"{FIRST}?page=3": "three"})
    trail = site.trail()

    fetched = [trail.follow(f"{FIRST}?page={number}") for number in (2, 3)]

    assert [b"two", b"three"] == [page.body for page in fetched if page]
    assert [
        *("https://grain.example/robots.txt", DELAY_S, f"{FIRST}?page=2"),
        *(DELAY_S, f"{FIRST}?page=3"),
    ] == site.log


@pytest.mark.parametrize(
    ("asked", "pause_s"), [("7", 7.0), ("0.1", DELAY_S), (f"{MAX_DELAY_S}", MAX_DELAY_S)]
)
def test_follow_waits_as_long_as_asked(asked: str, pause_s: float) -> None:
    """A longer pause that robots.txt asks for is kept."""
    robots = f"User-agent: *\nCrawl-delay: {asked}"
    site = Site({"https://grain.example/robots.txt": robots, f"{FIRST}/2": "two"})
    site.trail().follow(f"{FIRST}/2")

    assert pause_s in site.log


@pytest.mark.parametrize(
    ("rules", "words"),
    [("Disallow: /rye/", "asks robots not to"), ("Crawl-delay: 61", "too long to wait")],
)
def test_follow_against_robots(rules: str, words: str) -> None:
    """A page is not fetched where robots.txt asks not to, or for too long a pause."""
    site = Site(
        {"https://grain.example/robots.txt": f"User-agent: *\n{rules}", f"{FIRST}/2": "two"}
    )

    with pytest.raises(FetchError, match=words):
        site.trail().follow(f"{FIRST}/2")
    assert ["https://grain.example/robots.txt"] == site.log


def test_follow_in_a_loop() -> None:
    """No page is fetched twice, whatever its fragment."""
    site = Site({f"{FIRST}/2": "two"})
    trail = site.trail()
    trail.follow(f"{FIRST}/2")

    assert trail.follow(f"{FIRST}/2#more") is None
    assert trail.follow(FIRST) is None
    assert 1 == site.log.count(f"{FIRST}/2")


def test_follow_to_a_page_that_redirects_back() -> None:
    """A page beyond the last that redirects to the first is none."""
    assert Site({f"{FIRST}/2": FIRST, FIRST: "one?"}).trail().follow(f"{FIRST}/2") is None


def test_follow_to_the_same_bytes() -> None:
    """A page with the bytes of an earlier one is none."""
    assert Site({f"{FIRST}/2": "one"}).trail().follow(f"{FIRST}/2") is None


@pytest.mark.parametrize(
    "pages", [{"https://chaff.example/2": "x"}, {f"{FIRST}/2": "https://chaff.example/2"}]
)
def test_follow_to_another_site(pages: dict[str, str]) -> None:
    """A page of another site is refused, also after a redirect."""
    with pytest.raises(FetchError, match="another site"):
        Site(pages).trail().follow(next(iter(pages)))


def test_follow_to_the_site_with_www() -> None:
    """A site is the same with www and without."""
    url = "https://www.grain.example/rye/2"

    assert Site({url: "two"}).trail().follow(url)


def test_follow_to_a_missing_page() -> None:
    """What is wrong with a page is raised as it is."""
    with pytest.raises(FetchError, match="404"):
        Site({}).trail().follow(f"{FIRST}/2")
