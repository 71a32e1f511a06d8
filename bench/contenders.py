"""Contenders of `bench.speed`: each stage of Thresher, the whole of it, and its peers.

The whole is also measured inside compiled steps alone, as the rest is Python and numpy, and with
more cores: pages a second of threads and of processes, over those of one thread. Processes of a
peer show what the machine leaves of a second core.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Any, Final, TypeVar
from unittest.mock import patch

import thresher
from bench.harness import make_resiliparse
from thresher.algorithms import MethodName
from thresher.algorithms.learned import SHIPPED_MODEL
from thresher.algorithms.learned.model import Inference, Model
from thresher.features import Features, compute_features
from thresher.native import kernels
from thresher.page import Page
from thresher.page.decode import decode
from thresher.page.parse import parse
from thresher.writers.formats import FormatName

Contender = Callable[[str], object]
_Source = TypeVar("_Source", str, bytes)
BASE: Final = "resiliparse"
"""Ratios are to this contender's median."""
_ONE_THREAD: Final = "one thread"
_PEER: Final = f"one thread of {BASE}"
_CHUNK_PAGES: Final = 4
"""Pages that a process is handed at once."""


class InsideSteps:
    """A contender of which only the compiled steps are timed."""

    def __init__(self, run: Callable[[str], object]) -> None:
        self._run = run

    def __call__(self, html: str) -> object:
        """Run it."""
        return self._run(html)

    def time(self, html: str) -> float:
        """Return the CPU seconds of all steps of one run; 0 if there are no compiled steps."""
        if kernels.steps is None:
            return 0.0
        clock = _Clock(kernels.steps)
        with patch.object(kernels, "steps", clock):
            self._run(html)
        return clock.spent_ns / 1e9


class _Clock:
    """Compiled steps that add up the time spent in them."""

    def __init__(self, steps: object) -> None:
        self._steps = steps
        self.spent_ns = 0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        step = getattr(self._steps, name)

        def run(*args: Any) -> Any:
            start = time.process_time_ns()
            result = step(*args)
            self.spent_ns += time.process_time_ns() - start
            return result

        setattr(self, name, run)
        return run


def stages_of(method: MethodName) -> dict[str, Contender]:
    """Return each stage as a contender; what comes before a stage is prepared untimed."""
    return {
        "decode": Staged(lambda html: html.encode(), decode),
        "parse": Staged(lambda html: html, parse),
        "views": Staged(parse, _touch_views),
        **_learned_stages(),
        "select, all of it": Staged(_seen_page, lambda page: thresher.select(page, method)),
        **{f"write {name}": Staged(_selected(method), _writer(name)) for name in thresher.FORMATS},
        "metadata": Staged(_selected(method), lambda document: document.metadata),
    }


def _learned_stages() -> dict[str, Contender]:
    """Return the stages of the default method; the choice of blocks is what is left of `select`."""
    model = Model.load(SHIPPED_MODEL)

    def measure(page: Page) -> Features:
        return compute_features(page, model.scale, with_words=model.reads_words)

    def read(html: str) -> Inference | None:
        page = _seen_page(html)
        return model.prepare(measure(page), 0) if len(page.blocks) else None

    return {
        "features": Staged(_seen_page, lambda page: measure(page) if len(page.blocks) else None),
        "network": Staged(read, lambda inference: inference.run() if inference else None),
    }


def _writer(name: FormatName) -> Callable[[thresher.Document], str]:
    return lambda document: document.write(name)


class Staged:
    """A contender whose preparation is not measured."""

    def __init__(self, prepare: Callable[[str], Any], run: Callable[[Any], object]) -> None:
        self.prepare = prepare
        self.run = run

    def __call__(self, html: str) -> object:
        """Prepare and run, untimed."""
        return self.run(self.prepare(html))


def _touch_views(page: Page) -> None:
    _ = (
        page.leaves,
        page.blocks,
        page.leaf_words,
        page.leaf_link_words,
        page.attributes,
        page.hidden,
    )


def _seen_page(html: str) -> Page:
    page = parse(html)
    _touch_views(page)
    return page


def _selected(method: MethodName) -> Callable[[str], thresher.Document]:
    def prepare(html: str) -> thresher.Document:
        page = _seen_page(html)
        return thresher.document_of(thresher.select(page, method))

    return prepare


def whole_of(method: MethodName) -> dict[str, Contender]:
    """Return extractions from HTML to a format, and what of them is spent in compiled steps."""

    def read_text(html: str) -> str:
        return thresher.extract(html, method=method).text

    def read_markdown(html: str) -> str:
        return thresher.extract(html, method=method).markdown

    return {
        f"thresher {method}, text": read_text,
        f"thresher {method}, text: compiled steps alone": InsideSteps(read_text),
        f"thresher {method}, markdown": read_markdown,
        f"thresher {method}, markdown: compiled steps alone": InsideSteps(read_markdown),
        "thresher keep_all, text": lambda html: thresher.extract(html, method="keep_all").text,
    }


def peers_of() -> dict[str, Contender]:
    """Return the peers that are installed."""
    import turbohtml

    peers: dict[str, Contender] = {
        "turbohtml parse only": lambda html: turbohtml.parse(html, positions=False),
        "turbohtml main_text": lambda html: turbohtml.parse(html, positions=False).main_text(),
    }
    try:
        peers[BASE] = make_resiliparse()
    except ImportError:
        print("resiliparse is not installed")
    try:
        import trafilatura

        peers["trafilatura fast"] = lambda html: trafilatura.extract(html, fast=True)
        peers["trafilatura"] = lambda html: trafilatura.extract(html)
    except ImportError:
        print("trafilatura is not installed")
    try:
        import readability

        peers["readability-lxml"] = lambda html: readability.Document(html).summary()
    except ImportError:
        print("readability-lxml is not installed")
    return peers


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
    return len(make_resiliparse()(html))


def _time(run: Callable[[], Iterable[int]]) -> float:
    start = time.perf_counter()
    list(run())
    return time.perf_counter() - start
