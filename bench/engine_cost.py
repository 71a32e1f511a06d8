"""Processor time of a page on each engine, all processes together: start and pages apart.

    python -m bench.engine_cost INPUT… [--engine bare,batch] [--copies 3] [--turns 2] [-j 2]
        [--method NAME] [--text-alone]

Each engine (bare is the extraction itself, in one process; batch, spark, ray) writes the records of
the inputs, and of several copies of them: WARC archives, or for bare and batch any other input of
a batch. The difference divided by the pages is the cost of a page, and what is left that of the
start: of a JVM, a cluster, the workers. The engines take turns, and the least of each counts.
Requires Linux, and the extras of the engines.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import thresher
from bench.engine_jobs import ROOT, job_command, read_items
from bench.harness import cpu_of_children, make_parser

_BECOME_REAPER: Final = 36
"""`PR_SET_CHILD_SUBREAPER` of prctl(2)."""


class Cost(NamedTuple):
    """Seconds of processor time."""

    start_s: float
    page_s: float
    """Of one page."""


def processor_time_of(command: Sequence[str]) -> float:
    """Run a command; return the processor seconds of it and of all that it started.

    This process adopts what the command leaves behind, so that its time counts, too. Raises
    CalledProcessError where the command fails.
    """
    ctypes.CDLL(None).prctl(_BECOME_REAPER, 1, 0, 0, 0)
    start_s = cpu_of_children()
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    return cpu_of_children() - start_s


def split_cost(one_s: float, all_s: float, n_page: int, n_copy: int) -> Cost:
    """Return the cost of the start and of a page, from that of the inputs and of their copies."""
    page_s = (all_s - one_s) / (n_page * (n_copy - 1))
    return Cost(one_s - n_page * page_s, page_s)


def main() -> None:
    """Measure, and print a table."""
    parser = make_parser(__doc__)
    parser.add_argument("inputs", type=Path, nargs="+", metavar="INPUT")
    parser.add_argument("--engine", default="bare,batch", metavar="NAME,...")
    parser.add_argument("--copies", type=int, default=3)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--method", default=thresher.DEFAULT_METHOD)
    parser.add_argument("--text-alone", action="store_true", help="without metadata")
    args = parser.parse_args()
    engines = args.engine.split(",")
    options = ["-j", str(args.jobs), "--method", args.method, *["--text-alone"] * args.text_alone]
    n_page = sum(1 for _ in read_items(map(str, args.inputs)))
    least: dict[tuple[str, int], float] = {}
    with TemporaryDirectory() as folder:
        copies = []
        for number in range(args.copies):
            for place, path in enumerate(args.inputs):
                copies.append(f"{folder}/{number}-{place}-{path.name}")
                Path(copies[-1]).symlink_to(path.resolve())
        for turn in range(args.turns):
            for engine in engines:
                for n_copy in (1, args.copies):
                    out = f"{folder}/{engine}-{turn}-{n_copy}"
                    some = copies[: n_copy * len(args.inputs)]
                    time_s = processor_time_of(job_command(engine, out, some, *options))
                    key = engine, n_copy
                    least[key] = min(least.get(key, time_s), time_s)
                    print(f"{engine}, {n_copy} × the inputs: {time_s:.1f} s", flush=True)
    print(f"\n{n_page:,} pages in the inputs, the least of {args.turns} turns\n")
    print("| engine | start | a page | to the first |\n|---|---:|---:|---:|")
    costs = {
        engine: split_cost(least[engine, 1], least[engine, args.copies], n_page, args.copies)
        for engine in engines
    }
    for engine, cost in costs.items():
        ratio = cost.page_s / costs[engines[0]].page_s
        print(f"| {engine} | {cost.start_s:.1f} s | {cost.page_s * 1e3:.2f} ms | {ratio:.2f} |")


if __name__ == "__main__":
    main()
