"""Options of `thresher label`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Final

from thresher.cli.options import add_count, add_flag, add_path, add_raw

TWICE_EVERY: Final = 10
"""One page of so many is dealt to two labellers, our own choice."""


def add_label(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher label`."""
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, dest="step"
    )
    deal = commands.add_parser("deal", help="deal pages to labellers")
    deal.add_argument(
        "labellers",
        nargs="+",
        metavar="NAME",
        help="the labellers who get pages: all that nobody has yet, by default",
    )
    share = deal.add_mutually_exclusive_group()
    add_count(
        share,
        "--twice",
        help="deal every N-th page to two labellers, to measure how far they agree "
        "(default: %(default)s)",
        default=TWICE_EVERY,
    )
    add_flag(share, "--once", help="deal every page to one labeller")
    share.add_argument(
        "--from",
        dest="absent",
        metavar="NAME",
        help="deal the pages that this labeller has left, instead; what they labelled stays",
    )
    _add_data(deal)
    status = commands.add_parser(
        "status", help="show the queues, their progress, and how far labellers agree"
    )
    _add_data(status)
    add_raw(status)


def _add_data(parser: ArgumentParser) -> None:
    add_path(
        parser,
        "--data",
        help="the data folder of thresher app (default: thresher in $XDG_DATA_HOME, "
        "~/.local/share)",
        metavar="DIR",
    )
