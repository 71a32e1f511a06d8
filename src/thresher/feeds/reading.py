"""Reading of feeds: RSS 0.9 to 2.0, Atom and RDF, by turbohtml's parser."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import Final
from urllib.parse import urljoin, urlsplit

import turbohtml

from thresher.errors import InputError
from thresher.page.decode import read_utf8

__all__ = ["FeedItem", "SourceFeed", "find_feed", "read_feed"]

_LINK: Final = "link[rel~='alternate' i][type='application/{}+xml' i]"
"""A link of a page to its feed (HTML Living Standard, 4.6.7.1)."""
_FEED: Final = ", ".join(_LINK.format(kind) for kind in ("rss", "atom"))


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One item of a feed."""

    title: str | None
    url: str | None
    """Address of its page; None without a web address."""
    id: str
    published: str | None
    """As RSS has it (RFC 822)."""
    author: str | None
    content: str
    """HTML: the item's own content, or else its summary."""


@dataclass(frozen=True, slots=True)
class SourceFeed:
    """A feed as its publisher wrote it."""

    title: str
    url: str | None
    """Address of the site."""
    description: str
    items: tuple[FeedItem, ...]


def read_feed(body: bytes, url: str | None = None, http_charset: str | None = None) -> SourceFeed:
    """Read a feed; InputError if it is none. ``url`` is the base of relative addresses."""
    text = read_utf8(body, http_charset=http_charset)[0].decode("utf-8", "replace")
    try:
        feed = turbohtml.parse_xml(text).feed()
    except (ValueError, turbohtml.HTMLParseError):
        feed = turbohtml.parse(text).feed()  # forgives what is not well-formed
    if feed is None:
        raise InputError("this is no feed: it is neither RSS nor Atom")
    site = _resolve(feed.link, url)
    return SourceFeed(
        feed.title or site or "Feed",
        site,
        feed.description or "",
        tuple(_read_item(entry, site or url) for entry in feed.entries),
    )


def find_feed(body: bytes, url: str, http_charset: str | None = None) -> str | None:
    """Return the address of the first feed that a page names, None if it names none."""
    text = read_utf8(body, http_charset=http_charset)[0].decode("utf-8", "replace")
    link = turbohtml.parse(text).select_one(_FEED)
    return None if link is None else _resolve(str(link.attrs.get("href") or ""), url)


def _read_item(entry: turbohtml.Entry, base: str | None) -> FeedItem:
    url = _resolve(entry.link, base)
    content = entry.content if isinstance(entry.content, str) else None
    return FeedItem(
        entry.title,
        url,
        entry.id or url or entry.title or "",
        _read_date(entry.published or entry.updated),
        entry.author,
        content or entry.summary or "",
    )


def _resolve(link: str | None, base: str | None) -> str | None:
    """Return an absolute web address; None for anything else."""
    try:
        url = urljoin(base or "", (link or "").strip())
        return url if urlsplit(url).scheme in ("http", "https") and link else None
    except ValueError:
        return None


def _read_date(date: str | None) -> str | None:
    """Return a date of RSS or of Atom as RSS has it; None if it is neither."""
    if not date:
        return None
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            return format_datetime(read(date.strip()))
        except (ValueError, TypeError, IndexError):
            continue
    return None
