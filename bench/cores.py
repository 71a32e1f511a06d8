"""Gain from more cores: pages a second of threads and of processes, over those of one thread.

Processes of a peer show what the machine leaves of a second core.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Final, TypeVar

import thresher
from bench.speed_page import BASE
from thresher.algorithms import MethodName

__all__ = ["measure_cores"]

_Source = TypeVar("_Source", str, bytes)

_ONE_THREAD: Final = "one thread"
_PEER: Final = f"one thread of {BASE}"
_CHUNK_PAGES: Final = 4
"""Pages that a process is handed at once."""


def measure_cores(method: MethodName, pages: Sequence[str], rounds: int) -> dict[str, float]:
    """Measure HTML to Markdown by the clock, the ways in turn; the fastest round of each counts.

    A peer's processes are compared with its own single thread.
    """
    n_core = os.cpu_count() or 1
    work = partial(_write, method)
    sources = [html.encode("utf-8", "replace") for html in pages]
    with (
        ThreadPoolExecutor(n_core) as threads,
        ProcessPoolExecutor(n_core, get_context("spawn")) as processes,
    ):
        ways: dict[str, Callable[[], Iterable[int]]] = {
            _ONE_THREAD: partial(map, work, sources),
            f"{n_core} threads": partial(threads.map, work, sources),
            f"{n_core} processes": partial(_map_chunks, processes, work, sources),
        }
        if find_spec(BASE):
            ways |= {
                _PEER: partial(map, _run_peer, pages),
                f"{n_core} processes of {BASE}": partial(_map_chunks, processes, _run_peer, pages),
            }
        for run in ways.values():  # the processes start and import with the first pages
            list(run())
        seconds = {
            name: min(_time(run) for _ in range(max(rounds, 1))) for name, run in ways.items()
        }
    ratios = {
        name: seconds[_PEER if BASE in name else _ONE_THREAD] / taken
        for name, taken in seconds.items()
    }
    ratios.pop(_PEER, None)
    return ratios


def _map_chunks(
    pool: Executor, work: Callable[[_Source], int], sources: Sequence[_Source]
) -> Iterable[int]:
    return pool.map(work, sources, chunksize=_CHUNK_PAGES)


def _write(method: MethodName, source: bytes) -> int:
    return len(thresher.extract(source, method=method).markdown)


def _run_peer(html: str) -> int:
    from resiliparse.extract.html2text import extract_plain_text

    return len(extract_plain_text(html, main_content=True))


def _time(run: Callable[[], Iterable[int]]) -> float:
    """Return the seconds of one run."""
    start = time.perf_counter()
    list(run())
    return time.perf_counter() - start
