"""How late a deadline is kept, on pages made to hurt.

    python -m bench.late [--shape NAME]… [--deadline 0.5] [--divide 1] [--max-bytes N] [-o FILE]
    python -m bench.late --at-limit [--stage NAME]…

Every shape of `tests.helpers.hostile` is extracted under a deadline, and what is there at the end
is then asked for Markdown, JSON, metadata, threads and so on, each under the same deadline. The
work looks at the clock itself, so it stops late: printed is by how much, the worst first. That
depends on where the deadline falls, so the clock is the processor's (other work on the machine
disturbs it little), and a stage counts as late as its longest stretch between two looks at it, or
by its end, whichever is more. Exits with 1 where anything but a LimitError is raised, or where
something is later than ``--max-late`` seconds. ``--max-bytes`` makes larger shapes smaller.

``--at-limit`` makes every shape as large as the default limits of an extraction accept: an hour for
all of it, so ``--stage`` names the stages that are measured. That a page which is just beyond the
limits is refused in time is measured too.
"""

from __future__ import annotations

import gc
import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple
from unittest.mock import patch

import thresher
import thresher.deadline
from bench.harness import make_parser
from tests.helpers.hostile import SHAPES
from thresher.algorithms import MethodName
from thresher.deadline import deadline
from thresher.errors import ThresherError
from thresher.limits import MAX_BYTES
from thresher.writers.formats import FormatName


class _Clock:
    """Stands for the module `time`: processor time, and the longest stretch between two looks."""

    def __init__(self) -> None:
        self.last_s = time.thread_time()
        self.longest_s = 0.0

    def monotonic(self) -> float:
        """Return the processor time of this thread."""
        now = time.thread_time()
        self.longest_s = max(self.longest_s, now - self.last_s)
        self.last_s = now
        return now


def _write(format: FormatName, document: thresher.Document) -> None:
    document.write(format)


STAGES: Final[Mapping[str, Callable[[thresher.Document], object]]] = {
    **{f"write {format}": partial(_write, format) for format in thresher.FORMATS},
    "metadata": lambda it: it.metadata,
    "blocks": lambda it: it.blocks,
    "threads": lambda it: it.threads,
    "chunks": lambda it: it.chunks(),
    "outline": lambda it: it.outline,
    "removed links": lambda it: it.removed_links,
    "next page": lambda it: it.next_url,
    "verdict": lambda it: it.verdict,
}
"""Outputs that are asked of a document."""
_ROUNDS: Final = 3
"""Times that what is late is measured, of which the best counts: other processes disturb caches."""
_CLEAR_S: Final = 0.3
"""Seconds late that are not measured again."""
_URL: Final = "https://site.example/news/1?page=1"


class Late(NamedTuple):
    """How one stage kept its deadline on one shape."""

    late_s: float
    """Seconds of processor time that it can end behind a deadline."""
    shape: str
    stage: str
    error: str | None
    """Exception that is not one of Thresher's errors."""


def main() -> None:
    """Measure and print."""
    parser = make_parser(__doc__)
    parser.add_argument("--shape", action="append", choices=SHAPES, help="default: all")
    parser.add_argument("--deadline", type=float, default=0.5, metavar="SECONDS")
    parser.add_argument("--max-late", type=float, default=0.5, metavar="SECONDS")
    parser.add_argument("--divide", type=int, default=1, help="divide the full sizes by this")
    parser.add_argument("--max-bytes", type=int, default=5_000_000, help="of a page")
    parser.add_argument("--at-limit", action="store_true", help="as large as the default limits")
    parser.add_argument("--stage", action="append", metavar="NAME", help="default: all")
    parser.add_argument("-o", "--output", type=Path, help="write a table of the stages here")
    args = parser.parse_args()
    rows: list[Late] = []
    for name in args.shape or SHAPES:
        mine = list(
            measure_shape(
                name,
                deadline_s=args.deadline,
                divide=args.divide,
                max_bytes=args.max_bytes,
                at_limit=args.at_limit,
                stages=args.stage,
            )
        )
        if not mine:
            continue
        worst = max(mine)
        print(f"{name:28} {worst.late_s:6.2f} s late: {worst.stage}", flush=True)
        rows += mine
    failed = [row for row in rows if row.error or row.late_s > args.max_late]
    for row in sorted(failed, reverse=True):
        print(f"FAILED {row.shape} | {row.stage} | {row.late_s:.2f} s late | {row.error or ''}")
    print(f"{len(rows)} measured, {len(failed)} failed")
    if args.output:
        args.output.write_text(_table(rows), encoding="utf-8")
    sys.exit(1 if failed else 0)


