"""The saved list: pages that a person keeps to read, in one SQLite file.

A page is stored as it was received, so it is read again without its site. Its words are found by
FTS5 where SQLite has it, to whose index pages are added when they are searched, else by comparing
the texts. How far it was read and where it is kept are changed by `thresher.app.saved_changes`.
"""

from __future__ import annotations

import re
import sqlite3
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from thresher.app.engine import PageSource, excerpt, measure
from thresher.errors import LimitError
from thresher.support.databases import migrate_database, open_database, storable
from thresher.support.hosts import host_of, is_web

SAVED_FILE: Final = "saved.sqlite"
"""Name of the database in the data folder."""
_SCHEMA: Final = (
    """
    CREATE TABLE page (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        identity TEXT NOT NULL UNIQUE,
        url TEXT,
        name TEXT NOT NULL,
        title TEXT NOT NULL,
        host TEXT NOT NULL,
        text TEXT NOT NULL,
        body BLOB NOT NULL,
        is_decoded INTEGER NOT NULL,
        http_charset TEXT,
        is_public INTEGER NOT NULL,
        is_fetched INTEGER NOT NULL,
        is_indexed INTEGER NOT NULL DEFAULT 0,
        saved_at REAL NOT NULL,
        deleted_at REAL
    );
    CREATE TABLE tag (
        page INTEGER NOT NULL REFERENCES page,
        name TEXT NOT NULL COLLATE NOCASE,
        PRIMARY KEY (page, name)
    );
    """,
    """
    CREATE TABLE highlight (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        page INTEGER NOT NULL REFERENCES page,
        quote TEXT NOT NULL,
        before TEXT NOT NULL,
        after TEXT NOT NULL,
        start INTEGER NOT NULL,
        made_at REAL NOT NULL,
        deleted_at REAL
    );
    CREATE INDEX highlight_of_page ON highlight (page);
    """,
    """
    ALTER TABLE page ADD COLUMN minutes INTEGER;
    ALTER TABLE page ADD COLUMN progress REAL NOT NULL DEFAULT 0;
    ALTER TABLE page ADD COLUMN is_archived INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE page ADD COLUMN is_favourite INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE page ADD COLUMN is_link INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE page ADD COLUMN is_wanted INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE page ADD COLUMN trouble TEXT NOT NULL DEFAULT '';
    ALTER TABLE highlight ADD COLUMN note TEXT NOT NULL DEFAULT '';
    CREATE TABLE picture (
        page INTEGER NOT NULL REFERENCES page,
        url TEXT NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (page, url)
    );
    """,
)
"""Migrations from each version to the next; their number is the current version."""


_MAX_PAGES: Final = 5000
"""Maximum number of saved pages: some 350 MB, at the 70 kB that a page takes compressed."""
_MAX_BYTES: Final = 2**31
"""Maximum bytes of all stored pages, compressed."""
_MAX_TEXT_CHARS: Final = 1_000_000
"""Characters of a page's text that are searched."""
_EXCERPT_CHARS: Final = 240
SHELVES: Final[Mapping[str, tuple[str, str]]] = {
    "list": ("List", "NOT is_archived"),
    "unread": ("Unread", "NOT is_archived AND progress = 0"),
    "started": ("Started", "NOT is_archived AND progress > 0 AND progress < 1"),
    "favourites": ("Favourites", "is_favourite"),
    "archive": ("Archive", "is_archived"),
    "all": ("All", "1"),
}
"""Parts of the list → what people call them, and which pages are in them."""
SORTS: Final[Mapping[str, tuple[str, str]]] = {
    "newest": ("Newest first", "saved_at DESC, id DESC"),
    "oldest": ("Oldest first", "saved_at, id"),
    "shortest": ("Shortest first", "minutes IS NULL, minutes, id"),
    "longest": ("Longest first", "minutes DESC, id"),
    "title": ("By title", "title COLLATE NOCASE, id"),
    "site": ("By site", "host, title COLLATE NOCASE, id"),
}
"""Orders of pages → what people call them, and how the database does."""
_WORD: Final = re.compile(r"\w+")
_MAX_WORDS: Final = 20
"""Maximum number of words of a search; further ones are ignored."""


