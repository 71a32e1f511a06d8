"""Files that are there whole or not at all, whenever the power fails.

The order is that of every such protocol: write under another name, flush to the disk, rename, flush
the folder.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["TEMPORARY", "publish", "remove"]

TEMPORARY: Final = ".tmp"
"""Suffix of what is being written; nothing with it counts."""


def publish(path: Path, write: Callable[[Path], None]) -> int:
    """Let ``write`` make a file or a folder, and put it in its place; return its bytes.

    Replaces what is there. Raises what ``write`` does, and OSError; then nothing has changed.
    """
    draft = path.with_name(path.name + TEMPORARY)
    remove(draft)
    try:
        write(draft)
        n_byte = sum(_flush(file) for file in _files_of(draft))
        if draft.is_dir():
            _flush_folder(draft)
            remove(path)
        draft.replace(path)
        _flush_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            remove(draft)
        raise
    return n_byte


def remove(path: Path) -> None:
    """Remove a file or a folder with all in it, where it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _files_of(path: Path) -> list[Path]:
    return [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]


def _flush(path: Path) -> int:
    with path.open("rb") as file:
        os.fsync(file.fileno())
        return os.fstat(file.fileno()).st_size


def _flush_folder(path: Path) -> None:
    if os.name == "nt":  # which cannot, and need not
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
