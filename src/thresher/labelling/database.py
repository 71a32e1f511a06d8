"""The SQLite database of pages and labels: schema and migrations."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from thresher.errors import StorageError, UsageError
from thresher.support.disk import explain_sqlite_error

__all__ = ["make_database", "open_database"]

_BUSY_S: Final = 20.0
"""Seconds to wait for another writing process."""

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
)
"""Migrations from each version to the next; their number is the current version."""


@contextmanager
def open_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file for one transaction.

    Raises StorageError if the disk is full, or the file cannot be written or opened.
    """
    try:
        with closing(sqlite3.connect(path, timeout=_BUSY_S)) as db, db:
            db.row_factory = sqlite3.Row
            db.execute("PRAGMA foreign_keys = ON")
            yield db
    except sqlite3.OperationalError as error:
        raise StorageError(f"{path.name}: {explain_sqlite_error(error)}") from error


def make_database(path: Path) -> None:
    """Create the database if it does not exist, and migrate an older one.

    Raises UsageError if the file is not such a database, or has a newer version.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        _migrate(path)
    except sqlite3.DatabaseError as error:
        raise UsageError(f"{path} holds no labels: {error}") from error


def _migrate(path: Path) -> None:
    with open_database(path) as db:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > len(_SCHEMA):
            raise UsageError(f"{path} was written by a newer version of Thresher")
        if version == len(_SCHEMA):
            return
        db.execute("PRAGMA journal_mode = WAL")  # readers do not wait for writers
        for number in range(version, len(_SCHEMA)):
            steps = f"{_SCHEMA[number]}; PRAGMA user_version = {number + 1};"
            db.executescript(f"BEGIN; {steps} COMMIT;")
