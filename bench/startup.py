"""Cost of starting: importing Thresher, and the command, each in a new process.

    python -m bench.startup [--rounds 20]

The processes take turns, so that noise hits all alike; the first round, which leaves the bytecode
behind, does not count. The table has medians, and what each takes beyond `import numpy`, which
every extraction needs. On a shared machine CPU time (user and system) says more than the clock.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from bench.harness import cpu_of_children, make_parser
from thresher.evaluation.command import write_table

_ROOT: Final = Path(__file__).parents[1]
_PAGE: Final = "examples/harbour.html"
BASE: Final = "import numpy"
"""The start that the others are compared with."""
STARTS: Final[Mapping[str, Sequence[str]]] = {
    "bare interpreter": ("-c", "pass"),
    BASE: ("-c", "import numpy"),
    "import turbohtml": ("-c", "import turbohtml"),
    "import thresher": ("-c", "import thresher"),
    "thresher extract page.html": ("-m", "thresher", "extract", _PAGE),
    "thresher --version": ("-m", "thresher", "--version"),
    "thresher extract --help": ("-m", "thresher", "extract", "--help"),
}
"""Name → arguments of the interpreter."""


class Start(NamedTuple):
    """The median cost of one process."""

    name: str
    wall_ms: float
    cpu_ms: float


def main() -> None:
    """Measure and print."""
    parser = make_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="times each process is started")
    print(write_starts(measure_starts(STARTS, parser.parse_args().rounds)))


def measure_starts(starts: Mapping[str, Sequence[str]], rounds: int) -> list[Start]:
    """Start each process once a round, in turn, and return the medians."""
    # As it is installed: with its bytecode.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    costs: dict[str, list[tuple[float, float]]] = {name: [] for name in starts}
    for count in range(rounds + 1):
        for name, arguments in starts.items():
            cost = _start(arguments, environment)
            if count:
                costs[name].append(cost)
    return [
        Start(name, median(wall for wall, _ in runs), median(cpu for _, cpu in runs))
        for name, runs in costs.items()
    ]


def write_starts(starts: Sequence[Start]) -> str:
    """Write the figures as a table, Markdown."""
    base = next(start for start in starts if start.name == BASE)
    rows = (
        [f"`{name}`", *(f"{ms:.0f}" for ms in (wall, cpu, wall - base.wall_ms, cpu - base.cpu_ms))]
        for name, wall, cpu in starts
    )
    beyond = (f"{clock} beyond `{BASE}`" for clock in ("clock", "CPU"))
    return write_table(("start, ms", "clock", "CPU", *beyond), rows)


def _start(arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[float, float]:
    cpu_before, start = cpu_of_children(), time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=_ROOT,
        env=environment,
    )
    return (time.perf_counter() - start) * 1e3, (cpu_of_children() - cpu_before) * 1e3


if __name__ == "__main__":
    main()
