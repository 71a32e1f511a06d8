"""Cost of a batch beyond the extraction itself: pages a second, by turns.

    python -m bench.batch INPUT… [--pages 400] [--turns 3] [-j 1] [--method NAME] [--text-alone]

The same pages of WARC archives, or of any other input of a batch, go through the bare engine in
this process, and through `thresher batch` with worker processes into Parquet. The two take turns,
so that whatever else the machine does hits both; the best turn of each counts. Seconds of processor
time, of all processes together, tell more than the clock where other work shares the machine.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import thresher
from thresher.batch.guard import Guard
from thresher.batch.model import Item, Settings
from thresher.batch.reporting import ProgressLines
from thresher.batch.run import Job, run_batch
from thresher.batch.sources import SOURCES
from thresher.batch.sources.base import Place, ReadOptions, SourceTally
from thresher.batch.sources.plan import find_places
from thresher.batch.work import extract_item


def read_items(places: Iterable[Place]) -> Iterator[Item]:
    """Yield the pages of sources."""
    for place in places:
        read = SOURCES[place.kind].read
        entries = read(place, ReadOptions(), SourceTally(), lambda position: False)
        yield from (entry for _, entry in entries if isinstance(entry, Item))


class Cost(NamedTuple):
    """Mean cost of a page."""

    clock_s: float
    processor_s: float

    @classmethod
    def now(cls) -> Cost:
        """Return the clock, and the processor time of this process and those that it has ended."""
        # `os.times` counts in steps of 10 ms, more than a few pages take.
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        of_all = time.process_time() + ended.ru_utime + ended.ru_stime
        return cls(time.perf_counter(), of_all)

    def since(self, start: Cost, n_page: int) -> Cost:
        """Return what each of some pages has cost from then to now."""
        return Cost(*((here - there) / n_page for here, there in zip(self, start, strict=True)))


def time_bare(items: Sequence[Item], settings: Settings) -> Cost:
    """Return the cost of extracting pages in this process."""
    start = Cost.now()
    for item in items:
        extract_item(item, settings)
    return Cost.now().since(start, len(items))


def time_batch(places: Sequence[Place], settings: Settings, n_worker: int, n_page: int) -> Cost:
    """Return the cost of a batch, with the start of its processes and the writing of its parts."""
    start = Cost.now()
    with TemporaryDirectory() as folder:
        account = run_batch(
            Job(Path(folder) / "out", "parquet", settings, n_worker=n_worker),
            lambda: places,
            lambda settings, n_worker: Guard(settings, n_worker=n_worker),
            ProgressLines(lambda line: None),
        )
    if not (account.is_whole and n_page == account.n_record):
        raise RuntimeError(f"{n_page} pages in, {account.n_record} records out")
    return Cost.now().since(start, n_page)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inputs", nargs="+", metavar="INPUT")
    parser.add_argument("--pages", type=int, help="only so many pages for the bare engine")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--method", default=thresher.DEFAULT_METHOD)
    parser.add_argument("--text-alone", action="store_true", help="without metadata")
    args = parser.parse_args()
    settings = Settings(method=args.method, metadata=not args.text_alone)
    places = list(find_places(args.inputs))
    n_page = sum(1 for _ in read_items(places))
    items = list(islice(read_items(places), args.pages))
    extract_item(items[0], settings)
    bare, batch = [], []
    for _ in range(args.turns):
        bare.append(time_bare(items, settings))
        batch.append(time_batch(places, settings, args.jobs, n_page))
        print(f"bare {describe(bare[-1])}; batch {describe(batch[-1])}", flush=True)
    print(f"{n_page:,} pages, {args.jobs} workers, best of {args.turns} turns")
    best_bare, best_batch = (
        Cost(*map(min, zip(*bare, strict=True))),
        Cost(*map(min, zip(*batch, strict=True))),
    )
    print(f"by the clock, batch is {best_bare.clock_s / best_batch.clock_s:.2f} times as fast")
    more = best_batch.processor_s / best_bare.processor_s
    print(f"of processor time, batch takes {more:.2f} times as much")


def describe(cost: Cost) -> str:
    """Spell a cost."""
    return f"{1 / cost.clock_s:.1f} pages/s, {cost.processor_s * 1000:.1f} ms of processor a page"


if __name__ == "__main__":
    main()
