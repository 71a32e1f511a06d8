"""Statistics of a batch."""

from __future__ import annotations

import json

from thresher.batch.model import Record
from thresher.batch.stats import N_SLOWEST, Stats

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
