"""A file of URLs, fetched politely: one request per host at a time, with the delay it asks for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from thresher.batch.sources.base import Entry, IsDone, Place, ReadOptions, SourceTally
from thresher.batch.sources.jsonl import read_lines
from thresher.batch.sources.polite import FetchTask, fetch_all

__all__ = ["read_urls"]

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
    from thresher.fetching.model import MAX_ROBOTS_BYTES

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
