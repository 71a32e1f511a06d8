"""The command line of the leaderboard."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from thresher.algorithms import ALGORITHMS
from thresher.errors import UsageError
from thresher.evaluation.command import (
    DEADLINE_S,
    add_corpora,
    add_output,
    add_peers,
    add_running,
    read_count,
    read_number,
)
from thresher.evaluation.leaderboard.peers import PEERS
from thresher.evaluation.metrics import METRICS
from thresher.support.quoting import quote

__all__ = ["DEFAULT_METRICS", "build_parser", "choose", "format_command"]

DEFAULT_METRICS: Final = ("word", "shingle", "lcsequence", "rouge_l")
SPEED_PAGES: Final = 8
"""Of each corpus: some fifty pages in total take a minute."""
REFERENCE: Final = "resiliparse"
"""The peer whose time is 1: the fastest of the widely used ones."""

_PROGRAM: Final = "python -m thresher.evaluation.leaderboard"


def build_parser() -> ArgumentParser:
    """Build the parser."""
    parser = ArgumentParser(
        prog=_PROGRAM,
        description="Other extractors and our methods on the same labelled pages, as tables in "
        "Markdown. Peers are installed into separate environments, and their outputs are cached.",
    )
    add_corpora(parser)
    what = parser.add_argument_group("measurement")
    add_peers(what, PEERS)
    what.add_argument(
        "-m",
        "--method",
        action="append",
        default=[],
        metavar="NAME,...",
        help=f"of {', '.join(ALGORITHMS)}; or none; may be repeated (default: all)",
    )
    what.add_argument(
        "--variant",
        action="append",
        default=[],
        metavar="'METHOD NAME=VALUE ...'",
        help="also a method with these parameters; may be repeated",
    )
    what.add_argument(
        "--metric",
        action="append",
        default=[],
        metavar="NAME,...",
        help=f"of {', '.join(METRICS)}; may be repeated (default: {','.join(DEFAULT_METRICS)})",
    )
    what.add_argument(
        "--without-title",
        action="store_true",
        help="remove the title from the output and from the label before comparing",
    )
    what.add_argument(
        "--folds",
        type=Path,
        metavar="DIR",
        help="weights fold-0.npz and so on: a page of a corpus with the role train is given those "
        "that were trained without its site",
    )
    what.add_argument(
        "--role",
        action="append",
        default=[],
        metavar="ROLE,...",
        help="only corpora with one of these roles in the MANIFEST.tsv beside them",
    )
    what.add_argument("--pages", type=read_count, metavar="N", help="the first N of each corpus")
    what.add_argument(
        "--reference",
        default=REFERENCE,
        metavar="NAME",
        help="the peer or method whose time is 1 (default: %(default)s)",
    )
    what.add_argument(
        "--speed-pages",
        type=read_number,
        default=SPEED_PAGES,
        metavar="N",
        help="pages of each corpus to measure time on; 0 for none (default: %(default)s)",
    )
    how = parser.add_argument_group("peers")
    add_running(how, kept="outputs of peers and their scores are cached")
    how.add_argument(
        "-j",
        "--jobs",
        type=read_count,
        default=1,
        metavar="N",
        help="peers asked, and processes that score, at the same time (default: %(default)s)",
    )
    output = parser.add_argument_group("output")
    add_output(output)
    output.add_argument("--json", type=Path, metavar="FILE", help="all results, page by page")
    output.add_argument(
        "--note",
        action="append",
        default=[],
        metavar="TEXT",
        help="note to readers, such as who made a corpus; may be repeated",
    )
    return parser


def choose(lists: Sequence[str], known: Iterable[str], what: str) -> tuple[str, ...]:
    """Return the distinct names in comma-separated lists; all known names if there are no lists.

    The single name ``none`` chooses nothing. Raises UsageError for an unknown name.
    """
    known = tuple(known)
    names = [name.strip() for each in lists for name in each.split(",") if name.strip()]
    if names == ["none"]:
        return ()
    for name in names:
        if name not in known:
            raise UsageError(f"unknown {what} {quote(name)}; one of {', '.join(known)}")
    return tuple(dict.fromkeys(names)) or known


def format_command(args: Namespace) -> str:
    """Format the command that reproduces the board; file locations do not matter to it."""
    words = [*_PROGRAM.split(), "CORPUS"]
    for option in ("peer", "method", "metric", "role"):
        if value := getattr(args, option):
            words += [f"--{option}", ",".join(value)]
    for variant in args.variant:
        words += ["--variant", variant]
    words += ["--without-title"] * args.without_title
    words += ["--folds", "DIR"] * (args.folds is not None)
    if args.pages:
        words += ["--pages", str(args.pages)]
    if args.reference != REFERENCE:
        words += ["--reference", args.reference]
    if args.speed_pages != SPEED_PAGES:
        words += ["--speed-pages", str(args.speed_pages)]
    if args.deadline != DEADLINE_S:
        words += ["--deadline", f"{args.deadline:g}"]
    return shlex.join(words)
