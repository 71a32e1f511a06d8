"""robots.txt, and the pages of one article fetched in turn."""

from __future__ import annotations

from functools import partial

import pytest

from tests.fetching.web import Web
from thresher.errors import FetchError, LimitError
from thresher.fetching.fetch import fetch
from thresher.fetching.model import DELAY_S, MAX_DELAY_S, Fetched
from thresher.fetching.robots import Robots, Trail

URL = "https://grain.example/rye"


def robots_reading(text: str, user_agent: str = "thresher/1") -> Robots:
    """Create Robots for sites with this robots.txt."""
    return Robots(
        lambda url: Fetched(url, text.encode(), None, "text/plain", 200, True), user_agent
    )


def robots_failing(error: Exception) -> Robots:
    """Create Robots for sites whose robots.txt cannot be fetched."""

    def get(url: str) -> Fetched:
        raise error

    return Robots(get)


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("", True),
        ("User-agent: *\nDisallow: /", False),
        ("User-agent: *\nDisallow: /rye$", False),
        ("User-agent: *\nDisallow: /*e", False),
        ("User-agent: *\nDisallow: /\nAllow: /r", True),
        ("User-agent: Thresher\nDisallow: /\n\nUser-agent: *\nAllow: /", False),
        ("User-agent: thresher\nAllow: /\n\nUser-agent: *\nDisallow: /", True),
        ("User-agent: other\nUser-agent: thresher\nUser-agent: third\nDisallow: /", False),
        ("User-agent: other\nUser-agent: third\nDisallow: /", True),
        ("User-agent: thresherbot\nDisallow: /", True),
        ("\ufeffuser-agent : * # all\ndisallow : /rye # this\n", False),
    ],
)
def test_robots_allows(text: str, allowed: bool) -> None:
    """The group with our name applies, otherwise that for all; the longest rule wins."""
    assert allowed == robots_reading(text).allows(URL)


@pytest.mark.parametrize(("user_agent", "allowed"), [("Reaper/2 (x)", False), ("!", True)])
def test_robots_goes_by_the_name_it_is_given(user_agent: str, allowed: bool) -> None:
    """Groups are matched by the product token at the start of the user agent."""
    text = "User-agent: reaper\nDisallow: /"

    assert allowed == robots_reading(text, user_agent).allows(URL)


@pytest.mark.parametrize(
    ("text", "delay_s"),
    [
        ("", 0),
        ("User-agent: *\nCrawl-delay: 2.5", 2.5),
        ("User-agent: thresher\nCrawl-delay: 4\n\nUser-agent: *\nCrawl-delay: 9", 4),
        ("User-agent: *\nCrawl-delay: soon", 0),
        ("User-agent: *\nCrawl-delay: -1", 0),
    ],
)
def test_robots_delay(text: str, delay_s: float) -> None:
    """The delay is that of our group, or 0 if missing or not a number."""
    assert delay_s == robots_reading(text).delay_s(URL)


@pytest.mark.parametrize(
    ("status", "allowed"),
    [(404, True), (403, True), (401, True), (302, True), (429, False), (500, False), (503, False),
     (None, False)],
)  # fmt: skip
def test_robots_of_status(status: int | None, allowed: bool) -> None:
    """A missing robots.txt allows everything, an unreachable or too large one nothing."""
    robots = robots_failing(FetchError("no", url=URL, status=status))
    assert allowed == robots.allows(URL)
    assert 0 == robots.delay_s(URL)
    assert not robots_failing(LimitError("bytes", limit=1)).allows(URL)


def test_robots_fetched_once_a_site(web: Web) -> None:
    """Each site's robots.txt is fetched once, separately for each port."""
    web.serve("/robots.txt", b"User-agent: *\nDisallow: /no", Content_Type="text/plain")
    robots = Robots(partial(fetch, allow_private=True))

    assert [True, False, True] == [robots.allows(f"{web.url}/{path}") for path in ("", "no", "x")]
    assert not robots.allows("http://127.0.0.1:1/")
    assert ["/robots.txt"] == [path for path, _ in web.requests]


def test_robots_for_crowds_is_read_in_time() -> None:
    """A robots.txt with thousands of groups and rules is parsed in reasonable time."""
    crowd = "\n".join(f"User-agent: other{number}" for number in range(15_000))
    rules = "\n".join(f"Disallow: /{number}" for number in range(30_000))

    assert robots_reading(f"{crowd}\n{rules}\n\nUser-agent: *\nDisallow: /oat").allows(URL)


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
        return Trail(URL, b"one", self.get, Robots(self.get), self.log.append)


def test_follow_after_a_pause() -> None:
    """Before each page there is a pause; robots.txt is asked once."""
    site = Site({f"{URL}?page=2": "two", f"{URL}?page=3": "three"})
    trail = site.trail()

    fetched = [trail.follow(f"{URL}?page={number}") for number in (2, 3)]

    assert [b"two", b"three"] == [page.body for page in fetched if page]
    assert [
        *("https://grain.example/robots.txt", DELAY_S, f"{URL}?page=2"),
        *(DELAY_S, f"{URL}?page=3"),
    ] == site.log


@pytest.mark.parametrize(
    ("asked", "pause_s"), [("7", 7.0), ("0.1", DELAY_S), (f"{MAX_DELAY_S}", MAX_DELAY_S)]
)
def test_follow_waits_as_long_as_asked(asked: str, pause_s: float) -> None:
    """A longer pause that robots.txt asks for is kept."""
    robots = f"User-agent: *\nCrawl-delay: {asked}"
    site = Site({"https://grain.example/robots.txt": robots, f"{URL}/2": "two"})
    site.trail().follow(f"{URL}/2")

    assert pause_s in site.log


@pytest.mark.parametrize(
    ("rules", "words"),
    [("Disallow: /rye/", "asks robots not to"), ("Crawl-delay: 61", "too long to wait")],
)
def test_follow_against_robots(rules: str, words: str) -> None:
    """A page is not fetched where robots.txt asks not to, or for too long a pause."""
    site = Site({"https://grain.example/robots.txt": f"User-agent: *\n{rules}", f"{URL}/2": "two"})

    with pytest.raises(FetchError, match=words):
        site.trail().follow(f"{URL}/2")
    assert ["https://grain.example/robots.txt"] == site.log


def test_follow_in_a_loop() -> None:
    """No page is fetched twice, whatever its fragment, redirect or address."""
    site = Site({f"{URL}/2": "two"})
    trail = site.trail()
    trail.follow(f"{URL}/2")
    assert trail.follow(f"{URL}/2#more") is None
    assert trail.follow(URL) is None
    assert 1 == site.log.count(f"{URL}/2")
    assert Site({f"{URL}/2": URL, URL: "one?"}).trail().follow(f"{URL}/2") is None
    assert Site({f"{URL}/2": "one"}).trail().follow(f"{URL}/2") is None


@pytest.mark.parametrize(
    "pages", [{"https://chaff.example/2": "x"}, {f"{URL}/2": "https://chaff.example/2"}]
)
def test_follow_to_another_site(pages: dict[str, str]) -> None:
    """A page of another site is refused, also after a redirect; with www it is the same site."""
    with pytest.raises(FetchError, match="another site"):
        Site(pages).trail().follow(next(iter(pages)))
    url = "https://www.grain.example/rye/2"
    assert Site({url: "two"}).trail().follow(url)
    with pytest.raises(FetchError, match="404"):
        Site({}).trail().follow(url)
