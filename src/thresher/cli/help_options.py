"""Options of the commands completion and man."""

from __future__ import annotations

from argparse import ArgumentParser

from thresher.cli.completion import SHELLS

__all__ = ["add_completion", "add_man"]


def add_completion(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher completion`."""
    parser.add_argument("shell", choices=SHELLS, help="the shell that completes")


def add_man(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher man`."""
    parser.add_argument(
        "-o", "--output", metavar="DIR", help="folder for the pages of all commands"
    )
