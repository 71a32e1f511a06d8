"""Evaluation of robots.txt, and of sites where it cannot be fetched."""

from __future__ import annotations

from functools import partial

import pytest

from tests.fetching.web import Web
from thresher.errors import FetchError, LimitError
from thresher.fetching.fetch import fetch
from thresher.fetching.model import Fetched
from thresher.fetching.robots import Robots

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
        ("<p>not found", True),
        ("User-agent: *\nDisallow: /", False),
        ("User-agent: *\nDisallow: /rye$", False),
        ("User-agent: *\nDisallow: /*e", False),
        ("User-agent: *\nDisallow: /oat", True),
        ("User-agent: *\nDisallow: /\nAllow: /r", True),
        ("User-agent: Thresher\nDisallow: /\n\nUser-agent: *\nAllow: /", False),
        ("User-agent: thresher\nAllow: /\n\nUser-agent: *\nDisallow: /", True),
        ("User-agent: other\nDisallow: /", True),
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
    """A missing robots.txt allows everything, an unreachable one nothing."""
    robots = robots_failing(FetchError("no", url=URL, status=status))

    assert allowed == robots.allows(URL)
    assert 0 == robots.delay_s(URL)


def test_robots_too_large() -> None:
    """A too large robots.txt allows nothing."""
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
