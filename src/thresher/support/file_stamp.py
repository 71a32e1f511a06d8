"""Fingerprints of files, to notice that another program has changed one."""

from __future__ import annotations

from pathlib import Path

__all__ = ["stamp_of"]


def stamp_of(path: Path | None) -> tuple[int, int, int] | None:
    """Return a fingerprint of a file that changes with it; None if it does not exist."""
    if path is None:
        return None
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
