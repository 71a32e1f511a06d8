"""Subscriptions: feeds that a person reads, and their items, in one SQLite file.

A feed is fetched again after an hour, later if that has failed. Of each feed the latest items are
kept, unread ones before read ones.
"""

from __future__ import annotations

import html
import re
import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thresher.app.engine import excerpt
from thresher.app.imports import MAX_LINE_CHARS, ImportedFeed, cut_line
from thresher.errors import LimitError, UsageError
from thresher.feeds.reading import FeedItem, SourceFeed
from thresher.fetching.model import Fetched
from thresher.support.databases import UNDO_S, migrate_database, open_database, storable
from thresher.support.xml import format_attributes

FEEDS_FILE: Final = "feeds.sqlite"
"""Name of the database in the data folder."""
_SCHEMA: Final = (
    """
    CREATE TABLE feed (
        id INTEGER PRIMARY KEY,
        url TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        site TEXT,
        folder TEXT NOT NULL DEFAULT '',
        is_public INTEGER NOT NULL DEFAULT 1,
        etag TEXT,
        modified TEXT,
        n_failed INTEGER NOT NULL DEFAULT 0,
        trouble TEXT NOT NULL DEFAULT '',
        checked_at REAL,
        due_at REAL NOT NULL DEFAULT 0,
        deleted_at REAL
    );
    CREATE TABLE item (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        feed INTEGER NOT NULL REFERENCES feed,
        guid TEXT NOT NULL,
        url TEXT,
        title TEXT NOT NULL,
        author TEXT,
        content TEXT NOT NULL,
        published_at REAL NOT NULL,
        is_read INTEGER NOT NULL DEFAULT 0,
        UNIQUE (feed, guid)
    );
    CREATE INDEX unread_item ON item (is_read, feed);
    CREATE INDEX item_by_time ON item (published_at, id);
    """,
)
_MAX_FEEDS: Final = 500
_MAX_ITEMS: Final = 500
"""Items of a feed that are kept."""
_MAX_CONTENT_CHARS: Final = 200_000
_REFRESH_S: Final = 60 * 60.0
"""Seconds after which a feed is fetched again, as most readers do."""
_MAX_REFRESH_S: Final = 24 * 60 * 60.0
"""Seconds to the next attempt, at most, for a feed that fails again and again."""
_TAG: Final = re.compile(r"<[^<>]*>")
_EXCERPT_CHARS: Final = 240


@dataclass(frozen=True, slots=True)
class Subscription:
    """A feed in the list."""

    id: int
    url: str
    title: str
    folder: str
    n_unread: int
    checked_at: float | None
    trouble: str
    """Why it could not be read the last time; empty if it could."""


@dataclass(frozen=True, slots=True)
class DueFeed:
    """A feed that is due to be fetched."""

    id: int
    url: str
    etag: str | None
    modified: str | None


@dataclass(frozen=True, slots=True)
class ReadItem:
    """An item as it is listed and opened."""

    id: int
    feed: int
    feed_title: str
    url: str | None
    title: str
    author: str | None
    content: str
    """HTML of its publisher."""
    published_at: float
    is_read: bool
    is_public: bool
    """Whether its feed is from the public internet, and must not lead to private addresses."""

    @property
    def excerpt(self) -> str:
        """The beginning of its text, without its title."""
        text = html.unescape(_TAG.sub(" ", self.content[: 20 * _EXCERPT_CHARS]).partition("<")[0])
        return excerpt(" ".join(text.split()).removeprefix(self.title), _EXCERPT_CHARS)


