"""Options of the commands that read pages, sites and feeds, and of those that describe others."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Final

from thresher.algorithms import ALGORITHMS
from thresher.cli.options import (
    WORKER_DEADLINE_S,
    add_choice,
    add_count,
    add_flag,
    add_limits,
    add_output,
    add_path,
    add_raw,
    add_reading,
    add_rules,
    add_write_options,
    read_port,
)
from thresher.fetching.model import MAX_PAGES
from thresher.writers import CHUNKED_FORMATS, FORMATS


def add_extract(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher extract`."""
    _add_inputs(parser)
    add_choice(parser)
    add_rules(parser)
    add_path(parser, "--site", help="file of thresher sites learn for the pages' site")
    output = parser.add_argument_group("output")
    output.add_argument(
        "-f",
        "--format",
        choices=FORMATS,
        default="markdown",
        help=f"one of {', '.join(FORMATS)} (default: %(default)s)",
        metavar="FORMAT",
    )
    add_output(
        output,
        "a file for one input, a folder for several (one file each, named after the input); "
        "default: standard output",
        metavar="PATH",
    )
    add_write_options(output)
    reading = add_reading(parser)
    add_flag(
        reading,
        "--render",
        help="load a fetched page whose verdict is that it needs a browser in Chromium, and "
        "extract what it shows; needs the extra browser",
    )
    pages = parser.add_argument_group("multi-page articles and threads")
    add_flag(
        pages,
        "--all-pages",
        help="also fetch the pages that follow an address, and write them as one; respects "
        "robots.txt",
    )
    add_count(
        pages,
        "--max-pages",
        help="maximum number of pages to fetch with --all-pages, including the first (default: "
        "%(default)s)",
        default=MAX_PAGES,
    )


def add_explain(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher explain`."""
    parser.add_argument(
        "input", nargs="?", metavar="PAGE", help="a file, a URL, or - for standard input"
    )
    add_choice(parser)
    add_rules(parser)
    add_output(parser, "file for the report; default: standard output")
    add_reading(parser)


def add_chunk(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher chunk`."""
    _add_inputs(parser)
    add_choice(parser)
    add_rules(parser)
    output = parser.add_argument_group("output")
    add_count(
        output,
        "--max-chars",
        help="maximum characters of a chunk (at least 50; default: 2000, unless in tokens)",
    )
    add_count(
        output,
        "--max-tokens",
        help="maximum tokens of a chunk for a language model, as estimated (at least 20)",
    )
    output.add_argument(
        "-f",
        "--format",
        choices=CHUNKED_FORMATS,
        default="markdown",
        help=f"of the texts: {' or '.join(CHUNKED_FORMATS)} (default: %(default)s)",
    )
    add_output(output, "file for all chunks; default: standard output")
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


def add_sites(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher sites`."""
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, dest="step"
    )
    learn = commands.add_parser(
        "learn", help="learn a site from two or more of its pages, without labels"
    )
    learn.add_argument(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="files or folders of HTML, WARC archives, JSON Lines, as for thresher batch",
    )
    add_output(learn, "TOML file to write; default: standard output", metavar="PATH")
    hosts = learn.add_mutually_exclusive_group()
    hosts.add_argument("--host", metavar="HOST", help="learn only from pages of this host")
    add_flag(
        hosts,
        "--all-hosts",
        help="learn a site for every host with two or more pages; -o is then a folder, for "
        "thresher batch --sites",
    )
    show = commands.add_parser("show", help="show what was learned about a site")
    show.add_argument("file", type=Path, metavar="FILE", help="a file of thresher sites learn")
    add_flag(
        show,
        "--chrome",
        help="show the texts on most pages of the site: navigation, contact, licence, footer",
    )
    add_raw(show)


MAX_ITEMS: Final = 50
"""Items of a feed that are read: at a second between pages, a minute."""


def add_feed(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher feed`."""
    parser.add_argument("input", metavar="FEED", help="a file, an address, or - for standard input")
    add_output(parser, "file to write; default: standard output")
    add_count(
        parser,
        "--max-items",
        help="maximum number of items whose pages are read; the others are left as they are "
        "(default: %(default)s)",
        default=MAX_ITEMS,
    )
    add_path(
        parser,
        "--cache",
        help="folder of pages that were read before, and are not fetched again (default: "
        "thresher/feeds in $XDG_CACHE_HOME, ~/.cache)",
        metavar="DIR",
    )
    add_choice(parser)
    add_rules(parser)
    add_reading(parser)


def add_completion(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher completion`."""
    parser.add_argument("shell", choices=("bash", "fish", "zsh"), help="the shell that completes")


def add_man(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher man`."""
    parser.add_argument(
        "-o", "--output", metavar="DIR", help="folder for the pages of all commands"
    )
