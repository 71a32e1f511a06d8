"""Progress messages of a batch."""

from __future__ import annotations

import io
import sys

import pytest

from thresher.batch.model import Record
from thresher.batch.progress import ProgressBar, ProgressLines, Throughput, open_watcher
from thresher.batch.sources.base import Place, SourceTally
from thresher.batch.stats import Stats


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def stats_of(count: int) -> Stats:
    stats = Stats()
    for number in range(count):
        stats.add(Record(str(number), error="InputError: none" if number == 0 else None))
    return stats


def test_the_time_left_is_that_of_the_bytes_left() -> None:
    """Earlier runs do not affect the estimate."""
    clock = Clock()
    pace = Throughput(clock)
    pace.begin(1000, 40)
    assert (0.0, None) == (pace.rate, pace.left_s)
    pace.advance(200, 40)
    clock.now = 10.0
    pace.advance(400, 60)
    assert (2.0, 30.0) == (pace.rate, pace.left_s)


def test_a_line_a_source_where_there_is_no_terminal() -> None:
    """Without a terminal each source gives a line with its contents, damage and progress."""
    said: list[str] = []
    clock = Clock()
    watcher = ProgressLines(said.append, clock)
    watcher.begin(2, 2_000_000, 5)
    clock.now = 10.0
    watcher.advance("a.warc", 0, stats_of(5))
    watcher.advance("a.warc", 500_000, stats_of(25))
    tally = SourceTally(25, damage=["a.warc: it ends within a record"])
    tally.skipped["request record"] = 3
    watcher.end_source(Place("warc", "a.warc", ("a.warc",), 500_000), tally)
    assert [
        "2 sources, 2.0 MB, 5 pages are done already",
        "[1/2] a.warc: 25 pages read, 3 other records; 25 pages, 1 errors, 2 pages/s, 0:00:30 left",
        "damaged: a.warc: it ends within a record",
    ] == said


def test_long_source_gives_lines_in_between() -> None:
    """A long source gives a line every half minute."""
    said: list[str] = []
    clock = Clock()
    watcher = ProgressLines(said.append, clock)
    watcher.begin(1, 100, 0)
    for second in range(100):
        clock.now = float(second)
        watcher.advance("a.warc", second, stats_of(1))
    assert 4 == len(said)


def test_a_terminal_has_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bar shows name, rate and errors and disappears at the end; damage stays."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with open_watcher(print) as watcher:
        assert isinstance(watcher, ProgressBar)
        watcher.begin(1, 100, 0)
        watcher.advance("a.warc", 50, stats_of(3))
        place = Place("warc", "a.warc", ("a.warc",), 100)
        watcher.end_source(place, SourceTally(damage=["a.warc: [bold]it ends"]))
    assert "3 pages, 1 errors" in terminal.getvalue()
    assert "damaged: a.warc: [bold]it ends" in terminal.getvalue()


def test_no_terminal_has_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal there are lines, not a bar."""
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert isinstance(open_watcher(print), ProgressLines)
