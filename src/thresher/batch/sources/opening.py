"""Files of sources, opened so that a failing disk is not taken for a damaged file.

The readers of archives raise the same exceptions for both, or none. Damage is there for good, and
is reported once; what failed to be read may be there when the batch is resumed.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, Final

from thresher.batch.sources.base import SourceTally

__all__ = ["open_source"]

_BUFFER_BYTES: Final = 2**16


def open_source(path: Path, tally: SourceTally) -> BinaryIO:
    """Open a file for reading; the tally learns of an OSError now, or whenever it is read."""
    try:
        return io.BufferedReader(_Noting(path, tally), _BUFFER_BYTES)
    except OSError as error:
        tally.failure = error
        raise


class _Noting(io.RawIOBase):
    """A file that notes in a tally that reading failed."""

    def __init__(self, path: Path, tally: SourceTally) -> None:
        self._file = FileIO(path)
        self._tally = tally

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def fileno(self) -> int:
        return self._file.fileno()

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        with self._noting():
            # None would mean that a file opened as non-blocking has nothing yet; this one blocks.
            return self._file.readinto(buffer) or 0

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        with self._noting():
            return self._file.seek(offset, whence)

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._tally.failure = error
            raise
