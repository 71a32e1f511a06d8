"""The command line: every option of every command, and its help."""

from __future__ import annotations

import math
from argparse import (
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    RawDescriptionHelpFormatter,
)
from pathlib import Path
from typing import Final

from thresher import __version__
from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.cli import extract, methods
from thresher.cli.defaults import MAX_BYTES, MAX_TIMEOUT_S, TIMEOUT_S, USER_AGENT
from thresher.cli.exits import EXITS, Exit
from thresher.evaluation.metrics import DEFAULT_METRICS, METRICS
from thresher.writers import FORMATS

__all__ = ["build_parser"]

_EXITS: Final = "exit status:\n" + "\n".join(f"  {code:<3}  {says}" for code, says in EXITS.items())

_EXAMPLES: Final = """\
examples:
  thresher extract page.html                       Markdown on standard output
  thresher extract https://example.org/story       fetch a page first
  curl -s https://example.org/story | thresher extract --url https://example.org/story
  thresher extract -f text --no-links *.html -o out/       out/NAME.txt for each page
  thresher extract -f json *.html                  one object a line, with all evidence
  thresher extract -m link_ratio -p NAME=VALUE page.html
  thresher methods link_ratio                      what -p can set"""

_EXTRACT: Final = """\
Extract the main content of pages: files, http and https addresses, or
standard input (-, or no input at all).

Several pages on standard output are told apart by a line with the input's
name: <!-- NAME --> in Markdown and HTML, ==> NAME <== in text; in JSON every
line is an object whose "input" is the name. When an input fails, one line on
standard error says why, and the others are extracted all the same. Output is
UTF-8 whatever the locale."""

_EXPLAIN: Final = """\
Write a report on one page, an HTML file that needs nothing else: charts of its
blocks (score, length, density of text), the blocks coloured by score with the
reason for each, and the result beside them."""

_EVAL: Final = """\
Run methods over pages whose main content is labelled, and print how much of it
they find: mean precision, recall and F1 by each metric, and the time, for each
corpus. The baseline, keep_all, is always first. docs/evaluation.md says what
the metrics count."""


def build_parser() -> ArgumentParser:
    """Build the parser; what it returns has the command's function as ``run``."""
    parser = ArgumentParser(
        prog="thresher",
        description="HTML in, the content a reader came for out, with the evidence.",
        epilog=f"{_EXAMPLES}\n\n{_EXITS}",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"thresher {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_extract(
        commands.add_parser(
            "extract",
            help="extract the main content of pages",
            description=_EXTRACT,
            epilog=f"{_EXAMPLES}\n\n{_EXITS}",
            formatter_class=RawDescriptionHelpFormatter,
        )
    )
    _add_explain(
        commands.add_parser(
            "explain",
            help="show in one HTML file what a method made of a page",
            description=_EXPLAIN,
            formatter_class=RawDescriptionHelpFormatter,
        )
    )
    _add_methods(
        commands.add_parser(
            "methods",
            help="list the methods, or describe one and its parameters",
            description="List the methods of extraction, or describe one with its parameters.",
        )
    )
    _add_eval(
        commands.add_parser(
            "eval",
            help="measure methods on labelled pages",
            description=_EVAL,
            formatter_class=RawDescriptionHelpFormatter,
        )
    )
    return parser


def _add_extract(parser: ArgumentParser) -> None:
    parser.set_defaults(run=extract.run)
    parser.add_argument(
        "inputs", nargs="*", metavar="INPUT", help="a file, a URL, or - for standard input"
    )
    _add_choice(parser)
    output = parser.add_argument_group("how it is written")
    output.add_argument(
        "-f",
        "--format",
        choices=FORMATS,
        default="markdown",
        help=f"one of {', '.join(FORMATS)} (default: %(default)s)",
        metavar="FORMAT",
    )
    output.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        help="a file for one input, a folder for several (a file each, named after the input); "
        "default: standard output",
    )
    output.add_argument(
        "--with-metadata", action="store_true", help="put title, authors, dates and so on first"
    )
    output.add_argument(
        "--no-links", dest="links", action="store_false", help="keep only the text of links"
    )
    output.add_argument("--no-images", dest="images", action="store_false", help="leave images out")
    output.add_argument(
        "--removed-links",
        action="store_true",
        help="list the text links that were left out behind the content",
    )
    _add_reading(parser)


