"""The interface of sources: entries with positions, and a tally of everything else.

Files are opened so that a failing disk is not taken for a damaged file. The readers of archives
raise the same exceptions for both, or none. Damage is there for good, and is reported once; what
failed to be read may be there when the batch is resumed.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, Final

from thresher import __version__
from thresher.batch.model import Item, Record, Settings
from thresher.fetching.model import TIMEOUT_S, USER_AGENT
from thresher.limits import MAX_BYTES

COLUMNS: Final[Mapping[str, str]] = {name: name for name in ("id", "html", "url", "charset")}
"""Field → default column name."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A page that exists but cannot be read; it becomes an error record."""

    id: str
    error: str
    """As in `Record.error`: name and message of the exception."""
    url: str | None = None

    def as_record(self, settings: Settings) -> Record:
        """Return its record."""
        return Record(
            self.id, self.url, method=settings.method, error=self.error, version=__version__
        )


Entry = Item | Unreadable
IsDone = Callable[[int], bool]
"""Position → whether its record is already written."""


@dataclass(slots=True)
class SourceTally:
    """Counts of one source, updated while it is read."""

    n_entry: int = 0
    """Entries so far, including those already done: the next position."""
    n_byte: int = 0
    """Bytes of the input read so far, as on disk."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Things that are not pages, counted by reason."""
    damage: list[str] = field(default_factory=list)
    """Unreadable places without a known page id, each with its location."""
    unread: list[str] = field(default_factory=list)
    """Files that could not be opened or read on, each with the reason: they may be whole, and are
    tried again when the batch is resumed."""
    failure: OSError | None = None
    """The error of the system that ends the reading of the current file."""

    def take(self) -> int:
        """Count one entry and return its position."""
        self.n_entry += 1
        return self.n_entry - 1


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options for reading sources."""

    max_bytes: int = MAX_BYTES
    """Maximum bytes of a page; of a longer one, just enough is read to detect it."""
    columns: Mapping[str, str] = field(default_factory=lambda: COLUMNS)
    """Column names, as in `COLUMNS`."""
    timeout_s: float = TIMEOUT_S
    user_agent: str = USER_AGENT
    allow_private: bool = False
    """Whether non-public addresses may be fetched."""


@dataclass(frozen=True, slots=True)
class Place:
    """The location of one source."""

    kind: str
    """One of the kinds of `thresher.batch.sources.SOURCES`."""
    name: str
    """Name in the output: the path of the file or folder."""
    paths: tuple[str, ...]
    """The files, in reading order."""
    n_byte: int
    """Total bytes on disk."""


Read = Callable[[Place, ReadOptions, SourceTally, IsDone], Iterator[tuple[int, Entry]]]
"""Reads a source: yields each entry that is not done, with its position, which is the same on every
reading. Raises only OSError, if a file cannot be opened or read; `thresher.batch.sources.plan`
notes that in the tally."""


@dataclass(frozen=True, slots=True)
class Source:
    """One kind of source: how it is read, and how its files are recognised."""

    read: Read
    suffixes: tuple[str, ...]
    """Suffixes of its files, in lower case, without that of compression."""
    starts: tuple[bytes, ...]
    """First bytes after white space, for files with other suffixes."""


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
