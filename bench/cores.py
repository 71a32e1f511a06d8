"""Gain from more cores: pages a second of threads and of processes, over those of one thread."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import thresher

__all__ = ["measure_cores"]

_CHUNK_PAGES = 4
"""Pages that a process is handed at once."""


def measure_cores(method: str, pages: Sequence[str], rounds: int) -> dict[str, float]:
    """Measure HTML to Markdown by the clock, the ways in turn; the fastest round of each counts."""
    n_core = os.cpu_count() or 1
    work = partial(_write, method)
    sources = [html.encode("utf-8", "replace") for html in pages]
    with (
        ThreadPoolExecutor(n_core) as threads,
        ProcessPoolExecutor(n_core, get_context("spawn")) as processes,
    ):
        ways: dict[str, Callable[[], Iterable[int]]] = {
            "one thread": partial(map, work, sources),
            f"{n_core} threads": partial(threads.map, work, sources),
            f"{n_core} processes": partial(_map_chunks, processes, work, sources),
        }
        for run in ways.values():  # the processes start and import with the first pages
            list(run())
        seconds = {
            name: min(_time(run) for _ in range(max(rounds, 1))) for name, run in ways.items()
        }
    alone = seconds["one thread"]
    return {name: alone / taken for name, taken in seconds.items()}


def _map_chunks(
    pool: Executor, work: Callable[[bytes], int], sources: Sequence[bytes]
) -> Iterable[int]:
    return pool.map(work, sources, chunksize=_CHUNK_PAGES)


def _write(method: str, source: bytes) -> int:
    return len(thresher.extract(source, method=method).markdown)


def _time(run: Callable[[], Iterable[int]]) -> float:
    """Return the seconds of one run."""
    start = time.perf_counter()
    list(run())
    return time.perf_counter() - start
