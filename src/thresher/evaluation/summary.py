"""Results of an evaluation: means over the pages of each corpus, as text and as one HTML file.

`EvaluationRun` is the record of a run with all that reproduces it. As text there is one table per
corpus, then tables as in the 2009 paper: Arias, Deschacht and Moens give F1 in per cent with a row
per corpus and a column per method, the baseline first (tables 2 and 3), and seconds per megabyte
likewise (table 4). In the self-contained HTML file each metric has the means of every method, as a
chart and in figures, and a table of pages, the worst first. A short script sorts the tables by any
column; they are readable without it. Colours follow the reader's light or dark setting.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import fmean
from typing import Any, Final, TypeVar

from thresher.evaluation.block_losses import average_losses
from thresher.evaluation.evaluate import PageResult
from thresher.evaluation.metrics import METRICS, Score
from thresher.support.hosts import is_web

MEAN_OF_CORPORA: Final = "mean of corpora"
"""Name of the mean in which every corpus has the same weight."""
_PACKAGES: Final = ("thresher", "turbohtml", "numpy", "rapidfuzz")
_BYTES_PER_MB: Final = 1e6
_GAP: Final = "  "
_NUMBER_CHARS: Final = len("100.00")
"""Minimum width of a column of numbers."""
_FIRST: Final = frozenset({0})
_Item = TypeVar("_Item")
_Key = TypeVar("_Key", bound=Hashable)
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
        by_corpus = group_by(self.results, lambda result: result.corpus)
        summaries = [summary for results in by_corpus.values() for summary in summarise(results)]
        return (
            *summaries,
            *(_mean_of_corpora(summaries, self.methods) if len(self.corpora) > 1 else ()),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        whole = asdict(self)  # scores become lists of three: name their fields
        whole["summaries"] = [_as_dict(summary) for summary in self.summaries()]
        whole["results"] = [_as_dict(result) for result in self.results]
        return whole


def group_by(items: Iterable[_Item], key: Callable[[_Item], _Key]) -> dict[_Key, list[_Item]]:
    """Group items by what they have in common, in the order in which they come."""
    groups: dict[_Key, list[_Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def summarise(results: Iterable[PageResult]) -> list[Summary]:
    """Return each method's means over its results, which are all of one corpus."""
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
        for method, group in group_by(results, lambda result: result.method).items()
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


