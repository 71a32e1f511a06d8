"""The SQLite database of pages and labels: schema and migrations."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from thresher.support.databases import migrate_database

__all__ = ["make_database"]

_SCHEMA: Final = (
    """
    CREATE TABLE page (
        id INTEGER PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        url TEXT,
        html BLOB NOT NULL,
        added_at REAL NOT NULL
    );
    CREATE TABLE labeller (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE label (
        id INTEGER PRIMARY KEY,
        page INTEGER NOT NULL REFERENCES page,
        labeller INTEGER NOT NULL REFERENCES labeller,
        keep BLOB,
        n_block INTEGER NOT NULL,
        text TEXT,
        page_type TEXT,
        seconds REAL NOT NULL,
        made_at REAL NOT NULL,
        undone INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX label_of_page ON label (page, labeller, undone);
    CREATE TABLE reading (
        page INTEGER NOT NULL REFERENCES page,
        model TEXT NOT NULL,
        confidence REAL,
        shown BLOB,
        PRIMARY KEY (page, model)
    );
    """,
    """
    CREATE TABLE decision (
        id INTEGER PRIMARY KEY,
        page INTEGER NOT NULL REFERENCES page,
        decider INTEGER NOT NULL REFERENCES labeller,
        first INTEGER NOT NULL REFERENCES label,
        second INTEGER NOT NULL REFERENCES label,
        keep BLOB NOT NULL,
        n_block INTEGER NOT NULL,
        text TEXT NOT NULL,
        page_type TEXT,
        made_at REAL NOT NULL
    );
    CREATE INDEX decision_of_page ON decision (page);
    """,
    # Readings are computed again when they are needed, with the title.
    """
    ALTER TABLE page ADD COLUMN title TEXT NOT NULL DEFAULT '';
    ALTER TABLE page ADD COLUMN deleted_at REAL;
    CREATE VIEW listed AS SELECT * FROM page WHERE deleted_at IS NULL;
    DELETE FROM reading;
    """,
    # Readings are computed again, with the roles that the model suggests.
    """
    ALTER TABLE label ADD COLUMN roles BLOB;
    ALTER TABLE decision ADD COLUMN roles BLOB;
    DELETE FROM reading;
    """,
)
"""Migrations from each version to the next; their number is the current version."""


def make_database(path: Path) -> None:
    """Create the database if it does not exist, and migrate an older one.

    Raises UsageError if the file is not such a database, or has a newer version.
    """
    migrate_database(path, _SCHEMA, "labels")
