"""A batch as it is asked for and reported: its job, its workers, its watcher and its report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Protocol

from thresher.batch.model import Item, Record, Settings
from thresher.batch.sources.base import Place, ReadOptions, SourceTally
from thresher.batch.stats import Stats

__all__ = ["N_PER_PART", "BatchReport", "Job", "MakeWorkers", "Watcher", "Workers"]

N_PER_PART: Final = 5000
"""Records per part."""


class Workers(Protocol):
    """The interface of `thresher.batch.guard.Guard` used by a batch."""

    def extract(self, items: Iterable[Item]) -> Iterator[Record]:
        """Yield one record for every item, in order."""


MakeWorkers = Callable[[Settings, int], AbstractContextManager[Workers]]
"""Settings and number of worker processes → workers."""


class Watcher(Protocol):
    """Receives progress events of a batch."""

    def begin(self, n_source: int, n_byte: int, n_record: int) -> None:
        """Receive the size of the input, and the number of records that exist already."""

    def advance(self, name: str, n_byte: int, stats: Stats) -> None:
        """Receive the current source, the bytes read so far, and the statistics so far."""

    def end_source(self, place: Place, tally: SourceTally) -> None:
        """Receive the tally of a source that was read completely."""


@dataclass(frozen=True, slots=True)
class Job:
    """The definition of a batch."""

    out: Path
    """The output folder."""
    format: str
    """One of `SINKS`."""
    settings: Settings
    read_options: ReadOptions = field(default_factory=ReadOptions)
    n_worker: int = 1
    dedupe: bool = False
    repeats: bool = False
    n_per_part: int = N_PER_PART
    only_errors: bool = False
    """Whether the pages with an error are done again on resuming, for which limits may differ."""
    reread_changed: bool = False
    """Whether a source that has changed since its first pages were read is read anew on resuming,
    and replaces their records; otherwise it is an error."""


@dataclass(frozen=True, slots=True)
class BatchReport:
    """The result of a batch; `is_whole` checks that nothing is lost."""

    n_source: int
    n_read: int
    """Sources that were read to their ends."""
    n_entry: int
    """Pages in all sources, as far as they were read."""
    n_record: int
    """Records in all parts."""
    n_part: int
    missing: tuple[str, ...]
    """Parts that are missing or changed."""
    skipped: Mapping[str, int]
    damage: Sequence[str]
    """Damaged places of the sources, whose pages are lost."""
    unread: Sequence[str]
    """Files that could not be opened or read in this run, each with the reason."""
    stats: Stats
    elapsed_s: float
    """Seconds of this run."""
    n_resumed: int
    """Records from earlier runs."""

    @property
    def is_done(self) -> bool:
        """True if all that can be read was, each page has a record, and every part exists."""
        return self.n_read == self.n_source and self.n_entry == self.n_record and not self.missing

    @property
    def is_whole(self) -> bool:
        """True if the batch is done, and no source was damaged: nothing is lost."""
        return self.is_done and not self.damage

    def as_dict(self) -> dict[str, object]:
        """Return all fields for JSON."""
        checks = {"is_done": self.is_done, "is_whole": self.is_whole}
        return asdict(self) | {"stats": self.stats.as_dict(), **checks}
