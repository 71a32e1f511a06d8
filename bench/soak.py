r"""Run every page of the corpora through every algorithm and every writer, and count.

    python -m bench.soak CORPUS… [--role train] [--pages N] [--every N] [--method NAME]…
                         [-p NAME=VALUE]…

Each page is parsed once. Every method selects from it, and what it selected is written as text;
that of `WRITTEN`, and of methods that are named, is asked for all that a Document has
(`tests.helpers.document_calls`). Prints, for each corpus and method: pages, outputs, errors (there
must be none), pages with no main content, and the mean word F1 against the labelled text where
there is one (Counter of ``\w+``, lower case; an empty label scores 1 for empty output only). Then
the slowest pages and the peak of memory. The F1 is a smoke signal for one's own changes; the
comparison with peers is not this command's business. Exits 1 where there was any error.
"""

from __future__ import annotations

import collections
import resource
import statistics
import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import thresher
from bench.harness import make_parser, named_corpora
from tests.helpers.document_calls import CALLS
from thresher.algorithms import MethodName
from thresher.analysis.embedded import complete
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.metrics import score_words

WRITTEN: Final = (thresher.DEFAULT_METHOD, "keep_all")
"""Methods whose selections are written in every format: the default, and the most to write."""
_N_SLOWEST: Final = 10


@dataclass(slots=True)
class SourceTally:
    """Counts of outcomes of one corpus under one method."""

    pages: int = 0
    errors: int = 0
    empty: int = 0
    outputs: int = 0
    scores: list[float] = field(default_factory=list)
    slowest_s: float = 0.0


class Cost(NamedTuple):
    """Processor time of one page."""

    seconds: float
    corpus: str
    id: str
    n_char: int
    slowest: str
    """The method that took most of it, with all that was written of its selection."""
    slowest_s: float


def main() -> None:
    """Run and print."""
    parser = make_parser(__doc__, corpora=True)
    parser.add_argument("--role", help="only the corpora of this role (MANIFEST.tsv beside them)")
    parser.add_argument("--pages", type=int, help="only the first so many pages of each corpus")
    parser.add_argument("--every", type=int, default=1, help="only every Nth page")
    parser.add_argument("--method", action="append", help="default: all")
    parser.add_argument("-p", "--param", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()

    params = dict(pair.split("=", 1) for pair in args.param)
    methods = args.method or list(thresher.ALGORITHMS)
    written = args.method or WRITTEN
    failures: collections.Counter[str] = collections.Counter()
    costs: list[Cost] = []
    print(f"{'corpus':20} {'method':20} {'pages':>6} {'outputs':>8} {'errors':>7}", end="")
    print(f" {'empty':>6} {'word F1':>8} {'slowest s':>10}")
    for corpus in named_corpora(args.corpora, role=args.role):
        tallies = {method: SourceTally() for method in methods}
        for labelled in islice(corpus.pages(), 0, args.pages, args.every):
            start = time.process_time()
            page = _read(labelled, failures)
            seconds = {"reading": time.process_time() - start}
            for method, tally in tallies.items():
                seconds[method] = _run(
                    *(page, labelled, method, params),
                    calls=CALLS if method in written else ("text, plain",),
                    tally=tally,
                    failures=failures,
                )
            slowest = max(seconds, key=lambda name: seconds[name])
            mine = (labelled.corpus, labelled.id, len(labelled.html), slowest, seconds[slowest])
            costs.append(Cost(sum(seconds.values()), *mine))
        for method, tally in tallies.items():
            score = f"{statistics.fmean(tally.scores):8.3f}" if tally.scores else "       –"
            print(
                f"{corpus.name:20} {method:20} {tally.pages:6} {tally.outputs:8} {tally.errors:7}",
                end="",
            )
            print(f" {tally.empty:6} {score} {tally.slowest_s:10.2f}", flush=True)
    print(f"\n{len(costs)} pages, {len(methods)} methods, {len(CALLS)} calls,", end="")
    print(f" {sum(failures.values())} errors in {sum(cost.seconds for cost in costs):.0f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory of the process: {peak / 2**10:.0f} MiB")
    for cost in sorted(costs, reverse=True)[:_N_SLOWEST]:
        print(
            f"{cost.seconds:7.2f} s  {cost.n_char / 1e6:5.2f} M characters  {cost.corpus} {cost.id}"
            f" ({cost.slowest} {cost.slowest_s:.2f} s)"
        )
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
    method: MethodName,
    params: dict[str, str],
    *,
    calls: Iterable[str],
    tally: SourceTally,
    failures: collections.Counter[str],
) -> float:
    """Select, write, score and ask one page; return the seconds."""
    tally.pages += 1
    if page is None:
        tally.errors += 1
        return 0.0
    asked = "selection"
    start = time.process_time()
    try:
        selection = thresher.select(page, method, params)
        document = thresher.document_of(complete(selection))
        for name in calls:
            asked = name
            CALLS[name](document)
            tally.outputs += 1
        tally.empty += not document.selection.keep.any()
        if labelled.text is not None:
            tally.scores.append(score_words(document.text, labelled.text).f1)
    except Exception as error:
        tally.errors += 1
        failures[f"{method}, {asked}: {_describe(error)}"] += 1
    seconds = time.process_time() - start
    tally.slowest_s = max(tally.slowest_s, seconds)
    return seconds


def _describe(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{type(error).__name__}: {str(error)[:100]} ({Path(place.filename).name}:{place.lineno})"
    )


if __name__ == "__main__":
    main()
