"""Means over the pages of each corpus, and the record of a run with all that reproduces it."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from statistics import fmean
from typing import Any, Final

from thresher.evaluation.evaluate import PageResult
from thresher.evaluation.metrics import Score

__all__ = [
    "MEAN_OF_CORPORA",
    "EvaluatedCorpus",
    "EvaluationRun",
    "Summary",
    "read_versions",
    "summarise",
]

MEAN_OF_CORPORA: Final = "mean of corpora"
"""Name of the mean in which every corpus has the same weight."""

_PACKAGES: Final = ("thresher", "turbohtml", "numpy", "rapidfuzz")
_BYTES_PER_MB: Final = 1e6


@dataclass(frozen=True, slots=True)
class Summary:
    """Results of one method on one corpus, or in the mean of corpora."""

    corpus: str
    method: str
    n_page: int
    scores: Mapping[str, Score] = field(hash=False)
    """By metric, the means over pages of precision, recall and F1."""
    n_empty: int
    """Pages on which no main content was found."""
    n_error: int
    seconds_per_mb: float
    """Processor seconds per million bytes of HTML."""


@dataclass(frozen=True, slots=True)
class EvaluatedCorpus:
    """Description of a corpus that was evaluated."""

    name: str
    role: str | None
    sha256: str | None
    n_page: int
    """Pages with a text label, among those that were read."""


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """A run with its results, the source of tables and reports."""

    date: str
    command: str
    versions: Mapping[str, str] = field(hash=False)
    metrics: tuple[str, ...]
    methods: tuple[str, ...]
    """In the order of the tables: the baseline first."""
    without_title: bool
    corpora: tuple[EvaluatedCorpus, ...]
    results: tuple[PageResult, ...]

    def summaries(self) -> tuple[Summary, ...]:
        """Return each method's summary for each corpus, and with several corpora their mean."""
        by_corpus: dict[str, list[PageResult]] = {corpus.name: [] for corpus in self.corpora}
        for result in self.results:
            by_corpus[result.corpus].append(result)
        each = [summary for results in by_corpus.values() for summary in summarise(results)]
        return (*each, *(_mean_of_corpora(each, self.methods) if len(self.corpora) > 1 else ()))

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        whole = asdict(self)  # scores become lists of three: name their fields
        whole["summaries"] = [_as_dict(summary) for summary in self.summaries()]
        whole["results"] = [_as_dict(result) for result in self.results]
        return whole


def summarise(results: Iterable[PageResult]) -> list[Summary]:
    """Return each method's means over its results, which are all of one corpus."""
    by_method: dict[str, list[PageResult]] = {}
    for result in results:
        by_method.setdefault(result.method, []).append(result)
    return [
        Summary(
            corpus=group[0].corpus,
            method=method,
            n_page=len(group),
            scores={name: _mean(r.scores[name] for r in group) for name in group[0].scores},
            n_empty=sum(result.is_empty for result in group),
            n_error=sum(result.error is not None for result in group),
            seconds_per_mb=sum(result.cpu_s for result in group)
            / max(sum(result.n_byte for result in group), 1)
            * _BYTES_PER_MB,
        )
        for method, group in by_method.items()
    ]


def read_versions() -> dict[str, str]:
    """Return the versions of everything the numbers depend on."""
    versions = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    return versions


def _mean_of_corpora(summaries: Sequence[Summary], methods: Iterable[str]) -> list[Summary]:
    groups = [[each for each in summaries if each.method == method] for method in methods]
    return [
        Summary(
            corpus=MEAN_OF_CORPORA,
            method=group[0].method,
            n_page=sum(each.n_page for each in group),
            scores={name: _mean(each.scores[name] for each in group) for name in group[0].scores},
            n_empty=sum(each.n_empty for each in group),
            n_error=sum(each.n_error for each in group),
            seconds_per_mb=fmean(each.seconds_per_mb for each in group),
        )
        for group in groups
        if group
    ]


def _mean(scores: Iterable[Score]) -> Score:
    return Score(*map(fmean, zip(*scores, strict=True)))


def _as_dict(thing: PageResult | Summary) -> dict[str, Any]:
    scores = {name: score._asdict() for name, score in thing.scores.items()}
    return asdict(thing) | {"scores": scores}
