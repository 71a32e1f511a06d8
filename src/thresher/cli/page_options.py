"""Options of the commands extract, explain, chunk, mcp and methods."""

from __future__ import annotations

from argparse import ArgumentParser

from thresher.algorithms import ALGORITHMS
from thresher.cli.options import (
    WORKER_DEADLINE_S,
    add_choice,
    add_limits,
    add_raw,
    add_reading,
    read_count,
    read_port,
)
from thresher.cli.site_options import add_rules, add_site
from thresher.cli.write_options import add_write_options
from thresher.fetching.model import MAX_PAGES
from thresher.writers import CHUNKED_FORMATS, FORMATS

__all__ = ["add_chunk", "add_explain", "add_extract", "add_mcp", "add_methods"]


def add_extract(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher extract`."""
    _add_inputs(parser)
    add_choice(parser)
    add_rules(parser)
    add_site(parser)
    output = parser.add_argument_group("output")
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
        help="a file for one input, a folder for several (one file each, named after the input); "
        "default: standard output",
    )
    add_raw(output)
    add_write_options(output)
    reading = add_reading(parser)
    reading.add_argument(
        "--render",
        action="store_true",
        help="load a fetched page whose verdict is that it needs a browser in Chromium, and "
        "extract what it shows; needs the extra browser",
    )
    pages = parser.add_argument_group("multi-page articles and threads")
    pages.add_argument(
        "--all-pages",
        action="store_true",
        help="also fetch the pages that follow an address, and write them as one; respects "
        "robots.txt",
    )
    pages.add_argument(
        "--max-pages",
        type=read_count,
        default=MAX_PAGES,
        metavar="N",
        help="maximum number of pages to fetch with --all-pages (default: %(default)s)",
    )


def add_explain(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher explain`."""
    parser.add_argument(
        "input", nargs="?", metavar="PAGE", help="a file, a URL, or - for standard input"
    )
    add_choice(parser)
    add_rules(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="file for the report; default: standard output"
    )
    add_raw(parser)
    add_reading(parser)


def add_chunk(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher chunk`."""
    _add_inputs(parser)
    add_choice(parser)
    add_rules(parser)
    output = parser.add_argument_group("output")
    output.add_argument(
        "--max-chars",
        type=read_count,
        metavar="N",
        help="maximum characters of a chunk (at least 50; default: 2000, unless in tokens)",
    )
    output.add_argument(
        "--max-tokens",
        type=read_count,
        metavar="N",
        help="maximum tokens of a chunk for a language model, as estimated (at least 20)",
    )
    output.add_argument(
        "-f",
        "--format",
        choices=CHUNKED_FORMATS,
        default="markdown",
        help=f"of the texts: {' or '.join(CHUNKED_FORMATS)} (default: %(default)s)",
    )
    output.add_argument(
        "-o", "--output", metavar="FILE", help="file for all chunks; default: standard output"
    )
    add_raw(output)
    add_write_options(output, "links", "images")
    add_reading(parser)


def add_mcp(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher mcp`."""
    parser.add_argument(
        "--http",
        type=read_port,
        metavar="PORT",
        help="serve streamable HTTP on this port of 127.0.0.1, path /mcp; default: standard "
        "input and output",
    )
    add_limits(parser.add_argument_group("fetching and limits"), deadline_s=WORKER_DEADLINE_S)


def add_methods(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher methods`."""
    parser.add_argument(
        "name", nargs="?", choices=ALGORITHMS, metavar="NAME", help="the method to describe"
    )


def _add_inputs(parser: ArgumentParser) -> None:
    parser.add_argument(
        "inputs", nargs="*", metavar="INPUT", help="a file, a URL, or - for standard input"
    )
