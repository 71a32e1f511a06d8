"""Processor time of a page on each engine, all processes together: start and pages apart.

    python -m bench.engine_cost ARCHIVE [--engine batch,spark,ray] [--copies 3] [--turns 2] [-j 2]

Each engine writes the records of one WARC archive, and of several copies of it. The difference
divided by the pages is the cost of a page, and what is left that of the start: of a JVM, a cluster,
the workers. The engines take turns, and the least of each counts. Requires Linux, and the extras of
the engines.
"""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from bench.batch import read_items
from bench.engine_jobs import ENGINES, ROOT, job_command
from bench.harness import make_parser
from thresher.batch.sources.plan import find_places

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
    start_s = _time_of_ended()
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    return _time_of_ended() - start_s


def _time_of_ended() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


def split_cost(one_s: float, all_s: float, n_page: int, n_copy: int) -> Cost:
    """Return the cost of the start and of a page, from that of one archive and of its copies."""
    page_s = (all_s - one_s) / (n_page * (n_copy - 1))
    return Cost(one_s - n_page * page_s, page_s)


def main() -> None:
    """Measure, and print a table."""
    parser = make_parser(__doc__)
    parser.add_argument("archive", type=Path, metavar="ARCHIVE")
    parser.add_argument("--engine", default=",".join(ENGINES), metavar="NAME,...")
    parser.add_argument("--copies", type=int, default=3)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    args = parser.parse_args()
    engines = args.engine.split(",")
    n_page = sum(1 for _ in read_items(find_places([str(args.archive)])))
    least: dict[tuple[str, int], float] = {}
    with TemporaryDirectory() as folder:
        copies = [Path(folder) / f"{number}-{args.archive.name}" for number in range(args.copies)]
        for copy in copies:
            copy.symlink_to(args.archive.resolve())
        for turn in range(args.turns):
            for engine in engines:
                for some in (copies[:1], copies):
                    out = f"{folder}/{engine}-{turn}-{len(some)}"
                    command = job_command(engine, out, [*map(str, some)], "-j", str(args.jobs))
                    time_s = processor_time_of(command)
                    key = engine, len(some)
                    least[key] = min(least.get(key, time_s), time_s)
                    print(f"{engine}, {len(some)} archives: {time_s:.1f} s", flush=True)
    print(f"\n{n_page:,} pages an archive, the least of {args.turns} turns\n")
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
