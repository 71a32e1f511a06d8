"""Options of `thresher filter`: one for each setting of the filters, and where lists come from."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from thresher.algorithms import ALGORITHMS
from thresher.cli.options import add_reading
from thresher.filters.settings import add_filter_options

__all__ = ["add_filter"]


def add_filter(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher filter`."""
    parser.add_argument(
        "input", nargs="?", metavar="PAGE", help="a file, a URL, or - for standard input"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where the page goes; default: standard output"
    )
    parser.add_argument(
        "-m",
        "--method",
        choices=ALGORITHMS,
        metavar="NAME",
        help="take out what this method does not choose, too: see thresher methods",
    )
    parser.add_argument(
        "--filters",
        type=Path,
        metavar="FILE",
        help="settings of the filters, a TOML file; options overrule it",
    )
    parser.add_argument(
        "--print-filters", action="store_true", help="write the settings as such a file, no page"
    )
    parser.add_argument(
        "--ad-list",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="hosts of advertisers, beside Thresher's own list: a hosts file, or rules of an ad "
        "blocker; may be repeated",
    )
    parser.add_argument(
        "--summary", action="store_true", help="say on standard error what each filter removed"
    )
    add_filter_options(parser)
    add_reading(parser)
