"""The summary lines at the end of a batch: input, output and problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from thresher.batch.job import BatchReport

__all__ = ["describe_report", "describe_unread"]

_N_SHOWN: Final = 8
"""Values listed per count; the others are in the file of statistics."""
_N_SLOWEST: Final = 3
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
    yield from describe_unread(report.unread)
    for name in report.missing:
        yield f"missing, or not as it was written: {name}"


def describe_unread(unread: Sequence[str]) -> Iterator[str]:
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
