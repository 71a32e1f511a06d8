"""Statistics of a batch, its summary, and its progress."""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from collections.abc import Sequence

import pytest

from tests.helpers.clock import Clock
from thresher.batch.model import Record
from thresher.batch.reporting import (
    N_SLOWEST,
    BatchReport,
    ProgressBar,
    ProgressLines,
    Stats,
    Throughput,
    describe_report,
    open_watcher,
)
from thresher.batch.sources.base import Place, SourceTally

RECORDS = [
    Record("a", text="rye", verdict="content", language="pt-BR", n_bytes=10, elapsed_s=2.0),
    Record("b", markdown="oats", verdict="content", n_bytes=5, elapsed_s=1.0, duplicate="near"),
    Record("c", error="LimitError: too long", elapsed_s=3.0),
]


def stats_of(records: list[Record]) -> Stats:
    stats = Stats()
    for record in records:
        stats.add(record)
    return stats


def test_records_are_counted() -> None:
    """Records are counted by verdict, language and error."""
    expected = {
        "n_record": 3,
        "n_byte": 15,
        "n_char": 7,
        "work_s": 6.0,
        "verdicts": {"content": 2},
        "languages": {"pt": 1, "unknown": 1},
        "errors": {"LimitError": 1},
        "duplicates": {"near": 1},
        "slowest": [[3.0, "c", ""], [2.0, "a", ""], [1.0, "b", ""]],
    }
    stats = stats_of(RECORDS)
    assert expected == stats.as_dict()
    assert 1 == stats.n_error


def test_parts_add_up() -> None:
    """Statistics merged from JSON equal those of all records."""
    many = [Record(str(n), elapsed_s=n * 7 % 50, verdict="content") for n in range(50)] + RECORDS
    total = Stats()
    for part in (many[:20], many[20:21], many[21:]):
        total.merge(json.loads(json.dumps(stats_of(part).as_dict())))
    assert stats_of(many).as_dict() == total.as_dict()
    assert N_SLOWEST == len(total.slowest)


def account_of(
    n_record: int = 100,
    stats: Stats | None = None,
    damage: Sequence[str] = (),
    unread: Sequence[str] = (),
) -> BatchReport:
    return BatchReport(
        n_source=2,
        n_read=1 if unread else 2,
        n_entry=100,
        n_record=n_record,
        n_part=3,
        missing=(),
        skipped={"request record": 100},
        damage=damage,
        unread=unread,
        stats=stats or Stats(),
        elapsed_s=8.0,
        n_resumed=20,
    )


def test_summary_is_complete() -> None:
    """The summary has pages in and out, the rate, the outcomes and the damage."""
    stats = Stats(
        verdicts=Counter({"content": 90}),
        languages=Counter({f"l{number}": number + 1 for number in range(12)}),
        slowest=[(2.5, "a", "b.warc")],
    )
    assert [
        "100 pages in, 100 records out: nothing is lost",
        "2 of 2 sources read, 3 parts; 80 pages in 8.0 s, 10.0 a second",
        "verdicts: content 90",
        "languages: l11 12, l10 11, l9 10, l8 9, l7 8, l6 7, l5 6, l4 5, others 10",
        "no pages: request record 100",
        "slowest: 2.50 s, a of b.warc",
    ] == list(describe_report(account_of(stats=stats)))


def test_damage_is_a_loss() -> None:
    """Where an archive is damaged, the summary does not say that nothing is lost, and names it."""
    report = account_of(damage=["b.warc: it ends within a record"])
    first, *_, last = describe_report(report)
    assert "100 pages in, 100 records out: nothing is lost but what is damaged" == first
    assert "damaged: b.warc: it ends within a record" == last
    assert (True, False) == (report.is_done, report.is_whole)


def test_files_that_were_not_read_are_named() -> None:
    """The first are named, with what to do, and the others counted; not all is there."""
    unread = [f"{number}.html: gone" for number in range(30)]
    first, *_, last = describe_report(account_of(unread=unread))
    assert "100 pages in, 100 records out: not all is there yet" == first
    assert "not read, --resume tries again: 10 others" == last
    says = list(describe_report(account_of(unread=["a.warc: Input/output error"])))
    assert "not read, --resume tries again: a.warc: Input/output error" == says[-1]


def test_loss_comes_first() -> None:
    """The summary begins with missing records."""
    says = next(describe_report(account_of(n_record=99)))
    assert "100 pages in, 99 records out: not all is there yet" == says


def many(count: int) -> Stats:
    first = Record("0", error="InputError: none")
    return stats_of([first, *(Record(str(number)) for number in range(1, count))])


def test_the_time_left_is_that_of_the_bytes_left() -> None:
    """Earlier runs do not affect the estimate."""
    clock = Clock()
    pace = Throughput(clock.monotonic)
    pace.begin(1000, 40)
    assert (0.0, None) == (pace.rate, pace.left_s)
    pace.advance(200, 40)
    clock.advance(10)
    pace.advance(400, 60)
    assert (2.0, 30.0) == (pace.rate, pace.left_s)


def test_a_line_a_source_where_there_is_no_terminal() -> None:
    """Without a terminal each source gives a line with its contents, damage and progress."""
    said: list[str] = []
    clock = Clock()
    watcher = ProgressLines(said.append, clock.monotonic)
    watcher.begin(2, 2_000_000, 5)
    clock.advance(10)
    watcher.advance("a.warc", 0, many(5))
    watcher.advance("a.warc", 500_000, many(25))
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
    watcher = ProgressLines(said.append, clock.monotonic)
    watcher.begin(1, 100, 0)
    for second in range(100):
        watcher.advance("a.warc", second, many(1))
        clock.advance(1)
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
        watcher.advance("a.warc", 50, many(3))
        place = Place("warc", "a.warc", ("a.warc",), 100)
        watcher.end_source(place, SourceTally(damage=["a.warc: [bold]it ends"]))
    assert "3 pages, 1 errors" in terminal.getvalue()
    assert "damaged: a.warc: [bold]it ends" in terminal.getvalue()


def test_no_terminal_has_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal there are lines, not a bar."""
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with open_watcher(print) as watcher:
        assert isinstance(watcher, ProgressLines)
