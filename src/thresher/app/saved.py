"""The saved list: pages that a person keeps to read, in one SQLite file.

A page is stored as it was received, so it is read again without its site. Its words are found by
FTS5 where SQLite has it, else by comparing the texts. A deleted page can be put back
for a day, with its tags and highlights.
"""

from __future__ import annotations

import re
import sqlite3
import time
import zlib
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from thresher.app.excerpt import excerpt
from thresher.app.opened_pages import PageSource
from thresher.app.saved_database import make_saved_database
from thresher.app.saved_index import remove_from_index, remove_pages, update_index
from thresher.errors import LimitError, UsageError
from thresher.support.databases import UNDO_S, open_database, storable
from thresher.support.hosts import host_of

__all__ = ["SavedList", "SavedPage", "tags_of"]

_MAX_PAGES: Final = 5000
"""Maximum of saved pages: some 350 MB, at the 70 kB that a page takes compressed."""
_MAX_BYTES: Final = 2**31
"""Maximum bytes of all stored pages, compressed."""
_MAX_TEXT_CHARS: Final = 1_000_000
"""Characters of a page's text that are searched."""
_EXCERPT_CHARS: Final = 240
_WORD: Final = re.compile(r"\w+")
_MAX_WORDS: Final = 20
"""Maximum of words of a search; further ones are ignored."""


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


