"""Speed and memory of Thresher next to its peers, as users meet it: every page once.

    python -m bench.speed CORPUS… [--pages 300] [-o bench/results/performance.md]

Each page is a fresh `bytes` object that every contender reads once, in an order that changes from
page to page, and the figure is the median over pages of the ratio of its processor time to
resiliparse's on the same page: ratios mean something on a shared machine, milliseconds do not. The
fastest of several calls on one page, which flatters whoever keeps things between calls, is a table
of its own, with ``--fastest``. Sets of pages are drawn at random from the corpora of `_SETS`;
those not given are left out, and so are peers that are not installed (``pip install -e
'.[bench]'``), and the report says so. Set OPENBLAS_NUM_THREADS=1: processor time counts that of
threads too.
"""

from __future__ import annotations

import gc
import importlib.metadata
import platform
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import thresher
from bench.contenders import (
    BASE,
    MARKDOWN,
    TEXT,
    Contender,
    Stage,
    find_peers,
    measure_cores,
    outputs,
    stages,
)
from bench.harness import draw_pages, make_parser, named_corpora
from bench.startup import STARTS, measure_starts, write_starts
from thresher.evaluation.command import write_table
from thresher.page.sniff import refuse_non_html

_START_ROUNDS: Final = 7
_CORE_ROUNDS: Final = 3
_CORE_PAGES: Final = 60
_MEMORY_PAGES: Final = 20
_WARM_UP_PAGES: Final = 5
_SIZES_KB: Final = (0, 20, 50, 100, 200, 400, 100_000)
"""Limits of the sizes of pages that are told apart, thousands of bytes."""


class _Set(NamedTuple):
    """What pages a set is drawn from."""

    name: str
    corpora: tuple[str, ...]
    sizes_kb: tuple[int, int] = (0, 100_000)


_NEWS: Final = ("newspaper4k_424", "fundus_tests")
_SETS: Final = (
    _Set("news", _NEWS),
    _Set("seven kinds of page", ("wcxb_dev",)),
    _Set("20 to 200 kB", (*_NEWS, "wcxb_dev", "postlight"), (20, 200)),
    _Set("the web at random", ("pages_web",)),
)

Times = Mapping[str, Sequence[float]]
"""Contender → its processor seconds on each page."""


def main() -> None:
    """Measure and print."""
    parser = make_parser(__doc__, corpora=True)
    parser.add_argument("--pages", type=int, default=300, help="pages drawn for each set")
    parser.add_argument(
        "--fastest", type=int, default=0, metavar="N", help="also the fastest of N calls on a page"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write the report here too"
    )
    args = parser.parse_args()
    parts = []
    for part in _report(args.corpora, args.pages, args.fastest):
        print(part, end="\n\n", flush=True)
        parts.append(part)
    if args.output:
        args.output.write_text("\n\n".join(parts) + "\n")


def _report(corpora: Sequence[Path], n_page: int, n_fastest: int) -> Iterator[str]:
    """Measure, and yield the parts of the report, Markdown."""
    peers, missing = find_peers()
    contenders = outputs() | peers
    sets = {
        name: [
            html.encode(errors="replace") for html in draw_pages(pages, n_page) if _is_page(html)
        ]
        for name, pages in _read_sets(corpora)
    }
    yield "# Performance"
    yield (
        f"{date.today().isoformat()}, {_describe_versions()}. Made by `{_describe_command()}`."
        f" Processor time of one core from the bytes of a page to the output, every page once; the"
        f" ratio to {BASE} on the same page."
        + (f" Not installed, and left out: {', '.join(missing)}." if missing else "")
    )
    yield "## Start"
    yield (
        "What a new process takes, median of the runs that `python -m bench.startup` makes in turn."
    )
    yield write_starts(measure_starts(STARTS, _START_ROUNDS))
    everything: dict[str, list[float]] = {name: [] for name in contenders}
    sizes: list[int] = []
    for name, pages in sets.items():
        for run in contenders.values():
            for page in pages[:_WARM_UP_PAGES]:
                _time(run, page)
        times = measure_once(contenders, pages)
        for contender, seconds in times.items():
            everything[contender] += seconds
        sizes += map(len, pages)
        kilobytes = statistics.fmean(map(len, pages)) / 1e3
        yield f"## {name[:1].upper()}{name[1:]}: {len(pages)} pages, mean {kilobytes:.0f} kB"
        yield write_ratios(times)
        if n_fastest:
            chosen = {
                contender: run
                for contender, run in contenders.items()
                if contender in {MARKDOWN, TEXT, BASE}
            }
            rounds = [measure_once(chosen, pages) for _ in range(n_fastest)]
            fastest = {
                contender: [
                    min(column) for column in zip(*(one[contender] for one in rounds), strict=True)
                ]
                for contender in chosen
            }
            yield f"Not every page once, but the fastest of {n_fastest} calls on the same page:"
            yield write_ratios(fastest)
    if BASE in contenders:
        yield "## By size, all sets"
        yield _write_sizes(everything[MARKDOWN], everything[BASE], sizes)
    first = next(iter(sets.values()))
    yield "## Stages, of the first set"
    times = measure_stages(stages(), first)
    medians = {name: statistics.median(seconds) * 1e3 for name, seconds in times.items()}
    yield _write_figures("stage", "median ms", medians)
    yield "## Cores and memory, of the first set"
    cores = measure_cores(first[:_CORE_PAGES], _CORE_ROUNDS)
    yield _write_figures("", "pages a second, relative to one thread", cores)
    peak = _measure_memory(first[:_MEMORY_PAGES])
    yield f"Peak memory of one extraction to Markdown: {peak:.1f} × the page (median)."


