"""A file of URLs, fetched politely: hosts in parallel, one page at a time per host."""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from thresher.batch.model import Item
from thresher.batch.sources.base import Entry, IsDone, Place, ReadOptions, SourceTally, Unreadable
from thresher.batch.sources.files import read_lines
from thresher.errors import FetchError, ThresherError
from thresher.fetching.model import MAX_ROBOTS_BYTES, USER_AGENT, Get
from thresher.fetching.robots import Robots

N_FETCHER: Final = 16
"""Concurrent requests, each to another host."""
N_TRY: Final = 3
"""Attempts per page, if a server is busy or does not answer."""
BACK_OFF_S: Final = 5.0
"""Seconds before the second attempt, doubled before the third."""
_TRANSIENT: Final = frozenset((None, 408, 425, 429, 500, 502, 503, 504))
"""HTTP statuses after which a page is asked for again (RFC 9110, 15; RFC 6585; RFC 8470); None
where there was no answer."""


@dataclass(frozen=True, slots=True)
class FetchTask:
    """A page to fetch."""

    position: int
    id: str
    url: str
    n_failed: int = 0


@dataclass(frozen=True, slots=True)
class _Answer:
    entry: Entry
    delay_s: float
    again: bool = False


def fetch_all(
    asked: Sequence[FetchTask],
    *,
    get: Get,
    get_robots: Get,
    user_agent: str = USER_AGENT,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> Iterator[tuple[int, Entry]]:
    """Fetch pages and yield each as it arrives, as Unreadable if it cannot be fetched.

    Requests to a host are separated by the delay in its robots.txt, at least `DELAY_S`. Pages that
    robots.txt disallows are not fetched, nor those of hosts that ask for more than `MAX_DELAY_S`. A
    page whose server is busy is tried up to `N_TRY` times.
    """
    robots = Robots(get_robots, user_agent)
    queues: dict[str, deque[FetchTask]] = {}
    for one in asked:
        queues.setdefault(_host_of(one.url), deque()).append(one)
    ready = [(0.0, host) for host in queues]
    heapq.heapify(ready)
    under_way: dict[Future[_Answer], tuple[str, FetchTask]] = {}
    with ThreadPoolExecutor(N_FETCHER, thread_name_prefix="thresher-polite") as pool:
        try:
            while ready or under_way:
                now = clock()
                while ready and ready[0][0] <= now and len(under_way) < N_FETCHER:
                    _, host = heapq.heappop(ready)
                    one = queues[host].popleft()
                    under_way[pool.submit(_fetch, one, robots, get)] = (host, one)
                pause_s = ready[0][0] - now if ready and len(under_way) < N_FETCHER else None
                if not under_way:
                    sleep(max(pause_s or 0.0, 0.0))
                    continue
                for future in wait(under_way, pause_s, FIRST_COMPLETED).done:
                    host, one = under_way.pop(future)
                    answer = future.result()
                    if answer.again and one.n_failed + 1 < N_TRY:
                        n_failed = one.n_failed + 1
                        queues[host].appendleft(replace(one, n_failed=n_failed))
                        answer = _Answer(answer.entry, BACK_OFF_S * 2 ** (n_failed - 1), True)
                    else:
                        yield one.position, answer.entry
                    if queues[host]:
                        heapq.heappush(ready, (clock() + answer.delay_s, host))
        finally:
            for future in under_way:
                future.cancel()


def _fetch(one: FetchTask, robots: Robots, get: Get) -> _Answer:
    """Fetch one page, in a thread; requests to one host are sequential."""
    from thresher.fetching.session import normalize_url

    try:
        url = normalize_url(one.url)
        delay_s = robots.pause_s(url)
    except ThresherError as error:
        return _Answer(_unreadable(one, error), 0.0)
    try:
        fetched = get(url)
    except ThresherError as error:
        again = isinstance(error, FetchError) and error.status in _TRANSIENT
        return _Answer(_unreadable(one, error), delay_s, again)
    return _Answer(Item(one.id, fetched.body, fetched.url, fetched.http_charset), delay_s)


def _unreadable(one: FetchTask, error: Exception) -> Unreadable:
    return Unreadable(one.id, f"{type(error).__name__}: {error}", one.url)


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:  # it will fail as a page
        return ""


_MAX_URL_BYTES: Final = 65536
_N_WINDOW: Final = 10_000
"""URLs in memory at a time, ordered to keep many hosts busy."""


def read_urls(
    place: Place, options: ReadOptions, tally: SourceTally, is_done: IsDone
) -> Iterator[tuple[int, Entry]]:
    """Fetch one URL per line (a `thresher.batch.sources.base.Read`); its id is the line number.

    Blank lines and lines that begin with # do not count. Pages are yielded as they arrive.
    """
    from thresher.fetching.fetch import fetch

    get = partial(
        fetch,
        timeout_s=options.timeout_s,
        user_agent=options.user_agent,
        allow_private=options.allow_private,
    )
    asked: list[FetchTask] = []
    pages = partial(get, max_bytes=options.max_bytes)
    robots = partial(get, max_bytes=MAX_ROBOTS_BYTES)
    fetch_these = partial(fetch_all, get=pages, get_robots=robots, user_agent=options.user_agent)
    for number, line in read_lines(Path(place.paths[0]), place.name, tally, _MAX_URL_BYTES):
        url = line.decode("utf-8", "replace").strip()
        if not url or url.startswith("#"):
            tally.skipped["blank line or comment"] += 1
            continue
        position = tally.take()
        if not is_done(position):
            asked.append(FetchTask(position, str(number), url))
        if len(asked) == _N_WINDOW:
            yield from fetch_these(asked)
            asked = []
    yield from fetch_these(asked)
