"""Relative speed of peers and methods: ratios of processor time, in one run.

On a shared machine only ratios are meaningful, and only between runs close in time. So every
contender processes a page before the next page comes; a page's time is its fastest of several
rounds; and times are compared on the same page. Loading is not timed.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final

from thresher.errors import ThresherError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.leaderboard.outputs import key_of

__all__ = ["ROUNDS", "Speed", "draw_pages", "measure"]

ROUNDS: Final = 3

Time = Callable[[LabelledPage], float | None]
"""Processor seconds on a page, None if the contender failed."""


@dataclass(frozen=True, slots=True)
class Speed:
    """The time of one contender divided by that of the reference, page by page."""

    name: str
    n_page: int
    """Pages on which neither of the two failed."""
    median_ratio: float
    mean_ratio: float
    """The sum of its times divided by the sum of the reference's."""


def draw_pages(pages: Iterable[LabelledPage], count: int) -> list[LabelledPage]:
    """Draw pages independently of their order: those with the smallest digests."""
    return heapq.nsmallest(count, pages, key=key_of)


def measure(
    pages: Sequence[LabelledPage], times: Mapping[str, Time], reference: str
) -> list[Speed]:
    """Measure contenders on the same pages; ``reference`` is the one whose ratios are 1.

    Those that succeed on no page are left out.
    """
    best: dict[str, list[float]] = {name: [] for name in times}
    for page in pages:
        taken: dict[str, list[float]] = {name: [] for name in times}
        for _ in range(ROUNDS):
            for name, time in times.items():
                taken[name].append(_or_nothing(time, page))
        for name in times:
            best[name].append(min(taken[name]))
    speeds = []
    for name, own in best.items():
        both = [(a, b) for a, b in zip(own, best[reference], strict=True) if max(a, b) < _NEVER]
        both = [(a, b) for a, b in both if b > 0]
        if both:
            ratios = [a / b for a, b in both]
            mean = fmean(a for a, _ in both) / fmean(b for _, b in both)
            speeds.append(Speed(name, len(both), median(ratios), mean))
    return speeds


_NEVER: Final = float("inf")


def _or_nothing(time: Time, page: LabelledPage) -> float:
    try:
        cpu_s = time(page)
    except ThresherError:
        return _NEVER
    return _NEVER if cpu_s is None else cpu_s
