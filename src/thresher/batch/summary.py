"""The summary lines at the end of a batch: input, output and problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from thresher.batch.job import BatchReport

__all__ = ["describe_report"]

_N_SHOWN: Final = 8
"""Values listed per count; the others are in the file of statistics."""
_N_SLOWEST: Final = 3


def describe_report(report: BatchReport) -> Iterator[str]:
    """Yield the lines of the summary."""
    stats = report.stats
    check = "nothing is lost" if report.is_whole else "not all is there yet"
    yield f"{report.n_entry:,} pages in, {report.n_record:,} records out: {check}"
    n_new = report.n_record - report.n_resumed
    rate = n_new / report.elapsed_s if report.elapsed_s > 0 else 0.0
    yield (
        f"{report.n_read:,} of {report.n_source:,} sources read, {report.n_part:,} parts; "
        f"{n_new:,} pages in {report.elapsed_s:,.1f} s, {rate:,.1f} a second"
    )
    counts = (
        ("verdicts", stats.verdicts),
        ("languages", stats.languages),
        ("errors", stats.errors),
        ("duplicates", stats.duplicates),
        ("no pages", report.skipped),
    )
    for name, count in counts:
        if count:
            yield f"{name}: {_show(count)}"
    for time_s, id, source in stats.slowest[:_N_SLOWEST]:
        yield f"slowest: {time_s:.2f} s, {id} of {source}"
    for damage in report.damage:
        yield f"damaged: {damage}"
    for name in report.missing:
        yield f"missing, or not as it was written: {name}"


def _show(count: Mapping[str, int]) -> str:
    most = sorted(count.items(), key=lambda pair: -pair[1])
    shown = [f"{name} {number:,}" for name, number in most[:_N_SHOWN]]
    rest = sum(number for _, number in most[_N_SHOWN:])
    return ", ".join([*shown, f"others {rest:,}"] if rest else shown)