def _add_explain(parser: ArgumentParser) -> None:
    parser.set_defaults(run=_run_explain)
    parser.add_argument(
        "input", nargs="?", metavar="PAGE", help="a file, a URL, or - for standard input"
    )
    _add_choice(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where the report goes; default: standard output"
    )
    _add_reading(parser)


def _add_choice(parser: ArgumentParser) -> None:
    choice = parser.add_argument_group("what is kept")
    choice.add_argument(
        "-m",
        "--method",
        choices=ALGORITHMS,
        default=DEFAULT_METHOD,
        metavar="NAME",
        help="how the content is found: see thresher methods (default: %(default)s)",
    )
    choice.add_argument(
        "-p",
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a parameter of the method; may be repeated: see thresher methods NAME",
    )


def _add_reading(parser: ArgumentParser) -> None:
    source = parser.add_argument_group("how pages are read")
    source.add_argument("--url", help="base of the links of a page that is not fetched")
    source.add_argument(
        "--charset",
        metavar="LABEL",
        help="charset to assume, as if a server had sent it; the page's bytes can overrule it",
    )
    source.add_argument(
        "--max-bytes",
        type=_read_count,
        default=MAX_BYTES,
        metavar="N",
        help="refuse a larger page; counted decompressed (default: %(default)s)",
    )
    source.add_argument(
        "--timeout",
        type=_read_seconds,
        default=TIMEOUT_S,
        metavar="SECONDS",
        help="time for the whole of a fetch, redirects included (default: %(default)g)",
    )
    source.add_argument(
        "--user-agent",
        type=_read_user_agent,
        default=USER_AGENT,
        metavar="TEXT",
        help="name to give to web servers (default: %(default)s)",
    )


def _add_methods(parser: ArgumentParser) -> None:
    parser.set_defaults(run=methods.run)
    parser.add_argument(
        "name", nargs="?", choices=ALGORITHMS, metavar="NAME", help="the method to describe"
    )


def _add_eval(parser: ArgumentParser) -> None:
    parser.set_defaults(run=_run_eval)
    parser.add_argument(
        "corpora",
        nargs="*",
        metavar="CORPUS",
        help="a NAME.jsonl.xz, a folder of them, or a folder of NAME.html with NAME.txt "
        "(default: $THRESHER_CORPORA)",
    )
    what = parser.add_argument_group("what is measured")
    what.add_argument(
        "-m",
        "--method",
        action="append",
        default=[],
        metavar="NAME,...",
        help="methods to run; may be repeated (default: all)",
    )
    what.add_argument(
        "-p",
        "--param",
        action="append",
        default=[],
        metavar="METHOD.NAME=VALUE",
        help="set a parameter of one method; may be repeated",
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
        help="take the title off what is found and off the label before comparing",
    )
    what.add_argument("--role", help="only corpora with this role in the MANIFEST.tsv beside them")
    what.add_argument(
        "--pages",
        type=_read_count,
        metavar="N",
        help="only the first N labelled pages of each corpus",
    )
    what.add_argument(
        "-j",
        "--jobs",
        type=_read_count,
        default=1,
        metavar="N",
        help="processes that share the pages (default: %(default)s)",
    )
    output = parser.add_argument_group("what is shown")
    output.add_argument(
        "--sort",
        choices=("worst", "best", "slowest"),
        help="also list 20 pages: the worst or best by the first metric, or the slowest",
    )
    output.add_argument(
        "--json", type=Path, metavar="FILE", help="write all results here, page by page"
    )
    output.add_argument(
        "--html", type=Path, metavar="FILE", help="write a report here, its pages sortable"
    )


def _run_explain(args: Namespace) -> Exit:
    # The others need not what draws reports.
    from thresher.cli import explain  # noqa: PLC0415

    return explain.run(args)


def _run_eval(args: Namespace) -> Exit:
    # The others need neither what reads corpora nor what writes reports.
    from thresher.cli import eval as eval_command  # noqa: PLC0415

    return eval_command.run(args)


def _read_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= MAX_TIMEOUT_S:
        raise ArgumentTypeError(f"must be above 0 and at most {MAX_TIMEOUT_S:g}, not {text!r}")
    return seconds


def _read_count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= 2**31):
        raise ArgumentTypeError(f"must be a whole number from 1 to {2**31}, not {text!r}")
    return int(text)


def _read_user_agent(text: str) -> str:
    if not (text.isascii() and text.isprintable()):
        raise ArgumentTypeError(f"must be printable ASCII, not {text!r}")
    return text
