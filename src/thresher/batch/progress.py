"""Progress of a batch: a bar on a terminal, otherwise one line per source."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Final

from thresher.batch.sources.base import Place, SourceTally
from thresher.batch.stats import Stats
from thresher.batch.summary import describe_unread
from thresher.support.quoting import one_line

__all__ = ["ProgressBar", "ProgressLines", "Throughput", "open_watcher"]

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
    yield from describe_unread(tally.unread)


class ProgressLines(AbstractContextManager["ProgressLines"]):
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

    def __exit__(self, *trouble: object) -> None:
        return None

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


class ProgressBar(AbstractContextManager["ProgressBar"]):
    """A progress bar on a terminal, drawn with rich; damage of sources stays above it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        self._clock = clock
        self._pace = Throughput(clock)
        self._looked_s = 0.0
        self._progress: Any = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TextColumn("{task.fields[says]}", markup=False),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._progress.add_task("batch", says="")

    def __enter__(self) -> ProgressBar:
        self._progress.start()
        return self

    def __exit__(self, *trouble: object) -> None:
        self._progress.stop()

    def begin(self, n_source: int, n_byte: int, n_record: int) -> None:
        """Set the size of the input."""
        self._pace.begin(n_byte, n_record)
        self._progress.update(self._task, total=max(n_byte, 1))

    def advance(self, name: str, n_byte: int, stats: Stats) -> None:
        """Update the bar, a few times per second."""
        self._pace.advance(n_byte, stats.n_record)
        now = self._clock()
        if now - self._looked_s < _EVERY_S:
            return
        self._looked_s = now
        says, shown = _describe(stats, self._pace), one_line(name)[-40:]
        self._progress.update(self._task, completed=n_byte, description=shown, says=says)

    def end_source(self, place: Place, tally: SourceTally) -> None:
        """Print any damage of a source, and what could not be read."""
        for line in map(one_line, _describe_faults(tally)):
            self._progress.console.print(line, markup=False, highlight=False)


def open_watcher(say: Callable[[str], object]) -> ProgressBar | ProgressLines:
    """Return a bar if standard error is a terminal and rich is installed, otherwise lines."""
    if sys.stderr is None or not sys.stderr.isatty():
        return ProgressLines(say)
    try:
        return ProgressBar()
    except ImportError:
        return ProgressLines(say)
