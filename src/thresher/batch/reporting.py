"""What a batch reports: its statistics, its progress, and the summary at its end.

Progress is a bar on a terminal, otherwise one line per source.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Protocol

from thresher.batch.model import Record
from thresher.batch.sources.base import Place, SourceTally
from thresher.support.quoting import one_line

N_SLOWEST: Final = 10
"""Number of slowest pages that the statistics list."""
_UNKNOWN: Final = "unknown"
_COUNTS: Final = ("verdicts", "languages", "errors", "duplicates")


@dataclass(slots=True)
class Stats:
    """Statistics of some records."""

    n_record: int = 0
    n_byte: int = 0
    """Bytes of the input pages."""
    n_char: int = 0
    """Characters of the content, in the first available format."""
    work_s: float = 0.0
    """Seconds of processing, summed over workers."""
    verdicts: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    """By primary subtag."""
    errors: Counter[str] = field(default_factory=Counter)
    """By name of the exception."""
    duplicates: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, str, str]] = field(default_factory=list)
    """Seconds, id and source of the pages that took longest, the longest first."""

    @property
    def n_error(self) -> int:
        """Records with an error."""
        return self.errors.total()

    def add(self, record: Record) -> None:
        """Count one record."""
        self.n_record += 1
        self.n_byte += record.n_bytes
        self.n_char += len(record.text or record.markdown or record.html or "")
        self.work_s += record.elapsed_s
        if record.error is not None:
            self.errors[record.error.partition(":")[0]] += 1
        if record.verdict is not None:
            self.verdicts[record.verdict] += 1
            self.languages[(record.language or _UNKNOWN).partition("-")[0].lower()] += 1
        if record.duplicate is not None:
            self.duplicates[record.duplicate] += 1
        self._keep_slowest([(record.elapsed_s, record.id, record.source or "")])

    def merge(self, other: Mapping[str, Any]) -> None:
        """Add other statistics, as returned by `as_dict`."""
        for name in ("n_record", "n_byte", "n_char", "work_s"):
            setattr(self, name, getattr(self, name) + other[name])
        for name in _COUNTS:
            getattr(self, name).update(other[name])
        self._keep_slowest([(time_s, id, source) for time_s, id, source in other["slowest"]])

    def drop_errors(self) -> None:
        """Forget the records with an error; their bytes and seconds remain."""
        self.n_record -= self.n_error
        self.errors.clear()

    def as_dict(self) -> dict[str, Any]:
        """Return the statistics for JSON, the most frequent values first."""
        return {
            "n_record": self.n_record,
            "n_byte": self.n_byte,
            "n_char": self.n_char,
            "work_s": round(self.work_s, 3),
            **{name: dict(getattr(self, name).most_common()) for name in _COUNTS},
            "slowest": [[round(time_s, 3), id, source] for time_s, id, source in self.slowest],
        }

    def _keep_slowest(self, more: list[tuple[float, str, str]]) -> None:
        self.slowest = sorted([*self.slowest, *more], reverse=True)[:N_SLOWEST]


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


class Watcher(Protocol):
    """Receives progress events of a batch."""

    def begin(self, n_source: int, n_byte: int, n_record: int) -> None:
        """Receive the size of the input, and the number of records that exist already."""

    def advance(self, name: str, n_byte: int, stats: Stats) -> None:
        """Receive the current source, the bytes read so far, and the statistics so far."""

    def end_source(self, place: Place, tally: SourceTally) -> None:
        """Receive the tally of a source that was read completely."""


_N_SHOWN: Final = 8
"""Values listed per count; the others are in the file of statistics."""
_N_SLOWEST_SHOWN: Final = 3
_N_UNREAD: Final = 20
"""Files listed that could not be read: where a disk is gone, that is all of a folder."""


def describe_report(report: BatchReport) -> Iterator[str]:
    """Yield the lines of the summary."""
    stats = report.stats
    check = "not all is there yet"
    if report.is_done:
        check = "nothing is lost" if report.is_whole else "nothing is lost but what is damaged"
    yield f"{report.n_entry:,} pages in, {report.n_record:,} records out: {check}"
    n_new = report.n_record - report.n_resumed
    rate = n_new / report.elapsed_s if report.elapsed_s > 0 else 0.0
    yield (
        f"{report.n_read:,} of {report.n_source:,} sources read, {report.n_part:,} parts; "
        f"{n_new:,} pages in {report.elapsed_s:,.1f} s, {rate:,.1f} a second"
    )
    counts = {name: getattr(stats, name) for name in _COUNTS} | {"no pages": report.skipped}
    for name, count in counts.items():
        if count:
            yield f"{name}: {_show(count)}"
    for time_s, id, source in stats.slowest[:_N_SLOWEST_SHOWN]:
        yield f"slowest: {time_s:.2f} s, {id} of {source}"
    for damage in report.damage:
        yield f"damaged: {damage}"
    yield from _describe_unread(report.unread)
    for name in report.missing:
        yield f"missing, or not as it was written: {name}"


def _describe_unread(unread: Sequence[str]) -> Iterator[str]:
    """Yield a line for each of the first files that could not be read, and one for the others."""
    for what in unread[:_N_UNREAD]:
        yield f"not read, --resume tries again: {what}"
    if len(unread) > _N_UNREAD:
        yield f"not read, --resume tries again: {len(unread) - _N_UNREAD:,} others"


def _show(count: Mapping[str, int]) -> str:
    most = sorted(count.items(), key=lambda pair: -pair[1])
    shown = [f"{name} {number:,}" for name, number in most[:_N_SHOWN]]
    rest = sum(number for _, number in most[_N_SHOWN:])
    return ", ".join([*shown, f"others {rest:,}"] if rest else shown)


_EVERY_S: Final = 0.25
"""Seconds between two updates of the bar."""
_EVERY_LINE_S: Final = 30.0
"""Seconds between two lines while a source is being read."""


class Throughput:
    """Rate of a batch and estimated time left, by the bytes read of the total."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._n_total = self._n_byte = self._n_before = self._n_record = 0
        self._first_byte: int | None = None
        self._start_s = clock()

    def begin(self, n_byte: int, n_record: int) -> None:
        """Set the bytes to read and the records that exist already."""
        self._n_total, self._n_before = n_byte, n_record
        self._start_s = self._clock()

    def advance(self, n_byte: int, n_record: int) -> None:
        """Set the bytes read and the records so far."""
        if self._first_byte is None:
            self._first_byte = n_byte
        self._n_byte, self._n_record = n_byte, n_record

    @property
    def rate(self) -> float:
        """Pages per second in this run."""
        elapsed_s = self._clock() - self._start_s
        return max(self._n_record - self._n_before, 0) / elapsed_s if elapsed_s > 0 else 0.0

    @property
    def left_s(self) -> float | None:
        """Estimated seconds left; None without an estimate."""
        read = self._n_byte - (self._first_byte or 0)
        elapsed_s = self._clock() - self._start_s
        left = self._n_total - self._n_byte
        return elapsed_s * left / read if read > 0 and left >= 0 else None


