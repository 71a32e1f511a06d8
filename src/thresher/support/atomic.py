"""Atomic writes: a file is complete or absent, even after a power failure.

As in every such protocol: write under another name, flush to disk, rename, flush the folder.
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
"""Suffix of files being written; readers ignore them."""


def publish(path: Path, write: Callable[[Path], None]) -> int:
    """Let ``write`` create a file or folder, and move it into place; return its size in bytes.

    Replaces an existing one. Raises what ``write`` raises, and OSError; then nothing has changed.
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
    """Write a file as UTF-8 and create its folder; on OSError nothing has changed.

    Links are followed. If several processes save the same file, the last one wins.
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
    """Remove a file, or a folder with its contents, if it exists."""
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
    if os.name == "nt":  # not possible there, nor necessary
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
