"""Results of an evaluation: means over the pages of each corpus, and tables of them as text.

`EvaluationRun` is the record of a run with all that reproduces it. There is one table per corpus,
then tables as in the 2009 paper: Arias, Deschacht and Moens give F1 in per cent with a row per
corpus and a column per method, the baseline first (tables 2 and 3), and seconds per megabyte
likewise (table 4).
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from statistics import fmean
from typing import Any, Final

from thresher.evaluation.block_losses import BlockLosses, average_losses
from thresher.evaluation.evaluate import PageResult
from thresher.evaluation.metrics import METRICS, Score

__all__ = [
    "MEAN_OF_CORPORA",
    "EvaluatedCorpus",
    "EvaluationRun",
    "Summary",
    "read_versions",
    "sort_results",
    "summarise",
    "write_corpus",
    "write_losses",
    "write_pages",
    "write_run",
]

MEAN_OF_CORPORA: Final = "mean of corpora"
"""Name of the mean in which every corpus has the same weight."""
_PACKAGES: Final = ("thresher", "turbohtml", "numpy", "rapidfuzz")
_BYTES_PER_MB: Final = 1e6
_GAP: Final = "  "
_NUMBER_CHARS: Final = len("100.00")
"""Minimum width of a column of numbers."""
_FIRST: Final = frozenset({0})
ORDERS: Final[dict[str, Callable[[PageResult, str], float]]] = {
    "worst": lambda result, metric: result.scores[metric].f1,
    "best": lambda result, metric: -result.scores[metric].f1,
    "slowest": lambda result, metric: -result.cpu_s,
}
"""Orders of pages, ascending."""


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


def write_corpus(corpus: EvaluatedCorpus, summaries: Sequence[Summary]) -> str:
    """Write the results of each method on one corpus: mean precision, recall, F1, and the time."""
    if not summaries:
        return f"{corpus.name}: no page has a text label\n"
    metrics = list(summaries[0].scores)
    width = 3 * _NUMBER_CHARS + 2 * len(_GAP)
    head = ["method", *(["P %", "R %", "F1 %"] * len(metrics)), "empty", "errors", "s/MB"]
    rows = [
        [
            summary.method,
            *(_percent(value) for name in metrics for value in summary.scores[name]),
            str(summary.n_empty),
            str(summary.n_error),
            f"{summary.seconds_per_mb:.3f}",
        ]
        for summary in summaries
    ]
    first = max(len(row[0]) for row in [head, *rows])
    above = [" " * first, *(METRICS[name].title.rjust(width) for name in metrics)]
    role = f", {corpus.role}" if corpus.role else ""
    pages = "1 page" if corpus.n_page == 1 else f"{corpus.n_page:,} pages"
    lines = [f"{corpus.name}: {pages}{role}", _GAP.join(above)]
    return "\n".join([*lines, *_lay_out([head, *rows], _FIRST)]) + "\n"


def write_losses(corpus: str, results: Sequence[PageResult]) -> str:
    """Write what each method lost and kept wrongly on one corpus, counted in blocks.

    Below, the words lost and the foreign words by the role of their blocks, most first.
    """
    by_method: dict[str, list[BlockLosses]] = {}
    for result in results:
        if result.losses:
            by_method.setdefault(result.method, []).append(result.losses)
    if not by_method:
        return f"{corpus}: no page can be judged by blocks\n"
    means = [average_losses(method, losses) for method, losses in by_method.items()]
    head = ["method", "pages", "holes %", "lost %", "foreign %", "perfect %", "F1 %"]
    rows = [
        [
            one.method,
            str(one.n_page),
            *map(_percent, (one.hole_pages, one.lost_blocks, one.foreign_words)),
            *map(_percent, (one.perfect_pages, one.word_f1)),
        ]
        for one in means
    ]
    lines = [f"{corpus} by blocks, titles, bylines and dates left out"]
    lines += _lay_out([head, *rows], _FIRST)
    for one in means:
        lines.append(f"{one.method}: words lost: {_list_roles(one.lost_by_role)}")
        lines.append(f"{one.method}: foreign words: {_list_roles(one.foreign_by_role)}")
    return "\n".join(lines) + "\n"


def _list_roles(words: Mapping[str, int]) -> str:
    return ", ".join(f"{role} {count:,}" for role, count in words.items()) or "none"


def write_run(run: EvaluationRun) -> str:
    """Write mean F1 by each metric, and the time, of every method on every corpus."""
    summaries = run.summaries()
    if not summaries:
        return "no page has a text label\n"
    policy = ", title taken off" if run.without_title else ""
    parts = []
    for name in run.metrics:
        f1_of = {(e.corpus, e.method): _percent(e.scores[name].f1) for e in summaries}
        parts.append((f"{METRICS[name].title}, mean F1 of pages in %{policy}", f1_of))
    time_of = {(e.corpus, e.method): f"{e.seconds_per_mb:.3f}" for e in summaries}
    parts.append(("Processor seconds per MB of HTML", time_of))
    return "\n".join(
        "\n".join([title, *_lay_out(_cross(run.methods, cells), _FIRST)]) + "\n"
        for title, cells in parts
    )


def sort_results(results: Sequence[PageResult], metric: str, order: str) -> list[PageResult]:
    """Sort results by one of `ORDERS`; the sort is stable."""
    return sorted(results, key=lambda result: ORDERS[order](result, metric))


def write_pages(results: Sequence[PageResult], metric: str, title: str) -> str:
    """Write one line per result, with all its details."""
    head = ["method", "corpus", "page", "P %", "R %", "F1 %", "ms", "kB", "note"]
    rows = [
        [
            result.method,
            result.corpus,
            result.page,
            *map(_percent, result.scores[metric]),
            f"{result.cpu_s * 1e3:.1f}",
            f"{result.n_byte / 1e3:.0f}",
            result.error or ("no main content" if result.is_empty else ""),
        ]
        for result in results
    ]
    return "\n".join([title, *_lay_out([head, *rows], frozenset({0, 1, 2, 8}))]) + "\n"


def _cross(methods: Sequence[str], cells: Mapping[tuple[str, str], str]) -> list[list[str]]:
    """Return rows of corpora and columns of methods with the cell at each (corpus, method)."""
    corpora = dict.fromkeys(corpus for corpus, _ in cells)
    return [
        ["corpus", *methods],
        *([name, *(cells.get((name, method), "–") for method in methods)] for name in corpora),
    ]


def _lay_out(rows: Sequence[Sequence[str]], texts: frozenset[int]) -> Iterator[str]:
    """Align the columns, text to the left and numbers to the right."""
    clean = [["".join(c if c.isprintable() else "?" for c in cell) for cell in row] for row in rows]
    widths = [
        max(0 if column in texts else _NUMBER_CHARS, *map(len, cells))
        for column, cells in enumerate(zip(*clean, strict=True))
    ]
    for row in clean:
        yield _GAP.join(
            cell.ljust(width) if column in texts else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()


def _percent(share: float) -> str:
    return f"{share * 100:.2f}"
