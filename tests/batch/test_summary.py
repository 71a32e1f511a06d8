"""The summary lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from thresher.batch.job import BatchReport
from thresher.batch.stats import Stats
from thresher.batch.summary import describe_report


def account_of(
    n_record: int, stats: Stats, *, damage: Sequence[str] = (), unread: Sequence[str] = ()
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
        stats=stats,
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
    ] == list(describe_report(account_of(100, stats)))


def test_damage_is_a_loss() -> None:
    """Where an archive is damaged, the summary does not say that nothing is lost, and names it."""
    report = account_of(100, Stats(), damage=["b.warc: it ends within a record"])
    first, *_, last = describe_report(report)
    assert "100 pages in, 100 records out: nothing is lost but what is damaged" == first
    assert "damaged: b.warc: it ends within a record" == last
    assert (True, False) == (report.is_done, report.is_whole)


def test_files_that_were_not_read_are_named() -> None:
    """The first are named, with what to do, and the others counted; not all is there."""
    first, *_, last = describe_report(
        account_of(100, Stats(), unread=[f"{number}.html: gone" for number in range(30)])
    )
    assert "100 pages in, 100 records out: not all is there yet" == first
    assert "not read, --resume tries again: 10 others" == last
    says = list(describe_report(account_of(100, Stats(), unread=["a.warc: Input/output error"])))
    assert "not read, --resume tries again: a.warc: Input/output error" == says[-1]


def test_loss_comes_first() -> None:
    """The summary begins with missing records."""
    says = next(describe_report(account_of(99, Stats())))
    assert "100 pages in, 99 records out: not all is there yet" == says
