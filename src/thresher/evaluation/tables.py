"""The results of an evaluation as text: one table per corpus, then tables as in the 2009 paper.

Arias, Deschacht and Moens give F1 in per cent with a row per corpus and a column per method, the
baseline first (tables 2 and 3), and seconds per megabyte likewise (table 4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from thresher.evaluation.block_losses import BlockLosses, average_losses
from thresher.evaluation.evaluate import PageResult
from thresher.evaluation.metrics import METRICS
from thresher.evaluation.summary import EvaluatedCorpus, EvaluationRun, Summary

__all__ = ["ORDERS", "sort_results", "write_corpus", "write_losses", "write_pages", "write_run"]

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
