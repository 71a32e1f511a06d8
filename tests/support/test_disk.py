"""Reasons of failed file operations."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

import pytest

from thresher.support.disk import explain_os_error, explain_sqlite_error, is_disk_full


def test_full_disk_is_named() -> None:
    """ENOSPC means a full disk; other errors keep their own reason."""
    full, denied = OSError(errno.ENOSPC, "No space left"), OSError(errno.EACCES, "Denied")
    assert (True, False) == (is_disk_full(full), is_disk_full(denied))
    assert ("the disk is full", "Denied") == (explain_os_error(full), explain_os_error(denied))


def test_full_database_is_named(tmp_path: Path) -> None:
    """SQLite's error for a file that cannot grow is a full disk."""
    db = sqlite3.connect(tmp_path / "a.sqlite")
    db.execute("PRAGMA max_page_count = 2")
    with pytest.raises(sqlite3.OperationalError) as error:
        db.execute("CREATE TABLE a AS SELECT randomblob(100000)")
    db.close()
    assert "the disk is full" == explain_sqlite_error(error.value)