def _describe(stats: Stats, pace: Throughput) -> str:
    left = "" if pace.left_s is None else f", {_show_time(pace.left_s)} left"
    return f"{stats.n_record:,} pages, {stats.n_error:,} errors, {pace.rate:.0f} pages/s{left}"


def _show_time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def _describe_faults(tally: SourceTally) -> Iterator[str]:
    for damage in tally.damage:
        yield f"damaged: {damage}"
    yield from _describe_unread(tally.unread)


class ProgressLines:
    """Progress as lines: one for each source read, and occasional ones in between."""

    def __init__(
        self, say: Callable[[str], object], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._say = say
        self._clock = clock
        self._pace = Throughput(clock)
        self._stats = Stats()
        self._n_source = self._n_ended = 0
        self._said_s = clock()

    def begin(self, n_source: int, n_byte: int, n_record: int) -> None:
        """Print the size of the input."""
        self._n_source = n_source
        self._pace.begin(n_byte, n_record)
        before = f", {n_record:,} pages are done already" if n_record else ""
        self._say(f"{n_source:,} sources, {n_byte / 1e6:,.1f} MB{before}")

    def advance(self, name: str, n_byte: int, stats: Stats) -> None:
        """Print the position if nothing was printed for a while."""
        self._stats = stats
        self._pace.advance(n_byte, stats.n_record)
        now = self._clock()
        if now - self._said_s >= _EVERY_LINE_S:
            self._said_s = now
            self._say(f"{name}: {_describe(stats, self._pace)}")

    def end_source(self, place: Place, tally: SourceTally) -> None:
        """Print the contents of a source, any damage, and what could not be read."""
        self._n_ended += 1
        self._said_s = self._clock()
        rest = sum(tally.skipped.values())
        says = f"{place.name}: {tally.n_entry:,} pages read"
        says += f", {rest:,} other records" if rest else ""
        self._say(
            f"[{self._n_ended:,}/{self._n_source:,}] {says}; {_describe(self._stats, self._pace)}"
        )
        for line in _describe_faults(tally):
            self._say(line)


class ProgressBar:
    """A progress bar on a terminal, drawn with rich; damage of sources stays above it."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        self._pace = Throughput()
        self._looked_s = 0.0
        self.progress: Any = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TextColumn("{task.fields[says]}", markup=False),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self.progress.add_task("batch", says="")

    def begin(self, n_source: int, n_byte: int, n_record: int) -> None:
        """Set the size of the input."""
        self._pace.begin(n_byte, n_record)
        self.progress.update(self._task, total=max(n_byte, 1))

    def advance(self, name: str, n_byte: int, stats: Stats) -> None:
        """Update the bar, a few times per second."""
        self._pace.advance(n_byte, stats.n_record)
        now = time.monotonic()
        if now - self._looked_s < _EVERY_S:
            return
        self._looked_s = now
        says, shown = _describe(stats, self._pace), one_line(name)[-40:]
        self.progress.update(self._task, completed=n_byte, description=shown, says=says)

    def end_source(self, place: Place, tally: SourceTally) -> None:
        """Print any damage of a source, and what could not be read."""
        for line in map(one_line, _describe_faults(tally)):
            self.progress.console.print(line, markup=False, highlight=False)


@contextmanager
def open_watcher(say: Callable[[str], object]) -> Iterator[ProgressBar | ProgressLines]:
    """Provide a bar if standard error is a terminal and rich is installed, otherwise lines."""
    bar = None
    if sys.stderr is not None and sys.stderr.isatty():
        with suppress(ImportError):
            bar = ProgressBar()
    if bar is None:
        yield ProgressLines(say)
    else:
        with bar.progress:
            yield bar
