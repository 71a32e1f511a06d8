"""What every source of pages gives: entries with a position, and an account of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from thresher.batch.model import Item
from thresher.fetching.limits import TIMEOUT_S, USER_AGENT
from thresher.limits import MAX_BYTES

__all__ = [
    "COLUMNS",
    "Entry",
    "IsDone",
    "Place",
    "Read",
    "ReadOptions",
    "SourceTally",
    "Unreadable",
]

COLUMNS: Final[Mapping[str, str]] = {name: name for name in ("id", "html", "url", "charset")}
"""What is needed of a row → the column it is in, where nobody says another one."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A page that is there and cannot be read; it becomes a record with the error."""

    id: str
    error: str
    """As `Record.error` has it: the name of the exception and its message."""
    url: str | None = None


Entry = Item | Unreadable
IsDone = Callable[[int], bool]
"""Position → whether its record is written already."""


@dataclass(slots=True)
class SourceTally:
    """The account of reading one source, kept while it is read."""

    n_entry: int = 0
    """Entries so far, those that were done already among them: the next position."""
    n_byte: int = 0
    """Bytes of the input read so far, as they are on the disk."""
    skipped: Counter[str] = field(default_factory=Counter)
    """What is no page, counted by reason."""
    damage: list[str] = field(default_factory=list)
    """What could not be read, and is no page of which an id is known; each where it is."""

    def take(self) -> int:
        """Count one entry and return its position."""
        self.n_entry += 1
        return self.n_entry - 1


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How sources are read."""

    max_bytes: int = MAX_BYTES
    """Bytes of a page; of a longer one so much is read that it is seen to be longer."""
    columns: Mapping[str, str] = field(default_factory=lambda: COLUMNS)
    """`COLUMNS`, or others for some of them."""
    timeout_s: float = TIMEOUT_S
    user_agent: str = USER_AGENT
    allow_private: bool = False
    """Whether addresses may be fetched that are not public."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one source is."""

    kind: str
    """One of the kinds of `thresher.batch.sources.SOURCES`."""
    name: str
    """How it is called in the output: the path of the file, or of the folder."""
    paths: tuple[str, ...]
    """The files, in the order they are read."""
    n_byte: int
    """Bytes on the disk, all together."""


Read = Callable[[Place, ReadOptions, SourceTally, IsDone], Iterator[tuple[int, Entry]]]
"""Reads a source: yields each entry that is not done with its position, which is the same whenever
the source is read. Raises OSError where a file cannot be opened, nothing else."""