def _table(rows: list[Late]) -> str:
    worst = {row.stage: row for row in sorted(rows)}
    lines = ["| stage | seconds late | on |", "|---|--:|---|"]
    lines += [
        f"| {row.stage} | {max(row.late_s, 0):.2f} | {row.shape} |"
        for row in sorted(worst.values(), reverse=True)
    ]
    return "\n".join(lines) + "\n"


def measure_shape(
    name: str,
    *,
    deadline_s: float = 0.5,
    divide: int = 1,
    max_bytes: int = 5_000_000,
    at_limit: bool = False,
    stages: list[str] | None = None,
) -> Iterator[Late]:
    """Extract one shape, run every method and ask for every output, each under a deadline.

    The outputs are of the page with all of it kept, for that is the most work.
    """
    size = SHAPES[name].full // divide
    if at_limit:
        size *= MAX_BYTES // len(SHAPES[name].build(max(size // 100, 1))) // 100 + 1
        max_bytes = MAX_BYTES
    while True:
        html = _build(name, max(size, 1), max_bytes)
        if not stages or "extract" in stages:
            run = partial(thresher.extract, html, url=_URL, deadline_s=deadline_s)
            yield _measure(name, "extract", run, deadline_s)
        try:
            page = thresher.read_page(html, url=_URL)
        except ThresherError:
            if not at_limit or size < 1:
                return
            size //= 2  # what is beyond the limits is followed by what they accept
        else:
            break
    for method in thresher.ALGORITHMS:
        if not stages or f"select {method}" in stages:
            yield _measure(name, f"select {method}", partial(_select, page, method), deadline_s)
    selection = thresher.select(page, "keep_all")
    for stage, ask in STAGES.items():
        if not stages or stage in stages:
            yield _measure(name, stage, partial(_ask, ask, selection), deadline_s)


def _build(name: str, size: int, max_bytes: int) -> str:
    while (n_byte := len((html := SHAPES[name].build(size)).encode(errors="replace"))) > max_bytes:
        size = int(size * max_bytes / n_byte * 0.98)
    return html


def _ask(ask: Callable[[thresher.Document], object], selection: thresher.Selection) -> None:
    # A page with no view computed is the most work too.
    ask(thresher.document_of(replace(selection, page=replace(selection.page))))


def _select(page: thresher.Page, method: MethodName) -> None:
    thresher.select(replace(page), method)


def _measure(shape: str, stage: str, run: Callable[[], object], deadline_s: float) -> Late:
    late_s = math.inf
    error: str | None = None
    for _ in range(_ROUNDS):
        gc.collect()
        clock = _Clock()
        start = time.thread_time()
        with patch.object(thresher.deadline, "time", clock):
            try:
                with deadline(deadline_s):
                    run()
            except ThresherError:
                pass
            except Exception as other:
                error = f"{type(other).__name__}: {other}"
            behind_s = clock.monotonic() - start - deadline_s
        late_s = min(late_s, max(behind_s, clock.longest_s))
        if late_s < _CLEAR_S:
            break
    return Late(late_s, shape, stage, error)


if __name__ == "__main__":
    main()
