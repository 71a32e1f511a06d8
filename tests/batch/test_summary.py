"""The summary lines."""

from __future__ import annotations

from collections import Counter

from thresher.batch.job import BatchReport
from thresher.batch.stats import Stats
from thresher.batch.summary import describe_report


def account_of(n_record: int, stats: Stats) -> BatchReport:
    return BatchReport(
        n_source=2,
        n_read=2,
        n_entry=100,
        n_record=n_record,
        n_part=3,
        missing=(),
        skipped={"request record": 100},
        damage=["b.warc: it ends within a record"],
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
        "damaged: b.warc: it ends within a record",
    ] == list(describe_report(account_of(100, stats)))


def test_loss_comes_first() -> None:
    """The summary begins with missing records."""
    says = next(describe_report(account_of(99, Stats())))
    assert "100 pages in, 99 records out: not all is there yet" == says
