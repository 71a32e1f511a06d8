"""Filling of feeds: each item gets the content of its page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Final

from thresher.batch.model import Item
from thresher.batch.sources.base import Entry, Unreadable
from thresher.batch.sources.polite import FetchTask
from thresher.document import Document, Verdict, WriteOptions
from thresher.errors import ThresherError
from thresher.extraction import extract_request
from thresher.feeds.reading import FeedItem, SourceFeed
from thresher.limits import Limits
from thresher.request import SelectRequest
from thresher.support.atomic import save_text
from thresher.support.disk import explain_os_error

__all__ = ["FetchPages", "fill_feed", "fill_item", "write_content"]

FetchPages = Callable[[Sequence[FetchTask]], Iterator[tuple[int, Entry]]]
"""Fetches pages, and yields each with its position as it arrives."""

_FULL: Final = (Verdict.CONTENT, Verdict.LISTING, Verdict.PARTIAL)
"""Verdicts of pages whose content replaces that of the feed."""
_WRITTEN: Final = WriteOptions(title=False)


def fill_feed(
    feed: SourceFeed,
    fetch_pages: FetchPages,
    *,
    request: SelectRequest | None = None,
    limits: Limits | None = None,
    cache: Path | None = None,
    say: Callable[[str], object] = lambda _: None,
) -> SourceFeed:
    """Return a feed whose items have the content of their pages.

    An item keeps its own content if its page cannot be fetched or read, shows an obstacle, or has
    less text; ``say`` is told of pages that failed. ``cache`` is a folder: what is in there, by
    address and ``request``, is not fetched again.
    """
    request = request or SelectRequest()
    contents: dict[int, str] = {}
    asked = []
    for position, item in enumerate(feed.items):
        if item.url is None:
            continue
        kept = _path_of(item.url, request, cache)
        if kept and kept.is_file():
            contents[position] = kept.read_text(encoding="utf-8")
        else:
            asked.append(FetchTask(position, str(position), item.url))
    for position, entry in fetch_pages(asked):
        item = feed.items[position]
        if isinstance(entry, Unreadable):
            say(f"{item.url}: {entry.error}")
            continue
        try:
            content = _extract(entry, request, limits)
        except ThresherError as error:
            say(f"{item.url}: {error}")
            continue
        contents[position] = content
        if (kept := _path_of(item.url or "", request, cache)) and content:
            try:
                kept.parent.mkdir(parents=True, exist_ok=True)
                save_text(kept, content)
            except OSError as error:
                say(f"{kept}: {explain_os_error(error)}; the page is not cached")
    filled = (fill_item(item, contents.get(n, "")) for n, item in enumerate(feed.items))
    return replace(feed, items=tuple(filled))


def _extract(page: Item, request: SelectRequest, limits: Limits | None) -> str:
    """Return the content of a page as HTML; empty if it shows none."""
    document = extract_request(
        page.body, request, limits, url=page.url, http_charset=page.http_charset
    )
    return write_content(document)


def write_content(document: Document) -> str:
    """Return the content of a page for a feed, as HTML; empty if it shows none."""
    return document.write("html", _WRITTEN) if document.verdict in _FULL else ""


def fill_item(item: FeedItem, content: str) -> FeedItem:
    """Return an item with the content of its page, unless its own is longer."""
    # Publishers who write the whole text into the feed know best what it is.
    return item if len(content) <= len(item.content) else replace(item, content=content)


def _path_of(url: str, request: SelectRequest, cache: Path | None) -> Path | None:
    """Return the file of a page in the cache."""
    name = blake2b(f"{request!r}\n{url}".encode(errors="surrogatepass"), digest_size=16).hexdigest()
    return cache and cache / f"{name}.html"
