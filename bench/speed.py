"""Speed and memory of Thresher, stage by stage, next to its peers in one run.

    python -m bench.speed CORPUS… [--joined CORPUS…] [--pages 181] [--rounds 5] [--runs 3]
        [--json FILE] [--docs FILE]

CPU time of one process, contenders interleaved page by page so that noise hits all alike; a page's
time is its fastest round, the table shows medians and means over pages. Only the ratios mean
something on a shared machine. Peers get the decoded HTML as they like it best (str; resiliparse
and trafilatura fast are their authors' fastest settings). Peers that are not installed are left
out, and said so: ``pip install 'thresher[bench]'``. ``--docs docs/performance.md`` writes the page
of the docs, with the spread of several runs. Set OPENBLAS_NUM_THREADS=1: CPU time counts that of
threads too.
"""

from __future__ import annotations

import gc
import importlib.metadata
import json
import platform
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import thresher
from bench.contenders import (
    BASE,
    Contender,
    InsideSteps,
    Staged,
    measure_cores,
    peers_of,
    stages_of,
    whole_of,
)
from bench.harness import draw_pages, make_parser, named_corpora
from bench.startup import STARTS, measure_starts, write_table
from thresher.algorithms import MethodName

_START_RUNS: Final = 7
_SIZES_KB: Final = (0, 50, 100, 200, 400, 100_000)
"""Limits of the sizes of pages that are told apart, thousands of characters."""
_JOINED_KB: Final = (20, 200)
"""The sizes of the pages that are drawn from the joined corpora."""


@dataclass(frozen=True, slots=True)
class Row:
    """One contender's figures."""

    name: str
    median_ms: float
    mean_ms: float
    megabytes_per_s: float


def write_page(report: dict[str, Any]) -> str:
    """Write the page of the docs, Markdown."""
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    parts = [
        "# Performance\n",
        "The cost of each stage, in CPU time of one core, and that of other extractors in the same"
        f" run on the same pages. The unit is the median time of {BASE} for a page, because only"
        " ratios are meaningful on a shared machine. The fastest round counts for each page; memory"
        " is what Python, numpy and the parser allocate. Of several runs the median is given, with"
        " the least and the most in brackets.\n",
        f"{report['date']}, {versions}, Python {report['python']}, {report['machine']}. Produced by"
        f" `{report['command']}`.\n",
        "## Start\n",
        "What a new process takes, median of the runs that `python -m bench.startup` makes in turn."
        " `import thresher` imports each name on first use, and the command what it needs; numpy is"
        " imported by the first extraction, and the HTML parser for pages that need it"
        " ([ADR 7](adr/0007-kernels.md)).\n",
        f"{write_table(report['starts'])}\n",
    ]
    for name, figures in report["corpora"].items():
        runs = figures["runs"]
        units = [_unit_of(run) for run in runs]
        memory = _spread([run["peak_memory_ratio"] for run in runs], digits=1)
        parts.append(
            f"## {name}\n\n{figures['pages']} pages, mean {figures['kilobytes']} kB; peak memory"
            f" {memory} × HTML.\n"
        )
        tables = (("stage", "stages"), ("HTML to result", "whole"), ("by size", "by_size"))
        for title, key in tables:
            rows = "\n".join(map(_write_row, _rows_of(runs, key), [units] * len(runs[0][key])))
            parts.append(f"| {title} | median | mean | MB/s |\n|---|---|---|---|\n{rows}\n")
        rows = "\n".join(
            f"| {way} | {_spread([run['cores'][way] for run in runs])} |"
            for way in runs[0]["cores"]
        )
        parts.append(
            f"| wall-clock time | pages per second, relative to one thread |\n|---|---|\n{rows}\n"
        )
    return "\n".join(parts)


def _unit_of(run: dict[str, Any]) -> float:
    """Return the milliseconds that are 1 in the tables of a run."""
    base = [row["median_ms"] for row in run["whole"] if row["name"] == BASE]
    return base[0] if base else 1.0