def _read_sets(paths: Sequence[Path]) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the pages of each set; corpora of no set are each one of their own."""
    corpora = {corpus.name: corpus for corpus in named_corpora(paths)}
    others = sorted(corpora.keys() - {name for page_set in _SETS for name in page_set.corpora})
    for name, members, (minimum, maximum) in (*_SETS, *(_Set(other, (other,)) for other in others)):
        pages = [
            page.html
            for member in members
            if member in corpora
            for page in corpora[member].pages()
            if minimum <= len(page.html) / 1e3 < maximum
        ]
        if pages:
            yield name, pages


def _is_page(html: str) -> bool:
    """Return whether a file of a corpus is HTML; some crawls hold others."""
    try:
        refuse_non_html(html)
    except thresher.InputError:
        return False
    return True


def measure_once(contenders: Mapping[str, Contender], pages: Sequence[bytes]) -> Times:
    """Time every contender once on every page; one that fails on a page is timed up to there."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    order = list(contenders)
    gc.disable()
    for page in pages:
        for name in order:
            source = bytes(bytearray(page))  # nobody has seen it
            times[name].append(_time(contenders[name], source))
        order.append(order.pop(0))
        gc.collect()
    gc.enable()
    return times


def measure_stages(parts: Mapping[str, Stage], pages: Sequence[bytes]) -> Times:
    """Time every stage once on every page."""
    times: dict[str, list[float]] = {name: [] for name in parts}
    for page in pages:
        for name, stage in parts.items():
            times[name].append(_time(stage.run, stage.prepare(page)))
    return times


def _time(run: Callable[[Any], object], argument: object) -> float:
    """Return the processor seconds of one call; errors of peers are theirs."""
    start = time.process_time_ns()
    try:
        run(argument)
    except Exception as error:
        if "thresher" in type(error).__module__:
            raise
    return (time.process_time_ns() - start) / 1e9


# -- tables ----------------------------------------------------------------------------------------


def write_ratios(times: Times) -> str:
    """Write what each contender takes, and its ratios to the base on the same pages."""
    base = times.get(BASE)
    rows = []
    for name, seconds in times.items():
        milliseconds = f"{statistics.median(seconds) * 1e3:.2f}"
        if base is None:
            rows.append([name, "–", "–", "–", milliseconds])
            continue
        ratios = [own / other for own, other in zip(seconds, base, strict=True) if other]
        lower, median, upper = _quartiles(ratios)
        of_sums = sum(seconds) / sum(base)
        quartiles = f"{lower:.2f}–{upper:.2f}"
        rows.append([name, f"{median:.2f}", quartiles, f"{of_sums:.2f}", milliseconds])
    heads = ("", f"median ratio to {BASE}", "quartiles", "ratio of sums", "median ms")
    return write_table(heads, rows)


def _quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    if len(values) < 2:
        value = values[0] if values else float("nan")
        return value, value, value
    lower, median, upper = statistics.quantiles(values, n=4)
    return lower, median, upper


def _write_sizes(seconds: Sequence[float], base: Sequence[float], sizes: Sequence[int]) -> str:
    """Write the ratio of Markdown to the base by the size of pages."""
    rows = []
    for minimum, maximum in pairwise(_SIZES_KB):
        chosen = [place for place, size in enumerate(sizes) if minimum <= size / 1e3 < maximum]
        if not chosen:
            continue
        own, other = ([column[place] for place in chosen] for column in (seconds, base))
        ratios = [one / two for one, two in zip(own, other, strict=True) if two]
        lower, median, upper = _quartiles(ratios)
        name = f"{minimum}–{maximum}" if maximum < _SIZES_KB[-1] else f"{minimum} and more"
        medians = (f"{statistics.median(seconds) * 1e3:.2f}" for seconds in (own, other))
        ratio = (f"{median:.2f}", f"{lower:.2f}–{upper:.2f}")
        rows.append([name, str(len(chosen)), *medians, *ratio])
    heads = ("kB", "pages", "thresher, ms", "resiliparse, ms", "median ratio", "quartiles")
    return write_table(heads, rows)


def _write_figures(what: str, unit: str, figures: Mapping[str, float]) -> str:
    return write_table((what, unit), ([name, f"{value:.2f}"] for name, value in figures.items()))


def _measure_memory(pages: Sequence[bytes]) -> float:
    """Return the peak of memory during one extraction over the page's bytes, median.

    What Python, numpy and the parser allocate: tracemalloc sees all of it.
    """
    ratios = []
    for source in pages:
        tracemalloc.start()
        _ = thresher.extract(source).markdown
        ratios.append(tracemalloc.get_traced_memory()[1] / len(source))
        tracemalloc.stop()
    return statistics.median(ratios)


def _describe_command() -> str:
    arguments = [
        Path(argument).name if Path(argument).is_absolute() else argument
        for argument in sys.argv[1:]
    ]
    return " ".join(("python -m bench.speed", *arguments))


def _describe_versions() -> str:
    versions = [f"thresher {thresher.__version__}"]
    for package in ("turbohtml", "numpy", "resiliparse", "trafilatura", "readability-lxml"):
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join((*versions, f"Python {platform.python_version()}", platform.machine()))


if __name__ == "__main__":
    main()
