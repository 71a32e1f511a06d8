"""`python -m thresher.evaluation.fidelity`: preservation of markup, by Thresher and by others."""

from __future__ import annotations

import platform
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from statistics import fmean
from typing import Final

from thresher.evaluation.command import (
    add_output,
    add_peers,
    add_running,
    choose,
    make_say,
    read_count,
    run_command,
    write_text,
)
from thresher.evaluation.corpora import find_corpora
from thresher.evaluation.fidelity.cases import PAGES, Case, read_cases, read_corpus
from thresher.evaluation.fidelity.check import write_properties
from thresher.evaluation.fidelity.measure import (
    MARKDOWN_PEERS,
    OURS,
    PARTS,
    Result,
    gather_markdown_peers,
    list_worst,
    measure,
    read_judgements,
    read_pages,
    write_bench,
    write_judged,
    write_measures,
    write_scores,
)
from thresher.evaluation.leaderboard.peer_runs import Entrant, Outputs, Process, open_outputs
from thresher.evaluation.summary import read_versions

_PROGRAM: Final = "python -m thresher.evaluation.fidelity"
_say = make_say("fidelity")
_INTRODUCTION: Final = """\
# Fidelity

How well headings, lists, tables, code, formulas and other markup are preserved in Markdown. Both
the output and the expected Markdown are converted to HTML by a CommonMark library (markdown-it-py,
with GFM's tables, footnotes, formulas between dollar signs and description lists), and the same
structures are read from both. Each cell below is a mean over pages, in per cent. A page counts in a
column if the structure is expected on it; a missing structure counts as 0. Relative addresses of
labels are resolved on the page's own, and `http` and `https` are the same. Where a label has notes
as a list, as HTML does, our footnotes are compared with it, their links and emphasis included; the
marks of notes count nowhere.

{measures}

Every page is converted twice. "Whole page": an extractor must find the content, so whatever it
drops is missing; whole-page converters (markitdown, html-to-markdown) keep everything, including
navigation, and are shown only for comparison. "Content only": every tool gets only the HTML of the
content, and Thresher keeps all of it, so this compares only how markup is converted. Other
extractors may still leave parts out. Where the title is expected, ours begins with it, as it does
by default.

Run on {date} with `{command}`.
{versions}
"""
_JUDGED: Final = """\
Thresher's output compared with the labels, which are the output of a tool and not a ground truth. A
reader (a language model) judged each page once, by the first lines that differ; some of the reasons
may no longer apply:
"""
_BENCH: Final = """\
## WebMainBench

Similarity of the text, code, formulas and tables in Markdown, by the Levenshtein distance, and
TEDS; a metric counts on pages where either side has what it compares, and the overall score is the
mean of those that count on a page, in per cent."""
_UNLIKE: Final = 0.6
"""Word F1 below which a page needs an explanation."""
_LOW: Final = 0.995
"""A score that does not round to 100 %."""
_TITLES: Final = {"page": "Whole page", "content": "Content only"}


def build_parser() -> ArgumentParser:
    """Build the parser."""
    parser = ArgumentParser(
        prog=_PROGRAM,
        description="Preservation of markup, on pages of our own and on corpora, compared with "
        "other extractors and converters, as tables in Markdown.",
    )
    parser.add_argument(
        "corpora",
        nargs="*",
        metavar="CORPUS",
        help="as for thresher eval; only pages whose label has markup (default: none)",
    )
    add_peers(parser, MARKDOWN_PEERS)
    parser.add_argument(
        "--own-pages",
        type=Path,
        default=PAGES,
        metavar="DIR",
        help="folder of pages with their expected Markdown (default: those installed with this "
        "command)",
    )
    parser.add_argument(
        "--properties",
        action="store_true",
        help="also check on every page of the corpora, labelled or not, that nothing is lost, "
        "duplicated or invented",
    )
    parser.add_argument(
        "--webmainbench",
        type=Path,
        metavar="FILE",
        help="also score by the metrics of WebMainBench, on its file of JSON lines",
    )
    parser.add_argument("--pages", type=read_count, metavar="N", help="the first N of each corpus")
    add_running(parser, kept="outputs of peers are cached")
    add_output(parser)
    return parser


