"""What files look like when they are first read, to tell on resuming whether they still do.

Records that are done are known by their positions in a file, which mean nothing in another one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final

__all__ = ["differ", "take_fingerprints"]

_START_BYTES: Final = 4096
"""Bytes of the beginning that are compared: a block of most file systems."""
_DIGEST_BYTES: Final = 8


def take_fingerprints(paths: Iterable[str]) -> list[str | None]:
    """Return the size, modification time and digest of the beginning of each file as one text.

    None for a file that cannot be opened.
    """
    return [_fingerprint(Path(path)) for path in paths]


def differ(before: Sequence[str | None], now: Sequence[str | None]) -> bool:
    """Return whether a file has changed; one that could not be opened tells nothing."""
    return any(
        there is not None and here is not None and there != here
        for there, here in zip(before, now, strict=True)
    )


def _fingerprint(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            start = blake2b(file.read(_START_BYTES), digest_size=_DIGEST_BYTES).hexdigest()
    except OSError:
        return None
    return f"{status.st_size} {status.st_mtime_ns} {start}"
