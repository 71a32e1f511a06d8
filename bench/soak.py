r"""Run every page of the corpora through every algorithm and every writer, and count.

    python -m bench.soak CORPUS… [--role train] [--pages N] [--method NAME] [-p NAME=VALUE]…

Prints, for each corpus and method: pages, errors (there must be none), pages with no main content,
and the mean word F1 against the labelled text where there is one (Counter of ``\w+``, lower case;
an empty label scores 1 for empty output only). The F1 is a smoke signal for one's own changes; the
comparison with peers is not this command's business. Exits 1 where there was any error.
"""

from __future__ import annotations

import argparse
import collections
import statistics
import time
import traceback
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import thresher
from bench.corpora import add_corpora_argument, named_corpora
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.metrics import score_words

__all__ = ["main"]


@dataclass(slots=True)
class Tally:
    """What happened to one corpus under one method."""

    pages: int = 0
    errors: int = 0
    empty: int = 0
    outputs: int = 0
    scores: list[float] = field(default_factory=list)
    slowest_s: float = 0.0


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_corpora_argument(parser)
    parser.add_argument("--role", help="only the corpora of this role (MANIFEST.tsv beside them)")
    parser.add_argument("--pages", type=int, help="only the first so many pages of each corpus")
    parser.add_argument("--method", action="append", help="default: all")
    parser.add_argument("-p", "--param", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()

    params = dict(pair.split("=", 1) for pair in args.param)
    methods = args.method or list(thresher.ALGORITHMS)
    failures: collections.Counter[str] = collections.Counter()
    total = 0
    print(f"{'corpus':20} {'method':20} {'pages':>6} {'outputs':>8} {'errors':>7}", end="")
    print(f" {'empty':>6} {'word F1':>8} {'slowest s':>10}")
    for corpus in named_corpora(args.corpora, role=args.role):
        tallies = {method: Tally() for method in methods}
        for labelled in islice(corpus.pages(), args.pages):
            total += 1
            page = _read(labelled, failures)
            for method, tally in tallies.items():
                _run(page, labelled, method, params, tally=tally, failures=failures)
        for method, tally in tallies.items():
            score = f"{statistics.fmean(tally.scores):8.3f}" if tally.scores else "       –"
            print(
                f"{corpus.name:20} {method:20} {tally.pages:6} {tally.outputs:8} {tally.errors:7}",
                end="",
            )
            print(f" {tally.empty:6} {score} {tally.slowest_s:10.2f}", flush=True)
    print(f"\n{total} pages, {len(methods)} methods, {len(thresher.FORMATS)} formats")
    for failure, count in failures.most_common():
        print(f"{count:6}  {failure}")
    raise SystemExit(1 if failures else 0)


def _read(labelled: LabelledPage, failures: collections.Counter[str]) -> thresher.Page | None:
    try:
        return thresher.read_page(labelled.html, url=labelled.url)
    except Exception as error:
        failures[f"reading: {_describe(error)}"] += 1
        return None


def _run(
    page: thresher.Page | None,
    labelled: LabelledPage,
    method: str,
    params: dict[str, str],
    *,
    tally: Tally,
    failures: collections.Counter[str],
) -> None:
    """Select, write in every format, and score one page."""
    tally.pages += 1
    if page is None:
        tally.errors += 1
        return
    start = time.process_time()
    try:
        document = thresher.document_of(thresher.select(page, method, params))
        for format in thresher.FORMATS:
            options = thresher.WriteOptions(metadata=format in ("markdown", "json"))
            document.write(format, options)
            tally.outputs += 1
        tally.empty += not document.selection.keep.any()
        if labelled.text is not None:
            tally.scores.append(score_words(document.text, labelled.text).f1)
    except Exception as error:
        tally.errors += 1
        failures[f"{method}: {_describe(error)}"] += 1
    tally.slowest_s = max(tally.slowest_s, time.process_time() - start)


def _describe(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{type(error).__name__}: {str(error)[:100]} ({Path(place.filename).name}:{place.lineno})"
    )


if __name__ == "__main__":
    main()
