"""Files: written whole or not at all, locked, told apart from earlier ones, and where they are.

As in every protocol for atomic writes: write under another name, flush to disk, rename, flush the
folder. A lock is held while a file is read, changed and written: of two processes that do so at the
same time, the later would undo what the earlier wrote.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

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
        n_byte = sum(
            _flush(file)
            for file in (
                [file for file in draft.rglob("*") if file.is_file()] if draft.is_dir() else [draft]
            )
        )
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
    from tempfile import mkstemp

    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = mkstemp(TEMPORARY, f".{target.name}.", target.parent)
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
        from shutil import rmtree

        rmtree(path)
    else:
        path.unlink(missing_ok=True)


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


_SUFFIX: Final = ".lock"
_WAIT_S: Final = 5.0
"""Seconds after which another process is assumed to hang."""
_RETRY_S: Final = 0.02
_TAKEN: Final = frozenset((errno.EACCES, errno.EAGAIN, errno.EDEADLK))


@contextmanager
def lock_file(path: Path, wait_s: float = _WAIT_S) -> Iterator[None]:
    """Hold the lock of a file, which need not exist; the operating system frees it after a crash.

    The lock is on an empty file beside it, because the file itself is replaced. Raises OSError if
    that cannot be created, or if another process holds the lock for longer than ``wait_s``.
    """
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(target.with_name(target.name + _SUFFIX), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _acquire(handle, target, time.monotonic() + wait_s)
        yield
    finally:
        os.close(handle)  # which frees the lock


def _acquire(handle: int, target: Path, until_s: float) -> None:
    while True:
        try:
            _try(handle)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise
            if time.monotonic() > until_s:
                says = "another process is changing it"
                raise TimeoutError(error.errno, says, str(target)) from error
            time.sleep(_RETRY_S)
        else:
            return


def _try(handle: int) -> None:
    """Take the lock, or raise OSError at once."""
    if os.name == "nt":
        import msvcrt  # not on other systems

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
    else:
        import fcntl  # not on Windows

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def stamp_of(path: Path | None) -> tuple[int, int, int] | None:
    """Return a fingerprint of a file that changes with it; None if it does not exist."""
    if path is None:
        return None
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


DISK_FULL: Final = "the disk is full"
_FULL: Final = frozenset((errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)))


def is_disk_full(error: BaseException) -> bool:
    """Return whether an error means that no space is left, on the disk or in the quota."""
    return isinstance(error, OSError) and error.errno in _FULL


def explain_os_error(error: OSError) -> str:
    """Return the reason of an error without its number and path."""
    return DISK_FULL if is_disk_full(error) else error.strerror or str(error)


RULES_VARIABLE: Final = "THRESHER_RULES"
"""Environment variable with the path of the user's rules, instead of the default."""


def config_folder() -> Path:
    """Return the folder of the user's settings."""
    return _find("XDG_CONFIG_HOME", ".config")


def data_folder() -> Path:
    """Return the folder of files that the user created."""
    return _find("XDG_DATA_HOME", ".local/share")


def cache_folder() -> Path:
    """Return the folder of files that can be downloaded or computed again."""
    return _find("XDG_CACHE_HOME", ".cache")


def _find(variable: str, below_home: str) -> Path:
    # The specification ignores empty and relative paths.
    named = Path(os.environ.get(variable, ""))
    return (named if named.is_absolute() else Path.home() / below_home) / "thresher"