def _rows_of(runs: list[dict[str, Any]], key: str) -> list[list[dict[str, Any]]]:
    """Return each row of a table in all runs."""
    return [list(rows) for rows in zip(*(run[key] for run in runs), strict=True)]


def _write_row(rows: list[dict[str, Any]], units: list[float]) -> str:
    medians, means = (
        _spread([row[figure] / unit for row, unit in zip(rows, units, strict=True)])
        for figure in ("median_ms", "mean_ms")
    )
    megabytes = statistics.median(row["megabytes_per_s"] for row in rows)
    return f"| {rows[0]['name']} | {medians} | {means} | {megabytes:.0f} |"


def _spread(values: list[float], digits: int = 2) -> str:
    """Write the median of several runs, and the least and the most where they differ."""
    median, least, most = (
        f"{value:.{digits}f}" for value in (statistics.median(values), min(values), max(values))
    )
    return median if least == most else f"{median} ({least}–{most})"


def vars_of(row: Row) -> dict[str, Any]:
    """Return a row as a plain dict, rounded to what is worth keeping."""
    return {
        "name": row.name,
        "median_ms": round(row.median_ms, 3),
        "mean_ms": round(row.mean_ms, 3),
        "megabytes_per_s": round(row.megabytes_per_s, 1),
    }


def main() -> None:
    """Measure and print."""
    parser = make_parser(__doc__, corpora=True)
    parser.add_argument(
        "--joined",
        nargs="+",
        type=Path,
        default=[],
        metavar="CORPUS",
        help="corpora whose pages of 20 to 200 kB are drawn as one more set",
    )
    parser.add_argument("--runs", type=int, default=1, help="times everything is measured")
    parser.add_argument("--pages", type=int, default=181, help="pages drawn from each corpus")
    parser.add_argument("--rounds", type=int, default=5, help="times each page is measured")
    parser.add_argument("--method", default=thresher.DEFAULT_METHOD)
    parser.add_argument("--json", type=Path, help="write the figures here too")
    parser.add_argument("--docs", type=Path, help="write the page of the docs here")
    args = parser.parse_args()

    report: dict[str, Any] = {
        "date": date.today().isoformat(),
        "command": " ".join(["python -m bench.speed", *(Path(arg).name for arg in sys.argv[1:])]),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "starts": measure_starts(STARTS, _START_RUNS),
        "corpora": {},
    }
    print(write_table(report["starts"]))
    sets = dict(_draw_sets(args.corpora, args.joined, args.pages))
    for name, pages in sets.items():
        about = {
            "pages": len(pages),
            "kilobytes": round(statistics.fmean(len(html) for html in pages) / 1e3),
            "runs": [],
        }
        report["corpora"][name] = about
    for run in range(args.runs):
        for name, pages in sets.items():
            kilobytes = report["corpora"][name]["kilobytes"]
            print(f"\n{name}, run {run + 1}: {len(pages)} pages, mean {kilobytes} kB")
            report["corpora"][name]["runs"].append(_measure_set(args.method, pages, args.rounds))
    report["versions"] = _versions()
    print("\nversions:", ", ".join(f"{k} {v}" for k, v in report["versions"].items()))
    if args.docs:
        args.docs.write_text(write_page(report))
    if args.json:
        args.json.write_text(json.dumps(report, indent=1) + "\n")


