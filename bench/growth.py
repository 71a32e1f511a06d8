"""How the cost of each part grows with the page, on pages made to hurt.

    python -m bench.growth [--shape NAME]… [--part NAME]… [--max-seconds 1] [--divide 1] [-o FILE]

Each part (parsing, every algorithm, every writer, the metadata, threads, chunks …) is timed on
each shape of `tests.helpers.hostile`, at a 64th of its full size and then at twice the size, again
and again, until it is the full size or would take more than ``--max-seconds``: so a cost that grows
too fast is seen early and ends early. Linear cost doubles with the page: growth by more than
`MAX_GROWTH` in the last doublings is a failure, and the command then exits with 1. Processor time;
what takes less than `FLOOR_S` is not judged, for it is all start-up. A part that raises anything
but Thresher's own errors is a failure too. ``-o`` writes a table of the most growth of each part.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Final

import thresher
from bench.harness import cpu_seconds, make_parser
from tests.helpers.hostile import SHAPES
from thresher.algorithms import MethodName
from thresher.analysis.embedded import complete
from thresher.analysis.obstacles import find_obstacle
from thresher.analysis.pagination import find_next_url
from thresher.errors import ThresherError
from thresher.writers.formats import FormatName

MAX_GROWTH: Final = 2.3
"""Times the cost, for a page twice as large."""
FLOOR_S: Final = 0.05
"""Seconds below which a growth is noise."""
_SIZES: Final = (64, 32, 16, 8, 4, 2, 1)
"""By what the full size is divided."""
_LAST: Final = 3
"""Sizes that the growth is judged by."""
_RETRIES: Final = 3
"""Times that a growth beyond the limit is measured again, for other processes disturb."""
_URL: Final = "https://site.example/news/1?page=1"


@dataclass(frozen=True, slots=True)
class Growth:
    """Cost of one part on one shape."""

    shape: str
    part: str
    n_byte: int
    """Bytes of the largest page it was timed on."""
    seconds: float
    """Processor seconds for that page."""
    growth: float | None
    """Times the cost at half the size; None where that is too little to tell."""
    error: str | None = None
    full: bool = True
    """Whether that page was of the full size."""

    @property
    def failed(self) -> bool:
        """Whether it breaks the promise."""
        return self.error is not None or (self.growth or 0) > MAX_GROWTH


class _Page:
    """A page of one size, parsed, with all of it kept."""

    def __init__(self, shape: str, size: int) -> None:
        self.shape = shape
        self.html = SHAPES[shape].build(size)

    @cached_property
    def page(self) -> thresher.Page:
        return thresher.read_page(self.html, url=_URL)

    @cached_property
    def selection(self) -> thresher.Selection:
        return thresher.select(self.page, "keep_all")

    @property
    def document(self) -> thresher.Document:
        """A document that has not been asked for anything."""
        return thresher.document_of(self.selection)

    @property
    def fresh(self) -> thresher.Page:
        """The page with no view computed: those that are there already cost nothing."""
        return replace(self.page)


Part = Callable[[_Page], object]


def _select(method: MethodName, it: _Page) -> None:
    thresher.select(it.fresh, method)


def _write(format: FormatName, it: _Page) -> None:
    it.document.write(format)


PARTS: Final[Mapping[str, Part]] = {
    "parse": lambda it: thresher.read_page(it.html),
    **{f"select {method}": partial(_select, method) for method in thresher.ALGORITHMS},
    **{f"write {format}": partial(_write, format) for format in thresher.FORMATS},
    "metadata": lambda it: it.document.metadata,
    "blocks": lambda it: thresher.document_of(thresher.select(it.fresh, "keep_all")).blocks,
    "threads": lambda it: it.document.threads,
    "chunks": lambda it: it.document.chunks(),
    "outline": lambda it: it.document.outline,
    "removed links": lambda it: it.document.removed_links,
    "next page": lambda it: find_next_url(it.fresh),
    "obstacle": lambda it: find_obstacle(it.fresh),
    "complete": lambda it: complete(replace(it.selection, page=it.fresh)),
    "limited output": lambda it: it.document.write(
        "markdown", thresher.WriteOptions(max_chars=max(len(it.html) // 4, 100))
    ),
}
"""Timed parts, as functions of a prepared page."""


def main() -> None:
    """Measure and print."""
    parser = make_parser(__doc__)
    parser.add_argument("--shape", action="append", choices=SHAPES, help="default: all")
    parser.add_argument("--part", action="append", choices=PARTS, help="default: all")
    parser.add_argument("--divide", type=int, default=1, help="divide the full sizes by this")
    parser.add_argument("--max-seconds", type=float, default=1.0, help="of one part on one page")
    parser.add_argument("-o", "--output", type=Path, help="write a table of the parts here")
    args = parser.parse_args()
    rows: list[Growth] = []
    for name in args.shape or SHAPES:
        mine = []
        for row in measure_shape(
            name, parts=args.part, divide=args.divide, max_seconds=args.max_seconds
        ):
            mine.append(row)
            if row.failed:
                print(_line(row), flush=True)
        if mine:
            slowest = max(mine, key=_seconds_a_byte)
            worst = max(mine, key=_growth)
            print(
                f"{name:28} {max(row.n_byte for row in mine) / 1e6:5.1f} MB  slowest"
                f" {slowest.part} {_seconds_a_byte(slowest) * 1e6:.2f} s a MB,"
                f" most growth {_growth(worst):.2f} {worst.part}",
                flush=True,
            )
        rows += mine
    failed = [row for row in rows if row.failed]
    full = sum(row.full for row in rows)
    print(f"{len(rows)} measured, {full} of them up to the full size, {len(failed)} failed")
    if args.output:
        args.output.write_text(_table(rows), encoding="utf-8")
    sys.exit(1 if failed else 0)


def _growth(row: Growth) -> float:
    return row.growth or 0


def _seconds_a_byte(row: Growth) -> float:
    return row.seconds / row.n_byte if row.n_byte else 0


def _line(row: Growth) -> str:
    growth = "–" if row.growth is None else f"{row.growth:.2f}"
    return f"FAILED {row.shape} | {row.part} | {row.seconds:.2f} s | {growth} | {row.error or ''}"


def _table(rows: Sequence[Growth]) -> str:
    lines = [
        "| part | judged on | most growth | on | highest cost | on |",
        "|---|--:|--:|---|--:|---|",
    ]
    for part in dict.fromkeys(row.part for row in rows):
        mine = [row for row in rows if row.part == part]
        judged = [row for row in mine if row.growth is not None]
        worst = max(judged, key=_growth, default=None)
        slowest = max(mine, key=_seconds_a_byte)
        most = f"{_growth(worst):.2f} | {worst.shape}" if worst else "– | –"
        cost = f"{_seconds_a_byte(slowest) * 1e6:.2f} s a MB | {slowest.shape}"
        lines.append(f"| {part} | {len(judged)} shapes | {most} | {cost} |")
    return "\n".join(lines) + "\n"


def measure_shape(
    name: str, *, parts: list[str] | None = None, divide: int = 1, max_seconds: float = 1.0
) -> Iterator[Growth]:
    """Measure every part on one shape, at sizes of which each is twice the one before."""
    full = max(SHAPES[name].full // divide, 1)
    pages = {size: _Page(name, size) for size in sorted({max(full // by, 1) for by in _SIZES})}
    for part in PARTS:
        if parts is None or part in parts:
            yield _measure(part, pages, max_seconds)


def _measure(part: str, pages: Mapping[int, _Page], max_seconds: float) -> Growth:
    times: dict[int, float] = {}
    last = min(pages)
    growth: float | None = None
    error: str | None = None
    try:
        for size, page in pages.items():
            last = size
            times[size] = _time(partial(PARTS[part], page))
            if 2 * times[size] > max_seconds:
                break
        growth = _growth_of(times)
        for _ in range(_RETRIES):
            if growth is None or growth <= MAX_GROWTH:
                break
            for size in sorted(times)[-_LAST:]:
                times[size] = min(times[size], _time(partial(PARTS[part], pages[size])))
            growth = _growth_of(times)
    except ThresherError as refusal:
        print(f"refused: {pages[last].shape} | {part} | {refusal}")
    except Exception as other:
        error = f"{type(other).__name__}: {other}"
    page = pages[last]
    n_byte = len(page.html.encode("utf-8", "surrogatepass"))
    is_full = last == max(pages)
    return Growth(page.shape, part, n_byte, times.get(last, 0.0), growth, error, is_full)


def _growth_of(times: Mapping[int, float]) -> float | None:
    """Return the lesser growth of the last doublings: a cost that grows too fast does so in all."""
    last = [times[size] for size in sorted(times)[-_LAST:]]
    return min((b / a for a, b in pairwise(last) if a >= FLOOR_S), default=None)


def _time(run: Callable[[], object]) -> float:
    gc.collect()
    return cpu_seconds(run)


if __name__ == "__main__":
    gc.collect()
    gc.freeze()  # what is there before any page need not be looked at again
    main()
