"""Contenders of `bench.speed`: Thresher from bytes to each output, its stages, and its peers.

Stages show where the time of an extraction goes; what comes before one is prepared untimed. Cores
are measured by the clock: pages a second of threads and of processes, over those of one thread.
Processes of a peer show what the machine leaves of a second core.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from typing import Any, Final, NamedTuple

import thresher
from bench.harness import make_resiliparse
from thresher.algorithms.learned import SHIPPED_MODEL
from thresher.algorithms.learned.model import Inference, Model
from thresher.extraction import read_page
from thresher.features import Features, compute_features
from thresher.page import Page
from thresher.writers.formats import FormatName

Contender = Callable[[bytes], object]
BASE: Final = "resiliparse"
"""Ratios are to this contender."""
MARKDOWN: Final = "thresher, Markdown"
TEXT: Final = "thresher, text"
_ONE_THREAD: Final = "one thread"
_PEER: Final = f"one thread of {BASE}"
_CHUNK_PAGES: Final = 4
"""Pages that a process is handed at once."""


def outputs() -> dict[str, Contender]:
    """Return Thresher's extractions, from the bytes of a page to an output."""
    return {
        MARKDOWN: lambda source: thresher.extract(source).markdown,
        TEXT: lambda source: thresher.extract(source).text,
        "thresher, Markdown and metadata": _read_with_metadata,
        "thresher, JSON": lambda source: thresher.extract(source).write("json"),
    }


def _read_with_metadata(source: bytes) -> object:
    document = thresher.extract(source)
    return document.markdown, document.metadata


# -- peers -----------------------------------------------------------------------------------------


def find_peers() -> tuple[dict[str, Contender], list[str]]:
    """Return the peers that are installed, and the names of the others.

    Each gets what it likes best, decoded in its own time; settings are their authors' fastest.
    """
    peers: dict[str, Contender] = {}
    missing = []
    for name, make in _PEERS.items():
        try:
            peers[name] = make()
        except ImportError:
            missing.append(name)
    return peers, missing


def _decoded(extract: Callable[[str], object]) -> Contender:
    return lambda source: extract(source.decode(errors="replace"))


def _make_turbohtml() -> Contender:
    import turbohtml

    return _decoded(lambda html: turbohtml.parse(html, positions=False).main_text())


def _make_readability() -> Contender:
    import readability

    return _decoded(lambda html: readability.Document(html).summary())


def _make_extract(module: str, **settings: bool) -> Contender:
    return _decoded(partial(import_module(module).extract, **settings))


_PEERS: Final[dict[str, Callable[[], Contender]]] = {
    BASE: lambda: _decoded(make_resiliparse()),
    "turbohtml, main text": _make_turbohtml,
    "rs-trafilatura": partial(_make_extract, "rs_trafilatura"),
    "trafilatura, fast": partial(_make_extract, "trafilatura", fast=True),
    "trafilatura": partial(_make_extract, "trafilatura", fast=False),
    "readability-lxml": _make_readability,
}


# -- stages ----------------------------------------------------------------------------------------


class Stage(NamedTuple):
    """A part of an extraction, whose preparation is not measured."""

    prepare: Callable[[bytes], Any]
    run: Callable[[Any], object]


def stages() -> dict[str, Stage]:
    """Return each stage of the default method and of the outputs."""
    model = Model.load(SHIPPED_MODEL)

    def measure(page: Page) -> Features:
        return compute_features(page, model.scale)

    def infer(source: bytes) -> Inference | None:
        page = _read(source)
        return model.prepare(measure(page), 0) if len(page.blocks) else None

    return {
        "read": Stage(bytes, lambda source: read_page(source)),
        "views": Stage(read_page, _compute_views),
        "features": Stage(_read, lambda page: measure(page) if len(page.blocks) else None),
        "content network": Stage(infer, lambda inference: inference.run() if inference else None),
        "select, all of it": Stage(_read, thresher.select),
        **{f"write {name}": Stage(_select, _writer(name)) for name in thresher.FORMATS},
        "metadata": Stage(_select, lambda document: document.metadata),
    }


def _writer(name: FormatName) -> Callable[[thresher.Document], str]:
    return lambda document: document.write(name)


def _compute_views(page: Page) -> None:
    """Compute the views that every method needs."""
    _ = (
        *(page.leaves, page.blocks, page.leaf_words, page.leaf_link_words),
        *(page.attributes, page.hidden),
    )


def _read(source: bytes) -> Page:
    page = read_page(source)
    _compute_views(page)
    return page


def _select(source: bytes) -> thresher.Document:
    return thresher.document_of(thresher.select(_read(source)))


# -- cores -----------------------------------------------------------------------------------------


def measure_cores(pages: Sequence[bytes], rounds: int) -> dict[str, float]:
    """Measure HTML to Markdown by the clock, the ways in turn; the fastest round of each counts.

    Returns way → pages a second over those of one thread; a peer's processes are compared with its
    own single thread.
    """
    n_core = os.cpu_count() or 1
    with (
        ThreadPoolExecutor(n_core) as threads,
        ProcessPoolExecutor(n_core, get_context("spawn")) as processes,
    ):
        ways: dict[str, Callable[[], Iterable[int]]] = {
            _ONE_THREAD: partial(map, _write, pages),
            f"{n_core} threads": partial(threads.map, _write, pages),
            f"{n_core} processes": partial(_map_chunks, processes, _write, pages),
        }
        if BASE in find_peers()[0]:
            ways |= {
                _PEER: partial(map, _run_peer, pages),
                f"{n_core} processes of {BASE}": partial(_map_chunks, processes, _run_peer, pages),
            }
        for run in ways.values():  # the processes start and import with the first pages
            list(run())
        seconds = {name: min(_time(run) for _ in range(rounds)) for name, run in ways.items()}
    ratios = {
        name: seconds[_PEER if BASE in name else _ONE_THREAD] / taken
        for name, taken in seconds.items()
    }
    ratios.pop(_PEER, None)
    return ratios


def _map_chunks(
    pool: Executor, work: Callable[[bytes], int], pages: Sequence[bytes]
) -> Iterable[int]:
    return pool.map(work, pages, chunksize=_CHUNK_PAGES)


def _write(source: bytes) -> int:
    return len(thresher.extract(source).markdown)


def _run_peer(source: bytes) -> int:
    return len(make_resiliparse()(source.decode(errors="replace")))


def _time(run: Callable[[], Iterable[int]]) -> float:
    start = time.perf_counter()
    list(run())
    return time.perf_counter() - start
