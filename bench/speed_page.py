"""The page of the docs that `bench.speed` writes, and the figures it is made of."""

from __future__ import annotations

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
        " is what Python, numpy and the parser allocate.\n",
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
        base = [row for row in figures["whole"] if row["name"] == BASE]
        unit = base[0]["median_ms"] if base else 1.0
        about = f"{figures['pages']} pages, mean {figures['kilobytes']} kB"
        parts.append(
            f"## {name}\n\n{about}; peak memory {figures['peak_memory_ratio']:.1f} × HTML.\n"
        )
        tables = (("stage", "stages"), ("HTML to result", "whole"), ("by size", "by_size"))
        for title, key in tables:
            rows = "\n".join(
                f"| {row['name']} | {row['median_ms'] / unit:.2f} | {row['mean_ms'] / unit:.2f} |"
                f" {row['megabytes_per_s']:.0f} |"
                for row in figures[key]
            )
            parts.append(f"| {title} | median | mean | MB/s |\n|---|---|---|---|\n{rows}\n")
        rows = "\n".join(f"| {way} | {ratio:.2f} |" for way, ratio in figures["cores"].items())
        parts.append(
            "| HTML to Markdown, wall-clock time | pages per second, relative to one thread |\n"
            f"|---|---|\n{rows}\n"
        )
    return "\n".join(parts)


def vars_of(row: Row) -> dict[str, Any]:
    """Return a row as a plain dict, rounded to what is worth keeping."""
    return {
        "name": row.name,
        "median_ms": round(row.median_ms, 3),
        "mean_ms": round(row.mean_ms, 3),
        "megabytes_per_s": round(row.megabytes_per_s, 1),
    }