def _draw_sets(
    corpora: list[Path], joined: list[Path], n_page: int
) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the pages of each set: of each corpus, and of all that are joined."""
    for corpus in named_corpora(corpora):
        yield corpus.name, draw_pages([page.html for page in corpus.pages()], n_page)
    if joined:
        found = named_corpora(joined)
        least, most = _JOINED_KB
        pages = [page.html for corpus in found for page in corpus.pages()]
        pages = [html for html in pages if least <= len(html) / 1e3 < most]
        names = " and ".join(corpus.name for corpus in found)
        yield f"{names}, {least} to {most} kB", draw_pages(pages, n_page)


def _measure_set(method: MethodName, pages: list[str], rounds: int) -> dict[str, Any]:
    """Measure a set of pages once, print and return the figures."""
    stages = _measure(stages_of(method), pages, rounds)
    peers = _measure(whole_of(method) | peers_of(), pages, rounds)
    _print_table("stage", stages, peers)
    _print_table("HTML to result", peers, peers)
    memory = _peak_memory(method, pages)
    print(f"peak memory of one extraction: {memory:.1f} × the HTML (median of 20 pages)")
    by_size = _by_size(method, pages, rounds)
    _print_table("HTML to Markdown, by size", by_size, peers)
    cores = measure_cores(method, pages, rounds)
    print(", ".join(f"{name} {ratio:.2f}" for name, ratio in cores.items()))
    return {
        "cores": {name: round(ratio, 3) for name, ratio in cores.items()},
        "by_size": [vars_of(row) for row in by_size],
        "stages": [vars_of(row) for row in stages],
        "whole": [vars_of(row) for row in peers],
        "peak_memory_ratio": memory,
    }


def _by_size(method: MethodName, pages: list[str], rounds: int) -> list[Row]:
    """Measure Markdown and the base peer on pages of each size."""
    contenders = {
        name: contender
        for name, contender in (whole_of(method) | peers_of()).items()
        if name.endswith("markdown") or name == BASE
    }
    rows = []
    for least, most in pairwise(_SIZES_KB):
        of_size = [html for html in pages if least <= len(html) / 1e3 < most]
        if of_size:
            for row in _measure(contenders, of_size, rounds):
                name = f"{row.name}, {least} to {most} kB, {len(of_size)} pages"
                rows.append(replace(row, name=name))
    return rows


def _measure(contenders: dict[str, Contender], pages: list[str], rounds: int) -> list[Row]:
    best = {name: [float("inf")] * len(pages) for name in contenders}
    gc.disable()
    for _ in range(rounds):
        for index, html in enumerate(pages):
            for name, contender in contenders.items():
                best[name][index] = min(best[name][index], _time(contender, html))
        gc.collect()
    gc.enable()
    total_mb = sum(len(html) for html in pages) / 1e6
    return [
        Row(
            name,
            statistics.median(times) * 1e3,
            statistics.fmean(times) * 1e3,
            total_mb / sum(times),
        )
        for name, times in best.items()
    ]


def _time(contender: Contender, html: str) -> float:
    if isinstance(contender, InsideSteps):
        return contender.time(html)
    argument: Any = html
    run: Callable[[Any], object] = contender
    if isinstance(contender, Staged):
        argument, run = contender.prepare(html), contender.run
    start = time.process_time_ns()
    try:
        run(argument)
    except Exception as error:
        if not isinstance(contender, Staged) and "thresher" not in type(error).__module__:
            return (time.process_time_ns() - start) / 1e9
        raise
    return (time.process_time_ns() - start) / 1e9


def _print_table(title: str, rows: list[Row], peers: list[Row]) -> None:
    base = next((row.median_ms for row in peers if row.name == BASE), None)
    print(f"{title:50} {'median ms':>10} {'mean ms':>9} {'MB/s':>8} {'ratio':>7}")
    for row in rows:
        ratio = f"{row.median_ms / base:7.2f}" if base else "      –"
        print(
            f"{row.name:50} {row.median_ms:10.2f} {row.mean_ms:9.2f}"
            f" {row.megabytes_per_s:8.1f} {ratio}"
        )


def _peak_memory(method: MethodName, pages: list[str]) -> float:
    """Return the peak of memory taken during one extraction over the HTML's bytes, median.

    What Python, numpy and the parser allocate: tracemalloc sees all of it.
    """
    ratios = []
    for html in pages[:20]:
        source = html.encode()
        tracemalloc.start()
        _ = thresher.extract(source, method=method).markdown
        ratios.append(tracemalloc.get_traced_memory()[1] / len(source))
        tracemalloc.stop()
    return statistics.median(ratios)


def _versions() -> dict[str, str]:
    # Of what runs here, installed or not.
    versions = {"thresher": thresher.__version__}
    for package in ("turbohtml", "numpy", "resiliparse", "trafilatura"):
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return versions


if __name__ == "__main__":
    main()
