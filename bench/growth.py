"""How the cost of each part grows with the page, on pages made to hurt.

    python -m bench.growth [--shape NAME]… [--part NAME]… [--divide 1] [-o docs/growth.md]

Each shape of `bench.hostile` is built at a quarter, a half and the whole of its full size, and each
part (parsing, every algorithm, every writer, the metadata) is timed on each. Linear cost doubles
with the page: growth by more than `MAX_GROWTH` is a failure, and the command then exits with 1.
Processor time of one process, the fastest of several rounds; parts that take less than `FLOOR_S`
are not judged, for they are all start-up. A part that raises anything but Thresher's own errors is
a failure too.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final

import thresher
from bench.hostile import SHAPES
from thresher.errors import ThresherError

__all__ = ["MAX_GROWTH", "Growth", "main", "measure_shape"]

MAX_GROWTH: Final = 2.3
"""Times the cost, for a page twice as large."""
FLOOR_S: Final = 0.05
"""Seconds below which a growth is noise."""
_PARTS_OF_SIZE: Final = (4, 2, 1)
_ROUNDS: Final = 2
_RETRIES: Final = 3
"""Times more that a growth beyond the limit is measured, for other processes disturb."""


@dataclass(frozen=True, slots=True)
class Growth:
    """What one part costs on one shape."""

    shape: str
    part: str
    n_byte: int
    """Bytes of the page at full size."""
    seconds: float
    """Processor seconds at full size."""
    growth: float | None
    """Times the cost at half the size; None where that is too little to tell."""
    error: str | None = None

    @property
    def failed(self) -> bool:
        """Whether it breaks the promise."""
        return self.error is not None or (self.growth or 0) > MAX_GROWTH


Part = Callable[[], object]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shape", action="append", choices=SHAPES, help="default: all")
    parser.add_argument("--part", action="append", help="default: all")
    parser.add_argument("--divide", type=int, default=1, help="divide the full sizes by this")
    args = parser.parse_args()
    rows: list[Growth] = []
    for name in args.shape or SHAPES:
        for row in measure_shape(name, parts=args.part, divide=args.divide):
            rows.append(row)
            if row.failed:
                print(_line(row), flush=True)
        mine = [row for row in rows if row.shape == name]
        if not mine:
            continue
        slowest = max(mine, key=lambda row: row.seconds)
        worst = max(mine, key=lambda row: row.growth or 0)
        print(
            f"{name:28} {mine[0].n_byte / 1e6:6.1f} MB  slowest {slowest.part}"
            f" {slowest.seconds:.2f} s, most growth {worst.growth or 0:.2f} {worst.part}",
            flush=True,
        )
    failed = [row for row in rows if row.failed]
    print(f"{len(rows)} measured, {len(failed)} failed")
    sys.exit(1 if failed else 0)


def _line(row: Growth) -> str:
    growth = "–" if row.growth is None else f"{row.growth:.2f}"
    return f"FAILED {row.shape} | {row.part} | {row.seconds:.2f} s | {growth} | {row.error or ''}"


def measure_shape(
    name: str, *, parts: list[str] | None = None, divide: int = 1
) -> Iterator[Growth]:
    """Measure every part on one shape, at sizes of which each is twice the one before."""
    shape = SHAPES[name]
    pages = [shape.build(max(shape.full // divide // by, 1)) for by in _PARTS_OF_SIZE]
    try:
        prepared = [_parts(html) for html in pages]
    except ThresherError as error:
        print(f"refused: {name} | {error}")
        return
    n_byte = len(pages[-1].encode("utf-8", "surrogatepass"))
    for part in prepared[-1]:
        if parts is None or part in parts:
            yield _measure(name, part, [each[part] for each in prepared], n_byte)


def _measure(shape: str, part: str, runs: list[Part], n_byte: int) -> Growth:
    growth: float | None = None
    seconds = 0.0
    try:
        for _ in range(_RETRIES):
            times = [min(_time(run) for _ in range(_ROUNDS)) for run in runs]
            seconds = times[-1]
            # A cost that grows faster than the page does so in both doublings.
            steps = [b / a for a, b in pairwise(times) if a >= FLOOR_S]
            growth = min(steps) if steps else None
            if growth is None or growth <= MAX_GROWTH:
                break
    except ThresherError as error:
        print(f"refused: {shape} | {part} | {error}")
    except Exception as error:
        return Growth(shape, part, n_byte, seconds, growth, f"{type(error).__name__}: {error}")
    return Growth(shape, part, n_byte, seconds, growth)


def _time(run: Part) -> float:
    gc.collect()
    start = time.process_time()
    run()
    return time.process_time() - start


def _parts(html: str) -> dict[str, Part]:
    """Return what can be timed of a page; what comes before each is prepared, and not timed."""
    page = thresher.read_page(html)
    parts: dict[str, Part] = {"parse": lambda: thresher.read_page(html)}
    for method in thresher.ALGORITHMS:
        parts[f"select {method}"] = partial(_select, html, method)
    for format in thresher.FORMATS:
        parts[f"write {format}"] = partial(_write, page, format)
    parts["metadata"] = lambda: thresher.document_of(thresher.select(page, "keep_all")).metadata
    return parts


def _select(html: str, method: str) -> None:
    # A page of its own: views that are there already cost nothing.
    thresher.select(thresher.read_page(html), method)


def _write(page: thresher.Page, format: str) -> None:
    thresher.document_of(thresher.select(page, "keep_all")).write(format)


if __name__ == "__main__":
    main()