@dataclass(frozen=True, slots=True)
class SavedPage:
    """Entry of the list."""

    id: int
    url: str | None
    title: str
    host: str
    excerpt: str
    tags: tuple[str, ...]
    saved_at: float
    minutes: int | None = None
    """Minutes to read it, 0 for less than one; None if unknown."""
    progress: float = 0.0
    """Share of it that was read; 0 for unread, 1 for read."""
    is_archived: bool = False
    is_favourite: bool = False
    is_link: bool = False
    """Whether only its address is known: it was imported, and is fetched when it is opened."""
    is_wanted: bool = False
    """Whether it is to be fetched, with its pictures."""
    trouble: str = ""
    """Why it could not be fetched, if it was tried."""
    n_picture: int = 0
    """Pictures that are kept with it."""

    @property
    def web_url(self) -> str | None:
        """Its address, if that can be linked."""
        return self.url if is_web(self.url) else None


class SavedList:
    """The list in a file, which is created if it does not exist.

    Raises UsageError if the file is not such a list, or has a newer version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        migrate_database(path, _SCHEMA, "saved pages")

    def save(self, source: PageSource, title: str, text: str) -> int:
        """Store a page and return its number; one that is in the list stays as it is.

        One that was deleted is put back as it is now, with its tags and highlights, and a link
        becomes a page. Raises LimitError if the list is full.
        """
        values = row_of(source, title, text)
        with open_database(self.path) as db:
            db.execute("BEGIN IMMEDIATE")
            row = find_row(db, values["identity"])
            if row is not None and row["deleted_at"] is None and not row["is_link"]:
                return int(row["id"])
            check_room(db, len(values["body"]), n_new=row is None or not row["is_link"])
            if row is None:
                return insert_page(db, values)
            update_page(db, int(row["id"]), values)
            return int(row["id"])

    def fill(self, page: int, source: PageSource, title: str, text: str) -> int:
        """Store the page that a link leads to; return its number.

        A link that leads to a page of the list becomes that page, with the tags and highlights of
        both.
        """
        values = row_of(source, title, text)
        with open_database(self.path) as db:
            db.execute("BEGIN IMMEDIATE")
            row = find_row(db, values["identity"])
            if row is not None and row["id"] != page:
                for table in ("tag", "highlight", "picture"):
                    db.execute(
                        f"UPDATE OR IGNORE {table} SET page = ? WHERE page = ?", (row["id"], page)
                    )
                remove_pages(db, "id = ?", page)
                return int(row["id"])
            check_room(db, len(values["body"]))
            for name in ("saved_at", "is_archived", "deleted_at"):
                del values[name]
            update_page(db, page, values | {"is_wanted": False, "trouble": ""})
            return page

    def find(self, source: PageSource) -> SavedPage | None:
        """Return the entry of a page, None if it is not in the list."""
        with open_database(self.path) as db:
            row = find_row(db, _identity_of(source))
            if row is None or row["deleted_at"] is not None:
                return None
            return _select(db, f"id = {row['id']}", (), "", (1, 0))[1][0]

    def source(self, page: int) -> PageSource | None:
        """Return a page as it was received, without a body if it is a link; None if it is gone."""
        with open_database(self.path) as db:
            row = db.execute(
                "SELECT * FROM page WHERE id = ? AND deleted_at IS NULL", (page,)
            ).fetchone()
        return None if row is None else PageSource.of_stored(zlib.decompress(row["body"]), row)

    def search(
        self,
        words: str = "",
        tag: str = "",
        *,
        shelf: str = "all",
        sort: str = "newest",
        start: int = 0,
        limit: int = -1,
    ) -> tuple[int, tuple[SavedPage, ...]]:
        """Find pages that hold all words, or words that begin with them, and have a tag.

        ``shelf`` is one of `SHELVES`, ``sort`` one of `SORTS`; others are the defaults. Returns how
        many there are, and those from ``start`` on.
        """
        asked = _WORD.findall(words)[:_MAX_WORDS]
        if words.strip() and not asked:  # signs only
            return 0, ()
        shown = (limit, start)
        _, on_shelf = SHELVES.get(shelf, SHELVES["all"])
        kept, values = f"deleted_at IS NULL AND {on_shelf}", []
        if tag:
            kept += " AND id IN (SELECT page FROM tag WHERE name = ?)"
            values.append(storable(tag))
        with open_database(self.path) as db:
            if not asked:
                return _select(db, kept, values, sort, shown)
            if _update_index(db):
                match = " ".join(f'"{word}"*' for word in asked)
                where = f"{kept} AND id IN (SELECT rowid FROM found WHERE found MATCH ?)"
                n_found, pages = _select(db, where, [*values, match], sort, shown)
                if n_found:
                    return n_found, pages
            # Also for languages without spaces, whose words FTS5 does not find inside of a line.
            parts = ["%" + word.replace("_", r"\_") + "%" for word in asked]
            like = r"(title || ' ' || host || ' ' || text) LIKE ? ESCAPE '\'"
            where = " AND ".join([kept, *[like] * len(parts)])
            return _select(db, where, [*values, *parts], sort, shown)

    def count(self) -> dict[str, int]:
        """Return the number of pages on each shelf."""
        sums = ", ".join(f"count(*) FILTER (WHERE {where})" for _, where in SHELVES.values())
        with open_database(self.path) as db:
            row = db.execute(f"SELECT {sums} FROM page WHERE deleted_at IS NULL").fetchone()
        return dict(zip(SHELVES, row, strict=True))


def find_row(db: sqlite3.Connection, identity: str) -> Any:
    """Return the row of a page, which may be deleted; None if there is none."""
    query = "SELECT id, deleted_at, is_link FROM page WHERE identity = ?"
    return db.execute(query, (identity,)).fetchone()


def row_of(source: PageSource, title: str, text: str) -> dict[str, Any]:
    """Return the columns of a page that is saved now."""
    return {
        "identity": _identity_of(source),
        "url": source.url,
        "name": storable(source.name),
        "title": storable(title),
        "host": host_of(source.url),
        "text": storable(text[:_MAX_TEXT_CHARS]),
        "minutes": measure(text[:_MAX_TEXT_CHARS]).minutes,
        "body": zlib.compress(_bytes_of(source), 6),
        "is_decoded": isinstance(source.body, str),
        "http_charset": source.http_charset,
        "is_public": source.is_public,
        "is_fetched": source.is_fetched,
        "is_link": not source.body and source.is_fetched,
        "saved_at": time.time(),
        "is_archived": False,
        "deleted_at": None,
    }


def check_room(db: sqlite3.Connection, n_bytes: int = 0, *, n_new: int = 0) -> None:
    """Raise LimitError if so many bytes of so many new pages do not fit in the list."""
    n_page = db.execute("SELECT count(*) FROM page WHERE deleted_at IS NULL").fetchone()[0]
    if n_page + n_new > _MAX_PAGES:
        raise LimitError("saved pages", limit=_MAX_PAGES, value=n_page + n_new)
    n_kept = db.execute(
        "SELECT ifnull((SELECT sum(length(body)) FROM page WHERE deleted_at IS NULL), 0)"
        " + ifnull((SELECT sum(length(body)) FROM picture), 0)"
    ).fetchone()[0]
    if n_kept + n_bytes > _MAX_BYTES:
        raise LimitError("bytes of saved pages", limit=_MAX_BYTES)


def insert_page(db: sqlite3.Connection, values: Mapping[str, Any]) -> int:
    """Add a row; return its number."""
    columns, places = ", ".join(values), ", ".join(f":{name}" for name in values)
    number = db.execute(f"INSERT INTO page ({columns}) VALUES ({places})", values).lastrowid
    assert number is not None
    return number


def update_page(db: sqlite3.Connection, page: int, values: Mapping[str, Any]) -> None:
    """Change a row, whose text is indexed again."""
    _remove_from_index(db, "id = ?", page)
    changes = ", ".join(f"{name} = :{name}" for name in values)
    db.execute(f"UPDATE page SET {changes}, is_indexed = 0 WHERE id = :id", {**values, "id": page})


def _identity_of(source: PageSource) -> str:
    """Return what tells pages apart: the address of a fetched page, the digest of another."""
    if source.is_fetched and source.url:
        return source.url
    return sha256(_bytes_of(source)).hexdigest()


def _bytes_of(source: PageSource) -> bytes:
    body = source.body
    return body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body


def _select(
    db: sqlite3.Connection, where: str, values: Sequence[str], sort: str, shown: tuple[int, int]
) -> tuple[int, tuple[SavedPage, ...]]:
    """Return the number of pages under a condition, and those shown: so many, from a place on."""
    n_found = db.execute(f"SELECT count(*) FROM page WHERE {where}", values).fetchone()[0]
    _, order = SORTS.get(sort, SORTS["newest"])
    rows = db.execute(
        "SELECT id, url, title, host, saved_at, minutes, progress, is_archived, is_favourite,"
        " is_link, is_wanted, trouble,"
        " (SELECT count(*) FROM picture WHERE picture.page = page.id) AS n_picture,"
        f" substr(text, 1, {2 * _EXCERPT_CHARS} + length(title)) AS beginning"
        f" FROM page WHERE {where} ORDER BY {order} LIMIT ? OFFSET ?",
        [*values, *shown],
    ).fetchall()
    pages = []
    for row in map(dict, rows):
        text = _without_title(row.pop("beginning"), row["title"])
        shown_text = excerpt(text, _EXCERPT_CHARS)
        pages.append(SavedPage(**row, excerpt=shown_text, tags=tags_of(db, row["id"])))
    return n_found, tuple(pages)


def _without_title(text: str, title: str) -> str:
    """Return the beginning of a text without the page's title, which stands beside it."""
    first, _, rest = text.lstrip().partition("\n")
    return rest if rest.strip() and " ".join(first.split()) == title else text


