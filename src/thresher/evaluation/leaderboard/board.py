"""Statistics of a leaderboard: means with their errors, and paired differences on the same pages.

A mean's standard error is that of the mean over pages: it indicates how much another sample of
pages of the same kind would change it. Two contenders are evaluated on the same pages, so their
difference page by page has an error of its own, mostly smaller than either's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import sqrt
from statistics import fmean, variance
from typing import Any

from thresher.evaluation.evaluate import PageResult
from thresher.evaluation.leaderboard.speed import Speed
from thresher.evaluation.summary import MEAN_OF_CORPORA, EvaluationRun

__all__ = ["Board", "Entry", "Group", "Mean", "mean_of", "mean_of_means"]

Group = Callable[[PageResult], str | None]
"""The column a page counts in, None for none."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its standard error; for a single value the error is unknown, and 0 here."""

    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Entry:
    """The description of a peer or a method for readers."""

    name: str
    version: str
    settings: str
    is_ours: bool
    problem: str | None = None
    """Why it did not take part."""


@dataclass(frozen=True, slots=True)
class Board:
    """A run over peers and methods, with their speed."""

    run: EvaluationRun
    entries: tuple[Entry, ...]
    """All that were requested, in the order of `EvaluationRun.methods`; then those that did not
    take part."""
    reference: str
    """The contender whose time is 1."""
    default: str | None
    """Our default method, if it took part."""
    n_speed_page: int
    speeds: tuple[Speed, ...]
    notes: tuple[str, ...] = field(default=())

    def means(self, metric: str, group: Group) -> dict[tuple[str, str], Mean]:
        """Return the mean F1 of each method in each group, in the order of the results."""
        values: dict[tuple[str, str], list[float]] = {}
        for result in self.run.results:
            name = group(result)
            if name is not None:
                values.setdefault((result.method, name), []).append(result.scores[metric].f1)
        return {key: mean_of(f1) for key, f1 in values.items()}

    def corpus_means(self, metric: str) -> dict[tuple[str, str], Mean]:
        """Return the mean F1 by method and corpus, and with several corpora their mean."""
        return _with_mean(self.means(metric, lambda result: result.corpus), self.run)

    def differences(self, metric: str, rival: str) -> dict[tuple[str, str], Mean]:
        """Return the difference of each method's F1 to a rival's, page by page."""
        own = {
            (result.corpus, result.page): result.scores[metric].f1
            for result in self.run.results
            if result.method == rival
        }
        values: dict[tuple[str, str], list[float]] = {}
        for result in self.run.results:
            if result.method != rival:
                difference = result.scores[metric].f1 - own[result.corpus, result.page]
                values.setdefault((result.method, result.corpus), []).append(difference)
        return _with_mean({key: mean_of(each) for key, each in values.items()}, self.run)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        return {
            **self.run.as_dict(),
            "entries": [asdict(entry) for entry in self.entries],
            "reference": self.reference,
            "speeds": [asdict(speed) for speed in self.speeds],
            "notes": list(self.notes),
        }


def mean_of(values: Sequence[float]) -> Mean:
    """Return the mean of values, and its standard error."""
    error = sqrt(variance(values) / len(values)) if len(values) > 1 else 0.0
    return Mean(fmean(values), error)


def mean_of_means(means: Iterable[Mean]) -> Mean:
    """Return the mean of independent means, each with the same weight."""
    each = list(means)
    error = sqrt(sum(mean.error**2 for mean in each)) / len(each)
    return Mean(fmean(mean.value for mean in each), error)


def _with_mean(
    means: Mapping[tuple[str, str], Mean], run: EvaluationRun
) -> dict[tuple[str, str], Mean]:
    if len(run.corpora) < 2:
        return dict(means)
    whole = {
        (method, MEAN_OF_CORPORA): mean_of_means(
            mean for (m, _), mean in means.items() if m == method
        )
        for method in dict.fromkeys(method for method, _ in means)
    }
    return {**means, **whole}
