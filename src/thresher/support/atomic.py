"""Files that are there whole or not at all, whenever the power fails.

The order is that of every such protocol: write under another name, flush to the disk, rename, flush
the folder.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["TEMPORARY", "publish", "remove", "save_text"]

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


def save_text(path: Path, text: str, *, mode: int = 0o644) -> None:
    """Write a file as UTF-8 and make its folder; raises OSError, and then nothing has changed.

    A link is followed: what it leads to may lie among other files that are kept together. Any
    number of writers may save the same file; the last one stays.
    """
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(TEMPORARY, f".{target.name}.", target.parent)
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.chmod(mode)
        draft.replace(target)
        _flush_folder(target.parent)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


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