def tags_of(db: sqlite3.Connection, page: int) -> tuple[str, ...]:
    """Return the tags of a page in alphabetical order."""
    rows = db.execute("SELECT name FROM tag WHERE page = ? ORDER BY name", (page,))
    return tuple(row[0] for row in rows)


_INDEX: Final = """
    CREATE VIRTUAL TABLE IF NOT EXISTS found USING fts5(
        title, host, text, content='page', content_rowid='id',
        tokenize='unicode61 remove_diacritics 2'
    )
"""


def _update_index(db: sqlite3.Connection) -> bool:
    """Add the pages that are not in the index; return whether it has all of them.

    It has not where there is no FTS5, and where it cannot be written, as on a full disk.
    """
    if not _has_full_text(db):
        return False
    try:
        db.execute(_INDEX)
        if db.execute("SELECT 1 FROM page WHERE is_indexed = 0").fetchone():
            db.execute("BEGIN IMMEDIATE")
            db.execute(
                "INSERT INTO found (rowid, title, host, text)"
                " SELECT id, title, host, text FROM page WHERE is_indexed = 0"
            )
            db.execute("UPDATE page SET is_indexed = 1 WHERE is_indexed = 0")
    except sqlite3.OperationalError:
        db.rollback()
        return False
    return True


def _remove_from_index(db: sqlite3.Connection, where: str, value: float) -> None:
    indexed = f"is_indexed = 1 AND {where}"
    is_indexed = db.execute(f"SELECT 1 FROM page WHERE {indexed}", (value,)).fetchone()
    if is_indexed and _has_full_text(db):
        db.execute(
            "INSERT INTO found (found, rowid, title, host, text)"
            f" SELECT 'delete', id, title, host, text FROM page WHERE {indexed}",
            (value,),
        )


def remove_pages(db: sqlite3.Connection, where: str, value: float) -> None:
    """Remove pages for good, from the index too."""
    _remove_from_index(db, where, value)
    pages = f"page IN (SELECT id FROM page WHERE {where})"
    for table in ("tag", "highlight", "picture"):
        db.execute(f"DELETE FROM {table} WHERE {pages}", (value,))
    db.execute(f"DELETE FROM page WHERE {where}", (value,))


def _has_full_text(db: sqlite3.Connection) -> bool:
    rows = db.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")
    return rows.fetchone() is not None