class SavedList:
    """The list in a file, which is created if it does not exist.

    Raises UsageError if the file is not such a list, or has a newer version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        make_saved_database(path)

    def save(self, source: PageSource, title: str, text: str) -> int:
        """Store a page and return its number; one that is in the list stays as it is.

        One that was deleted is put back as it is now, with its tags and highlights.
        Raises LimitError if the list is full.
        """
        is_decoded = isinstance(source.body, str)
        body = zlib.compress(_bytes_of(source), 6)
        with self._open() as db:
            db.execute("BEGIN IMMEDIATE")
            known = _find(db, source)
            if known is not None and known["deleted_at"] is None:
                return int(known["id"])
            n_page, n_byte = db.execute(
                "SELECT count(*), ifnull(sum(length(body)), 0) FROM page WHERE deleted_at IS NULL"
            ).fetchone()
            if n_page >= _MAX_PAGES:
                raise LimitError("saved pages", limit=_MAX_PAGES, value=n_page + 1)
            if n_byte + len(body) > _MAX_BYTES:
                raise LimitError("bytes of saved pages", limit=_MAX_BYTES)
            values = {
                "identity": _identity_of(source),
                "url": source.url,
                "name": storable(source.name),
                "title": storable(title),
                "host": host_of(source.url),
                "text": storable(text[:_MAX_TEXT_CHARS]),
                "body": body,
                "is_decoded": is_decoded,
                "http_charset": source.http_charset,
                "is_public": source.is_public,
                "is_fetched": source.is_fetched,
                "saved_at": time.time(),
            }
            if known is not None:
                remove_from_index(db, "id = ?", known["id"])
                changes = ", ".join(f"{name} = :{name}" for name in values)
                query = (
                    f"UPDATE page SET {changes}, is_indexed = 0, deleted_at = NULL WHERE id = :id"
                )
                db.execute(query, values | {"id": known["id"]})
                return int(known["id"])
            columns, places = ", ".join(values), ", ".join(f":{name}" for name in values)
            number = db.execute(f"INSERT INTO page ({columns}) VALUES ({places})", values).lastrowid
            assert number is not None
            return number

    def number_of(self, source: PageSource) -> int | None:
        """Return the number of a page in the list, None if it is not in it."""
        with self._open() as db:
            known = _find(db, source)
        return None if known is None or known["deleted_at"] is not None else int(known["id"])

    def source(self, page: int) -> PageSource | None:
        """Return a page as it was received, None if there is none with this number."""
        with self._open() as db:
            row = db.execute(
                "SELECT * FROM page WHERE id = ? AND deleted_at IS NULL", (page,)
            ).fetchone()
        if row is None:
            return None
        body = zlib.decompress(row["body"])
        return PageSource(
            body.decode("utf-8", "surrogatepass") if row["is_decoded"] else body,
            row["url"],
            row["http_charset"],
            row["name"],
            bool(row["is_public"]),
            bool(row["is_fetched"]),
        )

    def search(
        self, words: str = "", tag: str = "", *, start: int = 0, limit: int = -1
    ) -> tuple[int, tuple[SavedPage, ...]]:
        """Find pages that hold all words, or words that begin with them, and have a tag.

        Returns how many there are, and those from ``start`` on, the latest first.
        """
        asked = _WORD.findall(words)[:_MAX_WORDS]
        if words.strip() and not asked:  # signs only
            return 0, ()
        with self._open() as db:
            if not asked:
                return _select(db, "1", (), tag, (limit, start))
            if update_index(db):
                match = " ".join(f'"{word}"*' for word in asked)
                where = "id IN (SELECT rowid FROM found WHERE found MATCH ?)"
                n_found, pages = _select(db, where, (match,), tag, (limit, start))
                if n_found:
                    return n_found, pages
            # Also for languages without spaces, whose words FTS5 does not find inside of a line.
            parts = ["%" + word.replace("_", r"\_") + "%" for word in asked]
            like = r"(title || ' ' || host || ' ' || text) LIKE ? ESCAPE '\'"
            return _select(db, " AND ".join([like] * len(parts)), parts, tag, (limit, start))

    def delete(self, page: int) -> None:
        """Take a page from the list; `restore` puts it back within a day."""
        now = time.time()
        with self._open() as db:
            db.execute("UPDATE page SET deleted_at = ? WHERE id = ?", (now, page))
            remove_pages(db, "deleted_at < ?", now - UNDO_S)

    def restore(self, page: int) -> None:
        """Put a deleted page back, with its tags; UsageError if it is gone for good."""
        with self._open() as db:
            query = "UPDATE page SET deleted_at = NULL WHERE id = ?"
            if not db.execute(query, (page,)).rowcount:
                raise UsageError("the page cannot be put back: it was deleted more than a day ago")

    def _open(self) -> AbstractContextManager[sqlite3.Connection]:
        return open_database(self.path)


def _find(db: sqlite3.Connection, source: PageSource) -> Any:
    query = "SELECT id, deleted_at FROM page WHERE identity = ?"
    return db.execute(query, (_identity_of(source),)).fetchone()


def _identity_of(source: PageSource) -> str:
    """Return what tells pages apart: the address of a fetched page, the digest of another."""
    if source.is_fetched and source.url:
        return source.url
    return sha256(_bytes_of(source)).hexdigest()


def _bytes_of(source: PageSource) -> bytes:
    body = source.body
    return body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body


def _select(
    db: sqlite3.Connection, where: str, values: Sequence[str], tag: str, shown: tuple[int, int]
) -> tuple[int, tuple[SavedPage, ...]]:
    """Return the number of pages under a condition, and those shown: so many, from a place on."""
    where, values = f"deleted_at IS NULL AND {where}", [*values]
    if tag:
        where += " AND id IN (SELECT page FROM tag WHERE name = ?)"
        values.append(storable(tag))
    n_found = db.execute(f"SELECT count(*) FROM page WHERE {where}", values).fetchone()[0]
    rows = db.execute(
        "SELECT id, url, title, host, saved_at,"
        f" substr(text, 1, {2 * _EXCERPT_CHARS} + length(title)) AS beginning"
        f" FROM page WHERE {where} ORDER BY saved_at DESC, id DESC LIMIT ? OFFSET ?",
        [*values, *shown],
    ).fetchall()
    pages = (
        SavedPage(
            row["id"],
            row["url"],
            row["title"],
            row["host"],
            excerpt(_without_title(row["beginning"], row["title"]), _EXCERPT_CHARS),
            tags_of(db, row["id"]),
            row["saved_at"],
        )
        for row in rows
    )
    return n_found, tuple(pages)


def _without_title(text: str, title: str) -> str:
    """Return the beginning of a text without the page's title, which stands beside it."""
    first, _, rest = text.lstrip().partition("\n")
    return rest if rest.strip() and " ".join(first.split()) == title else text


def tags_of(db: sqlite3.Connection, page: int) -> tuple[str, ...]:
    """Return the tags of a page in alphabetical order."""
    rows = db.execute("SELECT name FROM tag WHERE page = ? ORDER BY name", (page,))
    return tuple(row[0] for row in rows)