def format_versions(versions: Mapping[str, str]) -> str:
    """Format versions for a sentence."""
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def _mean_of_corpora(summaries: Sequence[Summary], methods: Iterable[str]) -> list[Summary]:
    groups = [[summary for summary in summaries if summary.method == method] for method in methods]
    return [
        Summary(
            corpus=MEAN_OF_CORPORA,
            method=group[0].method,
            n_page=sum(summary.n_page for summary in group),
            scores={
                name: _mean(summary.scores[name] for summary in group) for name in group[0].scores
            },
            n_empty=sum(summary.n_empty for summary in group),
            n_error=sum(summary.n_error for summary in group),
            seconds_per_mb=fmean(summary.seconds_per_mb for summary in group),
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
    lines = [f"{corpus.name}: {_count(corpus.n_page, 'page')}{role}", _GAP.join(above)]
    return "\n".join([*lines, *_lay_out([head, *rows], _FIRST)]) + "\n"


def write_losses(corpus: str, results: Sequence[PageResult]) -> str:
    """Write what each method lost and kept wrongly on one corpus, counted in blocks.

    Below, the words lost and the foreign words by the role of their blocks, most first.
    """
    by_method = group_by(results, lambda result: result.method)
    judged = {
        method: [result.losses for result in group if result.losses]
        for method, group in by_method.items()
    }
    means = [average_losses(method, losses) for method, losses in judged.items() if losses]
    if not means:
        return f"{corpus}: no page can be judged by blocks\n"
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
    head = ["corpus", *run.methods]
    parts = []
    for name in run.metrics:
        f1_of = {(e.corpus, e.method): _percent(e.scores[name].f1) for e in summaries}
        parts.append((f"{METRICS[name].title}, mean F1 of pages in %{policy}", f1_of))
    time_of = {(e.corpus, e.method): f"{e.seconds_per_mb:.3f}" for e in summaries}
    parts.append(("Processor seconds per MB of HTML", time_of))
    return "\n".join(
        "\n".join([title, *_lay_out([head, *_cross(run.methods, cells)], _FIRST)]) + "\n"
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


def _cross(
    methods: Sequence[str], cells: Mapping[tuple[str, str], str], nothing: str = "–"
) -> Iterator[list[str]]:
    """Yield rows of corpora and columns of methods with the cell at each (corpus, method)."""
    for corpus in dict.fromkeys(corpus for corpus, _ in cells):
        yield [corpus, *(cells.get((corpus, method), nothing) for method in methods)]


def _lay_out(rows: Sequence[Sequence[str]], texts: frozenset[int]) -> Iterator[str]:
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


_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
"""Content security policy: the file loads nothing, whatever a page's id or URL contains."""
_NOTHING: Final = "<td>–</td>"


def write_report(run: EvaluationRun) -> str:
    """Write a run as one HTML document."""
    summaries = run.summaries()
    pages = sum(corpus.n_page for corpus in run.corpora)
    body = [
        "<h1>Main content found, page by page</h1>",
        f"<p>{_count(pages, 'page')} of {_count(len(run.corpora), 'corpus', 'corpora')}, "
        f"{_count(len(run.methods), 'method')}, {escape(run.date)}.</p>",
        f"<p class=soft>Made by <code>{escape(run.command)}</code> with "
        f"{escape(format_versions(run.versions))}.</p>",
    ]
    if run.without_title:
        body.append(
            "<p>The title was taken off what was found and off the label before comparing.</p>"
        )
    for position, metric in enumerate(run.metrics):
        body += _write_metric(run, summaries, metric, is_first=position == 0)
    body += _write_times(run, summaries)
    body += _write_corpora(run)
    style, script = (
        Path(__file__).with_name(name).read_text(encoding="utf-8")
        for name in ("report.css", "report.js")
    )
    return (
        "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
        '<meta name=viewport content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv=Content-Security-Policy content="{_POLICY}">\n'
        f"<title>Evaluation, {escape(run.date)}</title>\n<style>\n{style}</style>\n"
        "</head>\n<body>\n" + "\n".join(body) + f"\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


def _write_metric(
    run: EvaluationRun, summaries: Sequence[Summary], metric: str, *, is_first: bool
) -> Iterator[str]:
    about = METRICS[metric]
    yield f"<section>\n<h2>{escape(about.title)}</h2>"
    yield f"<p>F1 in %: {escape(about.summary)} ({escape(about.source)}).</p>"
    yield _draw_means(run, summaries, metric)
    yield "<h3>Mean of pages</h3>"
    cells = {
        (summary.corpus, summary.method): _score_cell(summary, metric) for summary in summaries
    }
    yield _cross_table(run.methods, cells)
    yield f"<details{' open' if is_first else ''}><summary>Pages, the worst first</summary>"
    yield _write_table(
        ["page", "corpus", "type", "kB", *run.methods], _page_rows(run, metric), n_text=3
    )
    yield "</details>\n</section>"


def _draw_means(run: EvaluationRun, summaries: Sequence[Summary], metric: str) -> str:
    """Draw each method's mean as a bar, with a tick at its mean on every corpus."""
    lines = []
    for method in run.methods:
        mine = [summary for summary in summaries if summary.method == method]
        shares = [
            summary.scores[metric].f1 * 100 for summary in mine if summary.corpus != MEAN_OF_CORPORA
        ]
        if not shares:
            continue
        mean = fmean(shares)
        strokes = "".join(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="8"/>' for x in shares)
        lines.append(
            f"<span>{escape(method)}</span>"
            f'<svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" '
            f'aria-label="{escape(method)}: {mean:.1f} %">'
            f'<rect y="1" width="{mean:.1f}" height="6"/>{strokes}</svg>'
            f"<span>{mean:.1f}</span>"
        )
    note = "<small>bar: mean of corpora; strokes: each corpus</small>"
    return f"<div class=means>{''.join(lines)}</div>\n{note}"


def _page_rows(run: EvaluationRun, metric: str) -> Iterator[list[str]]:
    """Yield the cells of each page; those on which the methods did worst come first."""
    by_page = group_by(run.results, lambda result: (result.corpus, result.page))
    judged = run.methods[1:] or run.methods  # the baseline does not count

    def worth(results: dict[str, PageResult]) -> float:
        return fmean(results[m].scores[metric].f1 if m in results else 1.0 for m in judged)

    pages = [{result.method: result for result in group} for group in by_page.values()]
    for results in sorted(pages, key=worth):
        one = next(iter(results.values()))
        yield [
            f"<td>{_link(one)}</td>",
            _text(one.corpus),
            _text(one.page_type or ""),
            f"<td>{one.n_byte / 1e3:.1f}</td>",
            *(_score_cell(results.get(method), metric) for method in run.methods),
        ]


def _cross_table(methods: Sequence[str], cells: Mapping[tuple[str, str], str]) -> str:
    """Write a table of corpora by methods with the cell at each (corpus, method)."""
    rows = ([_text(corpus), *row] for corpus, *row in _cross(methods, cells, _NOTHING))
    return _write_table(["corpus", *methods], rows, n_text=1)


def _write_times(run: EvaluationRun, summaries: Sequence[Summary]) -> Iterator[str]:
    yield "<section>\n<h2>Time</h2>\n<p>Processor seconds per MB of HTML, from HTML to text.</p>"
    times = {(summary.corpus, summary.method): summary.seconds_per_mb for summary in summaries}
    yield _cross_table(run.methods, {key: f"<td>{time:.3f}</td>" for key, time in times.items()})
    yield "</section>"


def _write_corpora(run: EvaluationRun) -> Iterator[str]:
    yield "<section>\n<h2>Corpora</h2>"
    yield _write_table(
        ["corpus", "role", "SHA-256", "pages"],
        (
            [
                *map(_text, (corpus.name, corpus.role or "", corpus.sha256 or "")),
                f"<td>{corpus.n_page}</td>",
            ]
            for corpus in run.corpora
        ),
        n_text=3,
    )
    yield "</section>"


def _write_table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, n_text: int) -> str:
    """Write a table from cells that are already HTML; the first columns contain text."""
    cells = (
        f"<th scope=col{' class=text' if column < n_text else ''}>{escape(head)}</th>"
        for column, head in enumerate(heads)
    )
    body = "\n".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return (
        f"<div class=wide><table class=sortable><thead><tr>{''.join(cells)}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _score_cell(scored: PageResult | Summary | None, metric: str) -> str:
    if scored is None:
        return _NOTHING
    precision, recall, f1 = scored.scores[metric]
    note = f"precision {precision * 100:.1f}, recall {recall * 100:.1f}"
    if isinstance(scored, PageResult) and (scored.error or scored.is_empty):
        note += f"; {scored.error or 'no main content'}"
    return f'<td class=cell style="--f:{f1:.2f}" title="{escape(note)}">{f1 * 100:.1f}</td>'


def _link(result: PageResult) -> str:
    url = result.url or ""
    if not is_web(url):
        return escape(result.page)
    return f'<a href="{escape(url)}" rel="noreferrer noopener">{escape(result.page)}</a>'


def _text(text: str) -> str:
    return f"<td class=text>{escape(text)}</td>"


def _count(number: int, noun: str, plural: str | None = None) -> str:
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
