"""SQLite files of our own."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from thresher.errors import UsageError
from thresher.support.databases import explain_sqlite_error, migrate_database, open_database

OLD = ("CREATE TABLE sack (id INTEGER PRIMARY KEY)",)
NEW = (*OLD, "ALTER TABLE sack ADD COLUMN grain TEXT NOT NULL DEFAULT 'rye'")


def test_older_files_are_migrated(tmp_path: Path) -> None:
    """What an older version wrote is there after the migration; the older one rejects the file."""
    path = tmp_path / "new" / "sacks.sqlite"
    migrate_database(path, OLD, "sacks")
    with open_database(path) as db:
        db.execute("INSERT INTO sack DEFAULT VALUES")
    migrate_database(path, NEW, "sacks")
    with open_database(path) as db:
        assert [(1, "rye")] == [tuple(row) for row in db.execute("SELECT * FROM sack")]
        assert "wal" == db.execute("PRAGMA journal_mode").fetchone()[0]
    with pytest.raises(UsageError, match="newer version"):
        migrate_database(path, OLD, "sacks")


def test_number_that_cannot_be_stored_is_a_usage_error(tmp_path: Path) -> None:
    """A number beyond 64 bits, as an address can hold, raises an error of our own."""
    path = tmp_path / "sacks.sqlite"
    migrate_database(path, OLD, "sacks")
    with pytest.raises(UsageError, match="too large"), open_database(path) as db:
        db.execute("SELECT * FROM sack WHERE id = ?", (10**30,))


def test_full_database_is_named(tmp_path: Path) -> None:
    """SQLite's error for a file that cannot grow is a full disk."""
    db = sqlite3.connect(tmp_path / "a.sqlite")
    db.execute("PRAGMA max_page_count = 2")
    with pytest.raises(sqlite3.OperationalError) as error:
        db.execute("CREATE TABLE a AS SELECT randomblob(100000)")
    db.close()
    assert "the disk is full" == explain_sqlite_error(error.value)
