"""Files of URLs, and politeness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Lock

import pytest

from tests.batch.sources.reading import read
from tests.fetching.web import Web, serving
from thresher.batch.model import Item
from thresher.batch.sources.base import Entry, ReadOptions, Unreadable
from thresher.batch.sources.urls import BACK_OFF_S, N_TRY, FetchTask, fetch_all
from thresher.errors import FetchError, LimitError
from thresher.fetching.model import DELAY_S, Fetched


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    with serving(monkeypatch) as server:
        server.serve("/robots.txt", status=404)
        yield server


def test_lines_are_fetched(web: Web, tmp_path: Path) -> None:
    """A page has its final URL, and its line number as id."""
    web.serve("/a", b"<p>rye")
    path = tmp_path / "a.urls"
    path.write_text(f"# pages\n\n{web.url}/a\nnothing\n")
    entries, tally = read("urls", path, (), ReadOptions(allow_private=True))
    item = entries[0]
    assert isinstance(item, Item)
    assert ("3", b"<p>rye", f"{web.url}/a") == (item.id, item.body, item.url)
    assert isinstance(entries[1], Unreadable)
    assert (2, {"blank line or comment": 2}) == (tally.n_entry, tally.skipped)


def test_done_lines_are_not_fetched(web: Web, tmp_path: Path) -> None:
    """Resuming sends no requests for finished lines."""
    path = tmp_path / "a.urls"
    path.write_text(f"{web.url}/a\n")
    assert {} == read("urls", path, {0}, ReadOptions(allow_private=True))[0]


def test_private_addresses_are_not_fetched(web: Web, tmp_path: Path) -> None:
    """Non-public addresses are rejected unless allowed."""
    web.serve("/a", b"<p>rye")
    path = tmp_path / "a.urls"
    path.write_text(f"{web.url}/a\n")
    (entry,) = read("urls", path)[0].values()
    assert isinstance(entry, Unreadable)


class Servers:
    """Servers that answer immediately, and a clock that advances only by waiting."""

    def __init__(self, robots: Mapping[str, str] | None = None) -> None:
        self.robots = robots or {}
        self.now = 0.0
        self.asked: list[tuple[str, float]] = []
        self.failures: dict[str, list[Exception]] = {}
        self._lock = Lock()

    def get(self, url: str) -> Fetched:
        with self._lock:
            self.asked.append((url, self.now))
            failures = self.failures.get(url)
            if failures:
                raise failures.pop(0)
        return Fetched(url, url.encode(), "utf-8", "text/html", 200, True)

    def get_robots(self, url: str) -> Fetched:
        rules = self.robots.get(url)
        if rules is None:
            raise FetchError("none", url=url, status=404)
        return Fetched(url, rules.encode(), None, None, 200, True)

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def fetch(self, *urls: str) -> dict[int, Entry]:
        asked = [FetchTask(position, str(position), url) for position, url in enumerate(urls)]
        return dict(
            fetch_all(
                asked,
                get=self.get,
                get_robots=self.get_robots,
                clock=lambda: self.now,
                sleep=self.sleep,
            )
        )

    def times_of(self, url: str) -> list[float]:
        return [time_s for asked, time_s in self.asked if asked == url]


def busy(url: str) -> FetchError:
    return FetchError("busy", url=url, status=503)


def test_a_host_is_asked_with_pauses() -> None:
    """Requests to one host are delayed, without delaying other hosts."""
    web = Servers()
    urls = [f"http://a.example/{n}" for n in range(3)] + ["http://b.example/"]
    entries = web.fetch(*urls)
    assert {0, 1, 2, 3} == {*entries}
    assert [0.0, DELAY_S, 2 * DELAY_S] == [web.times_of(url)[0] for url in urls[:3]]
    assert [0.0] == web.times_of(urls[3])


def test_robots_are_obeyed() -> None:
    """The crawl delay is respected, and disallowed pages are not fetched."""
    rules = "User-agent: *\nCrawl-delay: 9\nDisallow: /barn"
    web = Servers({"http://a.example/robots.txt": rules})
    entries = web.fetch("http://a.example/1", "http://a.example/barn", "http://a.example/2")
    assert ["http://a.example/1", "http://a.example/2"] == [url for url, _ in web.asked]
    assert [9.0] == web.times_of("http://a.example/2")
    refused = entries[1]
    assert isinstance(refused, Unreadable)
    assert "robots.txt" in refused.error


def test_a_site_that_is_too_slow_is_left_alone() -> None:
    """A host with too long a crawl delay is not fetched."""
    web = Servers({"http://a.example/robots.txt": "User-agent: *\nCrawl-delay: 3600"})
    (entry,) = web.fetch("http://a.example/").values()
    assert isinstance(entry, Unreadable)
    assert [] == web.asked


def test_busy_servers_are_asked_again() -> None:
    """Busy servers are retried a few times, with increasing delay."""
    web = Servers()
    url, hopeless = "http://a.example/", "http://b.example/"
    web.failures[url] = [busy(url), busy(url)]
    web.failures[hopeless] = [busy(hopeless) for _ in range(9)]
    entries = web.fetch(url, hopeless)
    assert isinstance(entries[0], Item)
    assert entries[1] == Unreadable("1", "FetchError: busy", hopeless)
    assert [0.0, BACK_OFF_S, 3 * BACK_OFF_S] == web.times_of(url)
    assert N_TRY == len(web.times_of(hopeless))


def test_final_answers_are_not_asked_for_again() -> None:
    """Missing or too large pages and malformed addresses are not retried."""
    web = Servers()
    lost, large = "http://a.example/lost", "http://b.example/large"
    web.failures[lost] = [FetchError("gone", url=lost, status=404)]
    web.failures[large] = [LimitError("bytes", limit=1, value=2)]
    entries = web.fetch(lost, large, "ftp://c.example/", "http://[", "rye")
    assert all(isinstance(entry, Unreadable) for entry in entries.values())
    assert [lost, large] == sorted(url for url, _ in web.asked)


def test_nothing_to_fetch_is_nothing() -> None:
    """Without pages there are no requests and no delays."""
    assert {} == Servers().fetch()
