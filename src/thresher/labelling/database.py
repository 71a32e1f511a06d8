"""The SQLite file of pages and labels: its tables, and how one version becomes the next."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from thresher.errors import UsageError

__all__ = ["make_database", "open_database"]

_BUSY_S: Final = 20.0
"""Seconds to wait for another process that writes."""

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
)
"""What brings a file from each version to the next; their number is the version of this file."""


@contextmanager
def open_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file for one transaction."""
    with closing(sqlite3.connect(path, timeout=_BUSY_S)) as db, db:
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA foreign_keys = ON")
        yield db


def make_database(path: Path) -> None:
    """Make the file where there is none, and bring an older one up to this version.

    Raises UsageError where the file is no such database, or one of a newer version.
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
        db.execute("PRAGMA journal_mode = WAL")  # who reads does not wait for who writes
        for number in range(version, len(_SCHEMA)):
            steps = f"{_SCHEMA[number]}; PRAGMA user_version = {number + 1};"
            db.executescript(f"BEGIN; {steps} COMMIT;")
