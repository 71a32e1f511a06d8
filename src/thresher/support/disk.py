"""Reasons of failed file operations in plain words."""

from __future__ import annotations

import errno
import sqlite3
from typing import Final

__all__ = ["DISK_FULL", "explain_os_error", "explain_sqlite_error", "is_disk_full", "primary_code"]

DISK_FULL: Final = "the disk is full"
_FULL: Final = frozenset((errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)))
_PRIMARY_CODE: Final = 0xFF
"""Mask of the primary code in an extended SQLite error code."""
_SQLITE_REASONS: Final = {
    sqlite3.SQLITE_FULL: DISK_FULL,
    sqlite3.SQLITE_READONLY: "the file is read-only",
    sqlite3.SQLITE_BUSY: "another program is writing to the file",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
}


def is_disk_full(error: BaseException) -> bool:
    """Return whether an error means that no space is left, on the disk or in the quota."""
    return isinstance(error, OSError) and error.errno in _FULL


def explain_os_error(error: OSError) -> str:
    """Return the reason of an error without its number and path."""
    return DISK_FULL if is_disk_full(error) else error.strerror or str(error)


def explain_sqlite_error(error: sqlite3.Error) -> str:
    """Return the reason of an error of a database."""
    return _SQLITE_REASONS.get(primary_code(error), str(error))


def primary_code(error: sqlite3.Error) -> int:
    """Return the code of an error of SQLite without its details; 0 for one of the module."""
    return int(getattr(error, "sqlite_errorcode", 0)) & _PRIMARY_CODE
