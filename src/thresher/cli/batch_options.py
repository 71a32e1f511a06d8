"""Options of `thresher batch`."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Final

from thresher.batch.model import DEADLINE_S, FORMATS
from thresher.batch.sinks import SINKS
from thresher.batch.sources.plan import KINDS
from thresher.cli.options import (
    add_choice,
    add_count,
    add_flag,
    add_limits,
    add_list,
    add_path,
    add_rules,
    add_sites_folder,
    read_count,
)

READ_AGAIN: Final = "again"
_REFUSE: Final = "refuse"

_MAX_MEMORY_MIB: Final = 4096
"""MiB of memory of a worker: ten times what the largest pages took (docs/reliability.md)."""


def add_batch(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher batch`."""
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="a file, a folder, a pattern, or - for standard input, of which a copy is kept in the "
        "output folder until the batch is complete",
    )
    add_path(parser, "-o", "--output", help="output folder", required=True, metavar="DIR")
    _add_inputs(parser)
    _add_output(parser)
    _add_work(parser)
    add_choice(parser)
    add_rules(parser)
    limits = parser.add_argument_group("limits")
    add_limits(limits, deadline_s=DEADLINE_S)
    limits.add_argument(
        "--max-memory",
        type=read_count,
        default=_MAX_MEMORY_MIB,
        metavar="MIB",
        help="memory of a worker process; a page that needs more fails (default: %(default)s)",
    )


def _add_inputs(parser: ArgumentParser) -> None:
    inputs = parser.add_argument_group("input")
    inputs.add_argument(
        "--from",
        dest="kind",
        choices=KINDS,
        metavar="KIND",
        help=f"type of every input, one of {', '.join(KINDS)}; paths are lists of files (default: "
        "detected from names and first bytes)",
    )
    add_list(
        inputs,
        "--column",
        help="column of JSON Lines or Parquet for id, html, url or charset; may be repeated",
        metavar="NAME=COLUMN",
    )
    add_flag(
        inputs, "--allow-private", help="also fetch pages from this machine and private networks"
    )


def _add_output(parser: ArgumentParser) -> None:
    output = parser.add_argument_group("output")
    output.add_argument(
        "--format",
        choices=tuple(SINKS),
        default=next(iter(SINKS)),
        metavar="FORMAT",
        help=f"one of {', '.join(SINKS)} (default: %(default)s)",
    )
    output.add_argument(
        "--content",
        metavar="NAME,...",
        help=f"formats of the content, some of {', '.join(FORMATS)}, one column each (default: "
        "text; markdown for --format markdown)",
    )
    output.add_argument(
        "--no-metadata",
        dest="metadata",
        action="store_false",
        help="omit title, authors, dates and other metadata",
    )
    add_flag(
        output,
        "--dedupe",
        help="mark pages with the same or nearly the same text as an earlier page",
    )
    add_flag(
        output,
        "--repeats",
        help="count the blocks of each page that occur on many pages of its host",
    )
    add_list(
        output,
        "--known",
        help="Parquet file or folder of an earlier batch, whose pages (the same bytes) are not "
        "extracted again, and marked; may be repeated",
        metavar="RECORDS",
    )
    add_count(
        output, "--per-part", help="maximum pages per file or folder of the output (default: 5000)"
    )
    add_path(output, "--stats", help="write the counts of the summary to this file as JSON")


def _add_work(parser: ArgumentParser) -> None:
    work = parser.add_argument_group("processing")
    add_count(
        work,
        "-j",
        "--jobs",
        help="worker processes (default: one per processor, here %(default)s)",
        default=_count_processors(),
    )
    add_sites_folder(work)
    add_flag(
        work,
        "--resume",
        help="continue the batch in the output folder, or start one if there is none",
    )
    add_flag(
        work,
        "--only-errors",
        help="resume, and do the pages with an error again, with other limits if some are given",
    )
    work.add_argument(
        "--changed",
        choices=(_REFUSE, READ_AGAIN),
        default=_REFUSE,
        metavar="HOW",
        help=f"on resuming, a source that has changed since its first pages were read: {_REFUSE}, "
        f"or read it {READ_AGAIN} and replace their records (default: %(default)s)",
    )


def _count_processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
