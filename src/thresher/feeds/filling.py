"""Filling of feeds: each item gets the content of its page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final

from thresher.batch.sources.base import Entry, Unreadable
from thresher.batch.sources.urls import FetchTask
from thresher.document import Document, Verdict, WriteOptions
from thresher.errors import ThresherError
from thresher.extraction import extract_request
from thresher.feeds.reading import FeedItem, SourceFeed
from thresher.limits import Limits
from thresher.request import SelectRequest
from thresher.support.files import explain_os_error, save_text

FetchPages = Callable[[Sequence[FetchTask]], Iterator[tuple[int, Entry]]]
"""Fetches pages, and yields each with its position as it arrives."""

_FULL: Final = (Verdict.CONTENT, Verdict.LISTING, Verdict.PARTIAL)
"""Verdicts of pages whose content replaces that of the feed."""
_LEFT: Final = "left as it is"
_WRITTEN: Final = WriteOptions(title=False)


def fill_feed(
    feed: SourceFeed,
    fetch_pages: FetchPages,
    *,
    request: SelectRequest | None = None,
    limits: Limits | None = None,
    cache: Path | None = None,
    max_items: int | None = None,
    say: Callable[[str], object] = lambda _: None,
) -> dict[int, str]:
    """Return the contents of pages for the items of a feed, by their positions.

    An item is left as it is if its page cannot be fetched or read, shows an obstacle, or has less
    text, or after the first ``max_items``; ``say`` is told why. ``cache`` is a folder: what is in
    there, by address and ``request``, is not fetched again.
    """
    request = request or SelectRequest()
    contents: dict[int, str] = {}
    missing = []
    for position, item in enumerate(feed.items[:max_items]):
        if item.url is None:
            say(f"{item.title or f'item {position + 1}'}: {_LEFT}: it has no address of a page")
            continue
        kept = _path_of(item.url, request, cache)
        if kept and kept.is_file():
            contents[position] = kept.read_text(encoding="utf-8")
        else:
            missing.append(FetchTask(position, str(position), item.url))
    for position, entry in fetch_pages(missing):
        item = feed.items[position]
        if isinstance(entry, Unreadable):
            say(f"{item.url}: {_LEFT}: {entry.error}")
            continue
        try:
            document = extract_request(
                entry.body, request, limits, url=entry.url, http_charset=entry.http_charset
            )
            content = write_content(document)
        except ThresherError as error:
            say(f"{item.url}: {_LEFT}: {error}")
            continue
        contents[position] = content
        if (kept := _path_of(item.url or "", request, cache)) and content:
            try:
                save_text(kept, content)
            except OSError as error:
                say(f"{kept}: {explain_os_error(error)}; the page is not cached")
    for position, content in list(contents.items()):
        if not is_fuller(content, feed.items[position]):
            del contents[position]
            what = "its own content is longer" if content else "its page shows no content"
            say(f"{feed.items[position].url}: {_LEFT}: {what}")
    if n_more := len(feed.items[max_items:]) if max_items is not None else 0:
        say(f"{n_more:,} items after the first {max_items:,}: left as they are")
    return contents


def write_content(document: Document) -> str:
    """Return the content of a page for a feed, as HTML; empty if it shows none."""
    return document.write("html", _WRITTEN) if document.verdict in _FULL else ""


def is_fuller(content: str, item: FeedItem) -> bool:
    """Return whether the content of a page is longer than that of its item."""
    # Publishers who write the whole text into the feed know best what it is.
    return len(content) > len(item.content)


def name_of(url: str | None, request: SelectRequest) -> str:
    """Return the name under which a page is kept: other rules or weights give another content."""
    key = f"{request!r}\n{url}".encode(errors="surrogatepass")
    return blake2b(key, digest_size=16).hexdigest()


def _path_of(url: str, request: SelectRequest, cache: Path | None) -> Path | None:
    return cache and cache / f"{name_of(url, request)}.html"
