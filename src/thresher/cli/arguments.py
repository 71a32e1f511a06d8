"""The command line: the commands, their help, and the options that only one of them has."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from typing import Final

from thresher import __version__
from thresher.algorithms import ALGORITHMS
from thresher.cli import extract, methods
from thresher.cli.batch_options import add_batch
from thresher.cli.exits import EXITS, Exit
from thresher.cli.labelled_options import add_eval, add_train
from thresher.cli.options import add_choice, add_limits, add_reading, read_count, read_port
from thresher.cli.site_options import add_site, add_sites
from thresher.fetching.limits import MAX_PAGES
from thresher.writers import FORMATS, LAYOUTS

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

_CHUNK: Final = """\
Split the main content of pages into chunks for search and language models, at
headings first, then between blocks: one JSON object a line, with the headings
each chunk is under and where it is from. docs/agents.md names the fields."""

_MCP: Final = """\
Serve the tools extract, outline and chunk to agents over the Model Context
Protocol, on standard input and output. Only public addresses are fetched.
Needs the extra mcp. docs/agents.md says how to set it up."""

_BATCH: Final = """\
Extract the main content of many pages into a folder: of WARC archives, lists of
such, folders of HTML, JSON Lines, Parquet, files of URLs, or standard input
(-). Each page becomes one record, whatever happens to it; what stops the
command costs nothing but time: with --resume it goes on. Needs the extra
batch. docs/batch.md names the columns."""

_BATCH_EXAMPLES: Final = """\
examples:
  thresher batch crawl/*.warc.gz -o out/           Parquet, a worker a processor
  thresher batch crawl/*.warc.gz -o out/ --resume  go on after a crash
  thresher batch site/ -o out/ --format markdown   every page of a folder
  thresher batch pages.parquet --column html=content -o out/ --format jsonl.zst
  thresher batch addresses.urls -o out/ --dedupe   fetch them first, politely"""

_EVAL: Final = """\
Run methods over pages whose main content is labelled, and print how much of it
they find: mean precision, recall and F1 by each metric, and the time, for each
corpus. The baseline, keep_all, is always first. docs/evaluation.md says what
the metrics count."""

_TRAIN: Final = """\
Train the weights of the method learned on pages whose main content is
labelled, and write them with a card: what they are made of, and how good they
are on sites they were not trained on. Needs the extra train, and for some 2,000
pages more than half an hour on two processors. docs/training.md says more."""


_SITES: Final = """\
Learn what the pages of one site have in common (text in the same place on many
pages is not the content of any), and show it. thresher extract --site takes it
into account. docs/sites.md says how."""


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
    _add_chunk(
        commands.add_parser(
            "chunk",
            help="split the main content of pages into chunks, one JSON object a line",
            description=_CHUNK,
            epilog=_EXITS,
            formatter_class=RawDescriptionHelpFormatter,
        )
    )
    add_batch(
        commands.add_parser(
            "batch",
            help="extract the main content of a whole crawl",
            description=_BATCH,
            epilog=f"{_BATCH_EXAMPLES}\n\n{_EXITS}",
            formatter_class=RawDescriptionHelpFormatter,
        )
    )
    add_sites(
        commands.add_parser(
            "sites",
            help="learn what the pages of a site have in common, and show it",
            description=_SITES,
            formatter_class=RawDescriptionHelpFormatter,
        )
    )
    _add_mcp(
        commands.add_parser(
            "mcp",
            help="serve extraction to agents over the Model Context Protocol",
            description=_MCP,
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
    _add_train(
        commands.add_parser(
            "train",
            help="train the method learned on labelled pages",
            description=_TRAIN,
            formatter_class=RawDescriptionHelpFormatter,
        )
    )
    return parser


def _add_extract(parser: ArgumentParser) -> None:
    parser.set_defaults(run=extract.run)
    parser.add_argument(
        "inputs", nargs="*", metavar="INPUT", help="a file, a URL, or - for standard input"
    )
    add_choice(parser)
    add_site(parser)
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
        "--with-title", action="store_true", help="put the title first, unless it is there already"
    )
    output.add_argument(
        "--max-chars",
        type=read_count,
        metavar="N",
        help="cut what is longer at the end of a block, and say so (at least 100)",
    )
    output.add_argument(
        "--max-tokens",
        type=read_count,
        metavar="N",
        help="the same in tokens of a language model, as estimated (at least 100)",
    )
    output.add_argument(
        "--no-links", dest="links", action="store_false", help="keep only the text of links"
    )
    output.add_argument("--no-images", dest="images", action="store_false", help="leave images out")
    output.add_argument(
        "--keep-tracking",
        dest="tracking",
        action="store_true",
        help="leave in links what only counts visitors (utm_source and the like)",
    )
    output.add_argument(
        "--removed-links",
        action="store_true",
        help="list the text links that were left out behind the content",
    )
    add_reading(parser)
    pages = parser.add_argument_group("articles and threads over several pages")
    pages.add_argument(
        "--all-pages",
        action="store_true",
        help="fetch the pages that follow an address too, and write them as one; robots.txt is "
        "respected",
    )
    pages.add_argument(
        "--max-pages",
        type=read_count,
        default=MAX_PAGES,
        metavar="N",
        help="pages to fetch at most with --all-pages (default: %(default)s)",
    )


def _add_explain(parser: ArgumentParser) -> None:
    parser.set_defaults(run=_run_explain)
    parser.add_argument(
        "input", nargs="?", metavar="PAGE", help="a file, a URL, or - for standard input"
    )
    add_choice(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where the report goes; default: standard output"
    )
    add_reading(parser)


def _add_chunk(parser: ArgumentParser) -> None:
    parser.set_defaults(run=_run_chunk)
    parser.add_argument(
        "inputs", nargs="*", metavar="INPUT", help="a file, a URL, or - for standard input"
    )
    add_choice(parser)
    output = parser.add_argument_group("how it is written")
    output.add_argument(
        "--max-chars",
        type=read_count,
        default=2000,
        metavar="N",
        help="characters of a chunk at most (at least 50; default: %(default)s)",
    )
    output.add_argument(
        "-f",
        "--format",
        choices=LAYOUTS,
        default="markdown",
        help=f"of the texts: {' or '.join(LAYOUTS)} (default: %(default)s)",
    )
    output.add_argument(
        "-o", "--output", metavar="FILE", help="a file for all chunks; default: standard output"
    )
    output.add_argument(
        "--no-links", dest="links", action="store_false", help="keep only the text of links"
    )
    output.add_argument("--no-images", dest="images", action="store_false", help="leave images out")
    add_reading(parser)


def _add_mcp(parser: ArgumentParser) -> None:
    parser.set_defaults(run=_run_mcp)
    parser.add_argument(
        "--http",
        type=read_port,
        metavar="PORT",
        help="serve streamable HTTP on this port of 127.0.0.1, path /mcp; default: standard "
        "input and output",
    )
    add_limits(parser.add_argument_group("how pages are fetched"))


def _add_methods(parser: ArgumentParser) -> None:
    parser.set_defaults(run=methods.run)
    parser.add_argument(
        "name", nargs="?", choices=ALGORITHMS, metavar="NAME", help="the method to describe"
    )


def _add_eval(parser: ArgumentParser) -> None:
    parser.set_defaults(run=_run_eval)
    add_eval(parser)


def _add_train(parser: ArgumentParser) -> None:
    parser.set_defaults(run=_run_train)
    add_train(parser)


def _run_chunk(args: Namespace) -> Exit:
    from thresher.cli import chunk  # noqa: PLC0415

    return chunk.run(args)


def _run_mcp(args: Namespace) -> Exit:
    # The others need no server.
    from thresher.cli import mcp  # noqa: PLC0415

    return mcp.run(args)


def _run_explain(args: Namespace) -> Exit:
    # The others need not what draws reports.
    from thresher.cli import explain  # noqa: PLC0415

    return explain.run(args)


def _run_eval(args: Namespace) -> Exit:
    # The others need neither what reads corpora nor what writes reports.
    from thresher.cli import eval as eval_command  # noqa: PLC0415

    return eval_command.run(args)


def _run_train(args: Namespace) -> Exit:
    # Nor what trains.
    from thresher.cli import train  # noqa: PLC0415

    return train.run(args)
