"""The command line of the fidelity measurement."""

from __future__ import annotations

import shlex
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from thresher.evaluation.fidelity.pages import PAGES
from thresher.evaluation.fidelity.peers import MARKDOWN_PEERS
from thresher.evaluation.leaderboard.environment import default_folder

__all__ = ["build_parser", "spell_command"]

DEADLINE_S: Final = 30.0
_PROGRAM: Final = "python -m thresher.evaluation.fidelity"


def build_parser() -> ArgumentParser:
    """Build the parser."""
    parser = ArgumentParser(
        prog=_PROGRAM,
        description="What becomes of markup, on pages of our own and on corpora, beside other "
        "extractors and converters, as tables in Markdown.",
    )
    parser.add_argument(
        "corpora",
        nargs="*",
        metavar="CORPUS",
        help="as for thresher eval; of these, pages whose label has markup (default: none)",
    )
    parser.add_argument(
        "--peer",
        action="append",
        default=[],
        metavar="NAME,...",
        help=f"of {', '.join(MARKDOWN_PEERS)}; or none; may be repeated (default: all)",
    )
    parser.add_argument(
        "--own-pages",
        type=Path,
        default=PAGES,
        metavar="DIR",
        help="folder of pages with the Markdown they should become (default: those that came with "
        "this command)",
    )
    parser.add_argument(
        "--properties",
        action="store_true",
        help="also check on every page of the corpora, labelled or not, that nothing is lost, "
        "doubled or invented",
    )
    parser.add_argument("--pages", type=int, metavar="N", help="the first N of each corpus")
    parser.add_argument(
        "--environment",
        type=Path,
        default=default_folder(),
        metavar="DIR",
        help="folder of the peers' environments (default: in the user's cache)",
    )
    parser.add_argument(
        "--python",
        default=sys.executable,
        metavar="PYTHON",
        help="what new environments are made with (default: this one)",
    )
    parser.add_argument(
        "--no-install", dest="install", action="store_false", help="use only what is there"
    )
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="FILE",
        help="where what peers wrote is kept (default: nowhere)",
    )
    parser.add_argument(
        "--deadline",
        type=float,
        default=DEADLINE_S,
        metavar="SECONDS",
        help="processor time a peer has for a page (default: %(default)g)",
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="Markdown (default: standard output)"
    )
    return parser


def spell_command(args: Namespace) -> str:
    """Spell the command that makes the same tables; where files lie does not matter to it."""
    words = [*_PROGRAM.split(), *(["CORPUS"] * bool(args.corpora))]
    if args.peer:
        words += ["--peer", ",".join(args.peer)]
    words += ["--properties"] * args.properties
    if args.pages:
        words += ["--pages", str(args.pages)]
    return shlex.join(words)