def format_command(args: Namespace) -> str:
    """Format the command that reproduces the tables; file locations do not matter to it."""
    words = [*_PROGRAM.split(), *(["CORPUS"] * bool(args.corpora))]
    if args.peer:
        words += ["--peer", ",".join(args.peer)]
    words += ["--properties"] * args.properties
    if args.webmainbench:
        words += ["--webmainbench", "FILE"]
    if args.pages:
        words += ["--pages", str(args.pages)]
    return shlex.join(words)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its status: 0, 1 if something failed, 2 for incorrect usage."""
    return run_command(
        _say,
        build_parser(),
        argv,
        lambda args: write_text("\n".join(_write_all(args)), args.output),
    )


def _write_all(args: Namespace) -> Iterator[str]:
    peers = choose(args.peer, MARKDOWN_PEERS, "peer")
    corpora = find_corpora(args.corpora) if args.corpora else ()
    with ExitStack() as open_things:
        kept, outputs = open_outputs(open_things, args.cache)
        entrants = gather_markdown_peers(open_things, peers, args, kept, _say)
        yield _INTRODUCTION.format(
            measures=write_measures(),
            date=date.today().isoformat(),
            command=format_command(args),
            versions=_format_versions(entrants),
        )
        yield from _write_own(list(read_cases(args.own_pages)), entrants, outputs)
        for corpus in corpora:
            cases = list(read_corpus(corpus, args.pages))
            if cases:
                yield from _write_corpus(corpus.name, cases, entrants, outputs)
        if args.webmainbench:
            pages = read_pages(args.webmainbench, args.pages)
            yield f"{_BENCH}\n\n{write_bench(pages, entrants, outputs)}\n"
    if args.properties:
        table, violations = write_properties(corpora, args.pages)
        yield f"## Properties\n\n{table}\n"
        for violation in violations:
            _say(violation)


def _format_versions(entrants: Mapping[Entrant, Process]) -> str:
    lines = [f"- {OURS} {read_versions()['thresher']} on Python {platform.python_version()}"]
    for entrant in entrants:
        on = entrant.environment.python_version
        on = on if on.startswith("Node") else f"Python {on}"
        lines.append(
            f"- {entrant.name} {entrant.environment.version} on {on}: `{entrant.peer.call}`"
        )
    return "\n" + "\n".join(lines)


def _write_own(
    cases: Sequence[Case], entrants: Mapping[Entrant, Process], outputs: Outputs
) -> Iterator[str]:
    yield f"## Pages of our own\n\nWritten for the purpose, each with one feature: {len(cases)}.\n"
    for part in PARTS:
        results = list(measure(cases, part, entrants, outputs))
        yield f"{_TITLES[part]}:\n\n{write_scores(results)}\n"
        yield f"Where the output of Thresher is not as expected:\n\n{list_worst(results, _LOW)}\n"
        _say(f"own pages, {part}: done")


def _write_corpus(
    name: str, cases: Sequence[Case], entrants: Mapping[Entrant, Process], outputs: Outputs
) -> Iterator[str]:
    judgements = read_judgements(name)
    yield f"## {name}\n\n{len(cases)} pages of other sites, with the output of a tool as labels.\n"
    for part in PARTS:
        results = list(measure(cases, part, entrants, outputs))
        if not results:
            continue
        yield f"{_TITLES[part]}:\n\n{write_scores(results)}\n"
        if part == "page":
            if any(result.word_f1 is not None for result in results):
                yield _write_words(results, judgements.unlike)
            if judgements.differ:
                yield f"{_JUDGED}\n{write_judged(results, judgements)}\n"
        _say(f"{name}, {part}: done")


def _write_words(results: Sequence[Result], notes: Mapping[str, str]) -> str:
    """Write how close our plain text is to that of the labels, and the notes on distant pages."""
    f1_of = {result.case: result.word_f1 for result in results if result.word_f1 is not None}
    low = {case: f1 for case, f1 in f1_of.items() if f1 < _UNLIKE}
    like = fmean(result.like_f1 for result in results if result.like_f1 is not None)
    lines = [
        f"Word F1 of our plain text: mean {fmean(f1_of.values()):.2%}, and {like:.2%} where the "
        "labels too are made text by our writer, so that formulas are TeX on both sides; "
        f"{len(low)} of {len(f1_of)} pages below {_UNLIKE:.0%}.",
        "",
        *(f"- `{case}` {f1:.0%}: {notes.get(case, 'not explained')}" for case, f1 in low.items()),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
