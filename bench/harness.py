"""What benchmarks do alike: read arguments and corpora, choose pages, call a peer, count time."""

from __future__ import annotations

import argparse
import os
import random
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from math import inf
from pathlib import Path

from thresher.errors import UsageError
from thresher.evaluation.corpora import CORPORA_VARIABLE, Corpus, LabelledPage, find_corpora


def make_parser(doc: str | None, *, corpora: bool = False) -> argparse.ArgumentParser:
    """Return a parser that a docstring's first line describes.

    With ``corpora`` it has the positional argument that names these: files, or a folder of them.
    """
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    if corpora:
        folder = os.environ.get(CORPORA_VARIABLE)
        parser.add_argument(
            "corpora",
            nargs="*",
            type=Path,
            default=[Path(folder)] if folder else [],
            metavar="CORPUS",
            help="a .jsonl, .jsonl.gz or .jsonl.xz file, or a folder"
            f" (default: ${CORPORA_VARIABLE})",
        )
    return parser


def make_kill_parser(doc: str | None, what: str, n_default: int) -> argparse.ArgumentParser:
    """Return a parser for a benchmark that kills processes; ``what`` is done meanwhile."""
    parser = make_parser(doc)
    parser.add_argument(f"--{what}", type=int, default=n_default)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def named_corpora(paths: Sequence[Path], *, role: str | None = None) -> tuple[Corpus, ...]:
    """Return the corpora at paths, those of one role if it is given; exits where there is none."""
    try:
        return find_corpora(paths, role=role)
    except UsageError as error:
        raise SystemExit(str(error)) from error


def draw_pages(pages: Sequence[str], n_page: int) -> list[str]:
    """Draw pages by chance, the same each time."""
    return random.Random(0).sample(pages, min(n_page, len(pages)))


def spread_pages(corpus: Corpus, n_page: int) -> Iterator[LabelledPage]:
    """Yield pages of a corpus that are evenly spread over it."""
    n_all = sum(1 for _ in corpus.pages())
    return islice(islice(corpus.pages(), 0, None, max(1, n_all // n_page)), n_page)


def make_resiliparse() -> Callable[[str], str]:
    """Return the peer with its authors' fastest settings; ImportError if it is not installed."""
    from resiliparse.extract.html2text import extract_plain_text

    return partial(extract_plain_text, main_content=True)


def cpu_of_children() -> float:
    """Return the processor seconds of the ended processes that this one has waited for."""
    # `os.times` counts in steps of 10 ms.
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def cpu_seconds(run: Callable[[], object], rounds: int = 1) -> float:
    """Return the processor seconds of a call, the least of some rounds."""
    least = inf
    for _ in range(rounds):
        start = time.process_time()
        run()
        least = min(least, time.process_time() - start)
    return least
