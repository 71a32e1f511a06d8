"""SQLite files of our own, which say their version and are migrated from older ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from thresher.errors import StorageError, UsageError
from thresher.support.disk import explain_sqlite_error, primary_code

__all__ = ["UNDO_S", "migrate_database", "open_database", "storable"]

_BUSY_S: Final = 20.0
"""Seconds to wait for another writing process."""
UNDO_S: Final = 24 * 60 * 60.0
"""Seconds for which what a person deletes can be brought back, our own choice: a day."""


@contextmanager
def open_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file for one transaction.

    Raises StorageError if the disk is full, or the file cannot be written or opened; UsageError for
    a number beyond 64 bits.
    """
    try:
        with closing(_connect(path)) as db, db:
            db.row_factory = sqlite3.Row
            db.execute("PRAGMA foreign_keys = ON")
            yield db
    except sqlite3.OperationalError as error:
        raise StorageError(f"{path.name}: {explain_sqlite_error(error)}") from error
    except OverflowError as error:
        raise UsageError("a number is too large to be stored") from error


def _connect(path: Path) -> sqlite3.Connection:
    """Connect to the file, which can then be read on a full disk too.

    Connections share an index of the write-ahead log in a file, which needs room. One that has the
    database for itself keeps the index in memory (https://www.sqlite.org/wal.html#noshm).
    """
    db = sqlite3.connect(path, timeout=_BUSY_S)
    try:
        db.execute("SELECT 1 FROM sqlite_master")
    except sqlite3.DatabaseError as error:
        db.close()
        if primary_code(error) != sqlite3.SQLITE_IOERR:
            raise
        db = sqlite3.connect(path, timeout=_BUSY_S)
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
    return db


def migrate_database(path: Path, schema: Sequence[str], contents: str) -> None:
    """Create the database if it does not exist, and migrate an older one.

    ``schema`` are the migrations from each version to the next; their number is the current
    version. ``contents`` names what the file should hold. Raises UsageError if it is not such a
    database, or has a newer version.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        _migrate(path, schema)
    except sqlite3.DatabaseError as error:
        raise UsageError(f"{path} holds no {contents}: {error}") from error


def _migrate(path: Path, schema: Sequence[str]) -> None:
    with open_database(path) as db:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > len(schema):
            raise UsageError(f"{path} was written by a newer version of Thresher")
        if version == len(schema):
            return
        db.execute("PRAGMA journal_mode = WAL")  # readers do not wait for writers
        for number in range(version, len(schema)):
            steps = f"{schema[number]}; PRAGMA user_version = {number + 1};"
            db.executescript(f"BEGIN; {steps} COMMIT;")


def storable(text: str) -> str:
    """Replace what is no Unicode text, which SQLite rejects."""
    return text.encode("utf-8", "replace").decode()
