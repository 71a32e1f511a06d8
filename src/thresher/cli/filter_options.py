"""Options of `thresher filter`: one for each filter setting, and those for block lists."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from thresher.algorithms import ALGORITHMS
from thresher.cli.options import add_raw, add_reading
from thresher.filters.settings import add_filter_options

__all__ = ["add_filter"]


def add_filter(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher filter`."""
    parser.add_argument(
        "input", nargs="?", metavar="PAGE", help="a file, a URL, or - for standard input"
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="file for the filtered page; default: standard output",
    )
    add_raw(parser)
    parser.add_argument(
        "-m",
        "--method",
        choices=ALGORITHMS,
        metavar="NAME",
        help="also remove everything that this method does not select: see thresher methods",
    )
    parser.add_argument(
        "--filters",
        type=Path,
        metavar="FILE",
        help="TOML file with the filter settings; options override it",
    )
    parser.add_argument(
        "--print-filters",
        action="store_true",
        help="print the settings as such a file instead of a page",
    )
    parser.add_argument(
        "--ad-list",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="additional list of advertisers' hosts: a hosts file, or rules of an ad blocker; may "
        "be repeated",
    )
    parser.add_argument(
        "--summary", action="store_true", help="print on standard error what each filter removed"
    )
    add_filter_options(parser)
    add_reading(parser)
