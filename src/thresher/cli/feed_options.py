"""Options of `thresher feed`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Final

from thresher.cli.options import add_choice, add_raw, add_reading, read_count
from thresher.cli.site_options import add_rules

__all__ = ["MAX_ITEMS", "add_feed"]

MAX_ITEMS: Final = 50
"""Items of a feed that are read: at a second between pages, a minute."""


def add_feed(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher feed`."""
    parser.add_argument("input", metavar="FEED", help="a file, an address, or - for standard input")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="file to write; default: standard output"
    )
    add_raw(parser)
    parser.add_argument(
        "--max-items",
        type=read_count,
        default=MAX_ITEMS,
        metavar="N",
        help="maximum number of items whose pages are read; the others are left as they are "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        help="folder of pages that were read before, and are not fetched again (default: "
        "thresher/feeds in $XDG_CACHE_HOME, ~/.cache)",
    )
    add_choice(parser)
    add_rules(parser)
    add_reading(parser)
