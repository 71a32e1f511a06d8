"""`python -m thresher.evaluation.structures`: short structures, by Thresher and by others."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Final

from thresher.evaluation.command import (
    add_output,
    add_peers,
    add_running,
    choose,
    make_say,
    run_command,
    write_text,
)
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.fidelity.measure import MARKDOWN_PEERS, gather_markdown_peers
from thresher.evaluation.leaderboard.peer_runs import Process, open_outputs, request_of
from thresher.evaluation.structures.pages import (
    LENGTHS,
    StructurePage,
    generate_pages,
    judge,
    read_structures,
    write_outcomes,
)
from thresher.extraction import extract

_PROGRAM: Final = "python -m thresher.evaluation.structures"
_OURS: Final = "thresher"
_URL: Final = "https://tidewater.example/2026/mill"
_say = make_say("structures")

ToMarkdown = Callable[[StructurePage], str]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its status: 0, 1 if something failed, 2 for wrong usage."""
    return run_command(
        _say, _build_parser(), argv, lambda args: write_text(_write(args), args.output)
    )


def _build_parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog=_PROGRAM,
        description="Short structures (a list of two items, a formula, a card …) between "
        "paragraphs of generated pages: which come out whole, in order and as what they are.",
    )
    add_peers(parser, MARKDOWN_PEERS)
    add_running(parser, kept="nothing is cached")
    add_output(parser)
    return parser


def _write(args: Namespace) -> str:
    pages = list(generate_pages())
    n_structure = len(read_structures())
    with ExitStack() as open_things:
        kept, _ = open_outputs(open_things, args.cache)
        peers = choose(args.peer, MARKDOWN_PEERS, "peer")
        entrants = gather_markdown_peers(open_things, peers, args, kept, _say)
        tools: dict[str, ToMarkdown] = {_OURS: lambda page: extract(page.html, url=_URL).markdown}
        for entrant, process in entrants.items():
            tools[entrant.name] = partial(_ask, process)
        judged_by = {
            name: [(page, judge(page, to_markdown(page))) for page in pages]
            for name, to_markdown in tools.items()
        }
    return (
        f"{n_structure} structures on {len(pages):,} pages: {len(pages) // n_structure} each, in "
        f"{len(pages) // n_structure // len(LENGTHS)} layouts, between {LENGTHS[0]} to "
        f"{LENGTHS[-1]} paragraphs before and after.\n\n{write_outcomes(judged_by)}"
    )


def _ask(process: Process, page: StructurePage) -> str:
    labelled = LabelledPage("structures", page.skin, page.html, url=_URL, lang="en")
    return process.ask(request_of(labelled)).found


if __name__ == "__main__":
    sys.exit(main())
