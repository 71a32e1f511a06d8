"""Time that the compiled steps save, stage by stage, and the cost of calling them (ADR 0007).

    python -m bench.native CORPUS [--pages 60] [--rounds 5]

Each stage is measured with the compiled steps and without, in one process, page by page in turn, so
that noise hits both alike. CPU time of one thread; a page's time is its fastest round, the table
shows medians over pages, in units of the HTML parser's bare parse in the same run.
"""

from __future__ import annotations

import gc
import platform
import statistics
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from functools import partial
from importlib.metadata import version
from typing import Final

import numpy as np
import turbohtml

import thresher
from bench.harness import cpu_seconds, draw_pages, make_parser, named_corpora
from tests.helpers.compiled_steps import without_compiled_steps
from thresher.features import compute_features
from thresher.native import kernels
from thresher.page import Page
from thresher.page.blocks import read_blocks
from thresher.page.canonical import canonicalise
from thresher.page.hidden import find_concealed
from thresher.page.parse import parse
from thresher.page.rows import find_nearest, flag_within
from thresher.page.scan import scan
from thresher.page.tags import CODE_OF
from thresher.writers.outline.outline import outline_page

_VIEWS: Final = {
    "texts and words": ("words_before", "chars_before"),
    "attributes": ("attributes",),
    "leaves, blocks, lines": (
        "leaves",
        "link_words_before",
        "blocks",
        "lines",
        "gaps",
        "block_row",
    ),
    "hidden": ("hidden",),
}
"""Views of a page that a stage computes; those before it in the table are there already."""

_N_SECTION = 45
"""Sections of the page on which calls are measured, which has some 500 rows."""
_N_CALL, _N_REPEAT = 2000, 5


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage's times, ms, medians over pages."""

    name: str
    with_steps: float
    without: float


def main() -> None:
    """Measure and print."""
    parser = make_parser(__doc__, corpora=True)
    parser.add_argument("--pages", type=int, default=60, help="pages drawn from each corpus")
    parser.add_argument("--rounds", type=int, default=5, help="times each page is measured")
    args = parser.parse_args()
    if kernels.steps is None:
        raise SystemExit("the compiled steps are not there: pip install . with a C compiler")
    print(
        f"{date.today()}, Python {platform.python_version()}, turbohtml {version('turbohtml')},"
        f" numpy {version('numpy')}, {platform.machine()}"
    )
    print("\n| call | µs |\n|---|---|")
    for name, duration_us in measure_calls().items():
        print(f"| {name} | {duration_us:.2f} |")
    for corpus in named_corpora(args.corpora):
        pages = draw_pages([page.html for page in corpus.pages()], args.pages)
        print(f"\n{corpus.name}, {len(pages)} pages\n\n| stage | numpy | compiled | saved |")
        print("|---|---|---|---|")
        stages = measure(pages, args.rounds)
        unit = stages[0].without
        for stage in stages[1:]:
            without, with_steps = stage.without / unit, stage.with_steps / unit
            print(
                f"| {stage.name} | {without:.3f} | {with_steps:.3f} | {without - with_steps:.3f} |"
            )


def measure(pages: list[str], rounds: int) -> list[Stage]:
    """Return every stage's times, first those of the bare parse."""
    best: dict[tuple[str, bool], list[float]] = {}
    gc.disable()
    for _ in range(rounds):
        for place, html in enumerate(pages):
            for is_compiled in (True, False):
                for name, seconds in _time_stages(html, is_compiled):
                    times = best.setdefault((name, is_compiled), [float("inf")] * len(pages))
                    times[place] = min(times[place], seconds)
        gc.collect()
    gc.enable()
    median = {key: statistics.median(times) * 1e3 for key, times in best.items()}
    return [
        Stage(name, median[name, True], median[name, False])
        for name, is_compiled in best
        if is_compiled
    ]


def measure_calls() -> dict[str, float]:
    """Return what a call of some kernels costs on a small page, in µs of CPU time."""
    section = "<div class=c><h2>Wall</h2><p>The <b>town</b> built <a href=/a>a wall</a>.</p></div>"
    page = parse(section * _N_SECTION)
    links = page.tag == CODE_OF["a"]
    calls: dict[str, Callable[[], object]] = {
        "flag_within": lambda: flag_within(links, page.end),
        "find_nearest": lambda: find_nearest(links, page.parent, page.end),
        "find_named": lambda: page.attributes.named("href"),
        "read_blocks": lambda: read_blocks(
            page.buffer,
            page.tag,
            page.parent,
            page.end,
            page.open_start,
            page.words_before,
            page.chars_before,
            find_concealed(page),
        ),
        "outline of all leaves": lambda: outline_page(page, np.ones(page.leaves.size, np.bool_)),
    }
    return {
        name: cpu_seconds(partial(_repeat, call), _N_REPEAT) / _N_CALL * 1e6
        for name, call in calls.items()
    }


def _repeat(call: Callable[[], object]) -> None:
    for _ in range(_N_CALL):
        call()


def _time_stages(html: str, is_compiled: bool) -> list[tuple[str, float]]:
    with ExitStack() as stack:
        if not is_compiled:
            stack.enter_context(without_compiled_steps())
        page = parse(html)
        times = [
            ("bare parse", cpu_seconds(lambda: turbohtml.parse(html, positions=False))),
            ("canonical HTML", cpu_seconds(lambda: canonicalise(page.utf8))),
            ("columns (scan)", cpu_seconds(lambda: scan(page.buffer))),
            ("parse, all of it", cpu_seconds(lambda: parse(html))),
        ]
        times += [
            (f"view: {name}", cpu_seconds(partial(_touch, page, views)))
            for name, views in _VIEWS.items()
        ]
        # Features are no view: `select` computes them again.
        times += [
            ("features", cpu_seconds(lambda: compute_features(page) if len(page.blocks) else None)),
            ("select, all of it", cpu_seconds(lambda: thresher.select(page))),
            ("HTML to Markdown", cpu_seconds(lambda: thresher.extract(html).markdown)),
        ]
    return times


def _touch(page: Page, views: tuple[str, ...]) -> None:
    for view in views:
        getattr(page, view)


if __name__ == "__main__":
    main()
