"""SQLite files of our own, which say their version and are migrated from older ones."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from thresher.errors import StorageError, UsageError
from thresher.support.files import DISK_FULL

_BUSY_S: Final = 20.0
"""Seconds to wait for another writing process."""
_RETRY_S: Final = 0.02
"""Seconds until a database that others hold is tried again, at most."""
_PRIMARY_CODE: Final = 0xFF
"""Mask of the primary code in an extended SQLite error code."""
_SQLITE_REASONS: Final = {
    sqlite3.SQLITE_FULL: DISK_FULL,
    sqlite3.SQLITE_READONLY: "the file is read-only",
    sqlite3.SQLITE_BUSY: "another program is writing to the file",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
}
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
    give_up_at_s = time.monotonic() + _BUSY_S
    while True:
        try:
            try:
                return _connect_in_mode(path, "NORMAL", _BUSY_S)
            except sqlite3.OperationalError as error:
                if _primary_code(error) != sqlite3.SQLITE_IOERR:
                    raise
            # Two that wait for the file while they read it would wait for each other.
            return _connect_in_mode(path, "EXCLUSIVE", timeout_s=0)
        except sqlite3.OperationalError as error:
            if _primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > give_up_at_s:
                raise
        time.sleep(random.uniform(0, _RETRY_S))


def _connect_in_mode(path: Path, locking_mode: str, timeout_s: float) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=timeout_s)
    try:
        db.execute(f"PRAGMA locking_mode = {locking_mode}")
        db.execute("SELECT 1 FROM sqlite_master")
    except sqlite3.DatabaseError:
        db.close()
        raise
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


def explain_sqlite_error(error: sqlite3.Error) -> str:
    """Return the reason of an error of a database."""
    return _SQLITE_REASONS.get(_primary_code(error), str(error))


def _primary_code(error: sqlite3.Error) -> int:
    """Return the code of an error of SQLite without its details; 0 for one of the module."""
    return int(getattr(error, "sqlite_errorcode", 0)) & _PRIMARY_CODE
