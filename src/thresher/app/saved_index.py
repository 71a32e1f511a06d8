"""Full-text index of the saved list, by SQLite's FTS5; pages are added when they are searched."""

from __future__ import annotations

import sqlite3
from typing import Final

__all__ = ["remove_from_index", "remove_pages", "update_index"]

_INDEX: Final = """
    CREATE VIRTUAL TABLE IF NOT EXISTS found USING fts5(
        title, host, text, content='page', content_rowid='id',
        tokenize='unicode61 remove_diacritics 2'
    )
"""


def update_index(db: sqlite3.Connection) -> bool:
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


def remove_from_index(db: sqlite3.Connection, where: str, value: float) -> None:
    """Remove pages from the index, before their texts change."""
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
    remove_from_index(db, where, value)
    pages = f"page IN (SELECT id FROM page WHERE {where})"
    for table in ("tag", "highlight", "picture"):
        db.execute(f"DELETE FROM {table} WHERE {pages}", (value,))
    db.execute(f"DELETE FROM page WHERE {where}", (value,))


def _has_full_text(db: sqlite3.Connection) -> bool:
    """Return whether this SQLite was built with FTS5."""
    known = db.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")
    return known.fetchone() is not None
