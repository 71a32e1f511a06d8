"""Saved pages that are kept with their pictures, and links that are fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from thresher.app.saved import SavedList, check_room
from thresher.support.databases import open_database, storable

__all__ = ["WantedPage", "keep_pictures", "list_wanted", "load_pictures", "note_trouble"]

_N_AT_A_TIME: Final = 200
"""Pages that are looked up at a time."""


class WantedPage(NamedTuple):
    """A page that is to be kept offline."""

    id: int
    url: str | None
    host: str
    is_link: bool
    is_public: bool
    """Whether it must not lead to private addresses, as what was imported must not."""


def list_wanted(saved: SavedList) -> tuple[WantedPage, ...]:
    """Return pages that are to be fetched, or their pictures; the first ones."""
    with open_database(saved.path) as db:
        rows = db.execute(
            "SELECT id, url, host, is_link, is_public FROM page"
            " WHERE is_wanted AND deleted_at IS NULL ORDER BY id LIMIT ?",
            (_N_AT_A_TIME,),
        )
        return tuple(WantedPage(row[0], row[1], row[2], bool(row[3]), bool(row[4])) for row in rows)


def note_trouble(saved: SavedList, page: int, reason: str) -> None:
    """Note why a page could not be fetched; it is no longer tried."""
    with open_database(saved.path) as db:
        query = "UPDATE page SET is_wanted = 0, trouble = ? WHERE id = ?"
        db.execute(query, (storable(reason), page))


def keep_pictures(saved: SavedList, page: int, pictures: Mapping[str, bytes]) -> None:
    """Store the pictures of a page in place of those it has; LimitError if there is no room."""
    with open_database(saved.path) as db:
        db.execute("BEGIN IMMEDIATE")
        if db.execute("SELECT 1 FROM page WHERE id = ?", (page,)).fetchone() is None:
            return  # deleted meanwhile
        db.execute("DELETE FROM picture WHERE page = ?", (page,))
        check_room(db, sum(map(len, pictures.values())))
        rows = [(page, storable(url), body) for url, body in pictures.items()]
        db.executemany("INSERT OR IGNORE INTO picture VALUES (?, ?, ?)", rows)
        db.execute("UPDATE page SET is_wanted = 0, trouble = '' WHERE id = ?", (page,))


def load_pictures(saved: SavedList, page: int, url: str | None = None) -> dict[str, bytes]:
    """Return the pictures that are kept with a page by their addresses, or one of them."""
    with open_database(saved.path) as db:
        query = "SELECT url, body FROM picture WHERE page = ? AND ifnull(url = ?, 1)"
        return dict(map(tuple, db.execute(query, (page, url))))
