"""A lock between processes, held while a file is read, changed and written.

`thresher.support.atomic` keeps a file whole, but of two processes that read it, change it and write
it at the same time, the later would undo what the earlier wrote.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EAGAIN, EDEADLK
from pathlib import Path
from typing import Final

__all__ = ["lock_file"]

_SUFFIX: Final = ".lock"
_WAIT_S: Final = 5.0
"""Seconds after which another process is assumed to hang."""
_RETRY_S: Final = 0.02
_TAKEN: Final = frozenset((EACCES, EAGAIN, EDEADLK))


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
        import msvcrt  # noqa: PLC0415 - not on other systems

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
    else:
        import fcntl  # noqa: PLC0415 - not on Windows

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
