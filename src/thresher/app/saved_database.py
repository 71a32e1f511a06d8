"""The SQLite database of saved pages, their tags and highlights: schema and migrations."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from thresher.support.databases import migrate_database

__all__ = ["SAVED_FILE", "make_saved_database"]

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


def make_saved_database(path: Path) -> None:
    """Create the database if it does not exist, and migrate an older one.

    Raises UsageError if the file is not such a database, or has a newer version.
    """
    migrate_database(path, _SCHEMA, "saved pages")
