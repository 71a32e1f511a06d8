"""The command line of the fidelity measurement."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from thresher.evaluation.command import add_output, add_peers, add_running, read_count
from thresher.evaluation.fidelity.pages import PAGES
from thresher.evaluation.fidelity.peers import MARKDOWN_PEERS

__all__ = ["build_parser", "format_command"]

_PROGRAM: Final = "python -m thresher.evaluation.fidelity"


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
