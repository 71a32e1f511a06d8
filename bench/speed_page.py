"""The page of the docs that `bench.speed` writes, and the figures it is made of."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any, Final

from bench.startup import write_table

__all__ = ["BASE", "Row", "vars_of", "write_page"]

BASE: Final = "resiliparse"
"""Ratios are to this contender's median."""


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
    """Write one row of a table, of its figures in all runs."""
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