class Subscriptions:
    """The feeds in a file, which is created if it does not exist.

    Raises UsageError if the file holds something else, or has a newer version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        migrate_database(path, _SCHEMA, "feeds")

    def add(self, feeds: Iterable[ImportedFeed]) -> tuple[int, int]:
        """Add feeds, which are due; return how many are new, and how many were there.

        One that was removed comes back with its items. Raises LimitError if there are too many.
        """
        n_new = n_known = 0
        with open_database(self.path) as db:
            db.execute("BEGIN IMMEDIATE")
            for feed in feeds:
                url = storable(feed.url)
                row = db.execute("SELECT deleted_at FROM feed WHERE url = ?", (url,)).fetchone()
                if row is not None and row[0] is None:
                    n_known += 1
                    continue
                n_new += 1
                db.execute(
                    "INSERT INTO feed (url, title, folder) VALUES (?, ?, ?)"
                    " ON CONFLICT (url) DO UPDATE SET deleted_at = NULL, due_at = 0",
                    (url, storable(feed.title or feed.url), storable(feed.folder)),
                )
            n_feed = db.execute("SELECT count(*) FROM feed WHERE deleted_at IS NULL").fetchone()[0]
            if n_feed > _MAX_FEEDS:
                raise LimitError("feeds", limit=_MAX_FEEDS, value=n_feed)
        return n_new, n_known

    def number_of(self, url: str) -> int | None:
        """Return the number of a feed, None if it is not subscribed to."""
        with open_database(self.path) as db:
            query = "SELECT id FROM feed WHERE url = ? AND deleted_at IS NULL"
            row = db.execute(query, (storable(url),)).fetchone()
        return None if row is None else int(row[0])

    def feeds(self) -> tuple[Subscription, ...]:
        """Return all feeds by folder and title, with the number of their unread items."""
        with open_database(self.path) as db:
            rows = db.execute(
                "SELECT id, url, title, folder, (SELECT count(*) FROM item"
                " WHERE item.feed = feed.id AND NOT is_read), checked_at, trouble FROM feed"
                " WHERE deleted_at IS NULL ORDER BY folder COLLATE NOCASE, title COLLATE NOCASE"
            )
            return tuple(Subscription(*row) for row in rows)

    def items(
        self, feed: int | None = None, *, only_unread: bool = True, start: int = 0, limit: int = -1
    ) -> tuple[int, tuple[ReadItem, ...]]:
        """Return the number of items, of one feed or of all, and those shown, the latest first."""
        where, values = ["feed.deleted_at IS NULL"], []
        if feed is not None:
            where.append("feed = ?")
            values.append(feed)
        if only_unread:
            where.append("NOT is_read")
        with open_database(self.path) as db:
            return _select_items(db, " AND ".join(where), values, limit, start)

    def latest(self) -> int:
        """Return the number of the item that came last, 0 without any."""
        with open_database(self.path) as db:
            return int(db.execute("SELECT ifnull(max(id), 0) FROM item").fetchone()[0])

    def item(self, item: int) -> ReadItem | None:
        """Return an item, None if it is gone."""
        with open_database(self.path) as db:
            return next(iter(_select_items(db, "item.id = ?", [item], 1, 0)[1]), None)

    def mark(self, items: Sequence[int], *, is_read: bool) -> None:
        """Mark items as read or unread."""
        with open_database(self.path) as db:
            query = "UPDATE item SET is_read = ? WHERE id = ?"
            db.executemany(query, [(is_read, item) for item in items])

    def mark_all(self, feed: int | None, until: int) -> None:
        """Mark the items of a feed, or of all, as read; those that came after ``until`` stay."""
        with open_database(self.path) as db:
            query = "UPDATE item SET is_read = 1 WHERE id <= ? AND ifnull(feed = ?, 1)"
            db.execute(query, (until, feed))

    def remove(self, feed: int) -> None:
        """Unsubscribe from a feed; `restore` takes that back within a day."""
        now = time.time()
        with open_database(self.path) as db:
            db.execute("UPDATE feed SET deleted_at = ? WHERE id = ?", (now, feed))
            gone = "SELECT id FROM feed WHERE deleted_at < ?"
            db.execute(f"DELETE FROM item WHERE feed IN ({gone})", (now - UNDO_S,))
            db.execute(f"DELETE FROM feed WHERE id IN ({gone})", (now - UNDO_S,))

    def restore(self, feed: int) -> None:
        """Subscribe again to a feed that was removed; UsageError if it is gone for good."""
        with open_database(self.path) as db:
            query = "UPDATE feed SET deleted_at = NULL WHERE id = ?"
            if not db.execute(query, (feed,)).rowcount:
                raise UsageError("the feed cannot be put back: it was removed more than a day ago")

    def hasten(self, feed: int | None) -> None:
        """Make a feed, or all, due now."""
        with open_database(self.path) as db:
            db.execute("UPDATE feed SET due_at = 0 WHERE ifnull(id = ?, 1)", (feed,))

    def due(self) -> tuple[DueFeed, ...]:
        """Return the feeds that are due to be fetched."""
        with open_database(self.path) as db:
            query = (
                "SELECT id, url, etag, modified FROM feed"
                " WHERE deleted_at IS NULL AND due_at <= ? ORDER BY due_at"
            )
            return tuple(DueFeed(*row) for row in db.execute(query, (time.time(),)))

    def store(self, feed: int, fetched: Fetched, read: SourceFeed) -> None:
        """Store the items of a feed that are new, and when to ask again."""
        now = time.time()
        with open_database(self.path) as db:
            db.execute("BEGIN IMMEDIATE")
            if db.execute("SELECT 1 FROM feed WHERE id = ?", (feed,)).fetchone() is None:
                return  # removed meanwhile
            values = (storable(cut_line(read.title)), read.url, fetched.is_public)
            db.execute(
                "UPDATE feed SET title = ?, site = ?, is_public = ?, etag = ?, modified = ?"
                " WHERE id = ?",
                (*values, fetched.etag, fetched.last_modified, feed),
            )
            _settle(db, feed, "", now)
            # The first item of a feed is the latest, also where none has a date.
            for n, item in enumerate(reversed(read.items[:_MAX_ITEMS])):
                db.execute(
                    "INSERT OR IGNORE INTO item"
                    " (feed, guid, url, title, author, content, published_at)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (feed, *_row_of(item, now + n / 1000)),
                )
            db.execute(
                "DELETE FROM item WHERE feed = ?1 AND id NOT IN (SELECT id FROM item WHERE"
                " feed = ?1 ORDER BY is_read, published_at DESC, id DESC LIMIT ?2)",
                (feed, _MAX_ITEMS),
            )

    def note_trouble(self, feed: int, reason: str = "") -> None:
        """Note why a feed could not be read, or without a reason that nothing has changed."""
        with open_database(self.path) as db:
            _settle(db, feed, reason, time.time())


def _settle(db: sqlite3.Connection, feed: int, trouble: str, now: float) -> None:
    """Note the outcome of asking a feed, and when to ask it again: later each time it fails."""
    db.execute(
        "UPDATE feed SET trouble = :trouble, checked_at = :now,"
        " n_failed = CASE WHEN :trouble = '' THEN 0 ELSE n_failed + 1 END,"
        " due_at = :now + CASE WHEN :trouble = '' THEN :wait"
        " ELSE min(:wait * (1 << min(n_failed, 10)), :most) END WHERE id = :feed",
        {
            **{"trouble": storable(trouble), "now": now, "feed": feed},
            **{"wait": _REFRESH_S, "most": _MAX_REFRESH_S},
        },
    )


def _select_items(
    db: sqlite3.Connection, where: str, values: Sequence[int], limit: int, start: int
) -> tuple[int, tuple[ReadItem, ...]]:
    tables = f"item JOIN feed ON feed.id = item.feed WHERE {where}"
    n_found = db.execute(f"SELECT count(*) FROM {tables}", values).fetchone()[0]
    rows = db.execute(
        "SELECT item.id, feed, feed.title AS feed_title, item.url, item.title, author, content,"
        f" published_at, is_read, is_public FROM {tables}"
        " ORDER BY published_at DESC, item.id DESC LIMIT ? OFFSET ?",
        [*values, limit, start],
    )
    return n_found, tuple(ReadItem(*row) for row in rows)


def _row_of(item: FeedItem, now: float) -> tuple[object, ...]:
    """Return the columns of an item; one without a date, or of the future, is of now."""
    try:
        published = min(item.published.timestamp(), now) if item.published else now
    except (ValueError, OverflowError):
        published = now
    return (
        storable(item.id[:MAX_LINE_CHARS]),
        None if item.url is None else storable(item.url),
        storable(cut_line(item.title or "") or item.url or "Untitled"),
        item.author and storable(cut_line(item.author)),
        storable(item.content[:_MAX_CONTENT_CHARS]),
        published,
    )


def write_opml(feeds: Iterable[Subscription]) -> str:
    """Write feeds as OPML 2.0 (http://opml.org/spec2.opml), in their folders."""
    folders: dict[str, list[str]] = {}
    for feed in feeds:
        attributes = {"type": "rss", "text": feed.title, "title": feed.title, "xmlUrl": feed.url}
        outline = f"<outline{format_attributes(attributes)}/>\n"
        folders.setdefault(feed.folder, []).append(outline)
    body = "".join(folders.pop("", []))
    for name, outlines in folders.items():
        head = format_attributes({"text": name, "title": name})
        body += f"<outline{head}>\n{''.join(outlines)}</outline>\n"
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<opml version="2.0">\n'
        f"<head><title>Feeds</title></head>\n<body>\n{body}</body>\n</opml>\n"
    )
