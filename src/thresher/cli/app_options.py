"""Options of `thresher app`."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Final

from thresher.cli.options import add_limits, read_count, read_port
from thresher.cli.site_options import add_sites_folder

__all__ = ["TOKEN_VARIABLE", "add_app"]

TOKEN_VARIABLE: Final = "THRESHER_TOKEN"
"""Environment variable that holds the token."""


def add_app(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher app`."""
    server = parser.add_argument_group("where it is")
    server.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on (default: %(default)s, which only this machine can reach); any"
        " other needs a token",
    )
    server.add_argument(
        "--port", type=read_port, default=8765, help="port to listen on (default: %(default)s)"
    )
    server.add_argument(
        "--token-file",
        type=Path,
        metavar="FILE",
        help=f"a file with the token that opens the app; default: the variable {TOKEN_VARIABLE}",
    )
    server.add_argument(
        "--token", metavar="TEXT", help="the token itself, which others on this machine can see"
    )
    server.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another name by which browsers reach the app, as behind a proxy; may be repeated",
    )
    server.add_argument("--open", action="store_true", help="open it in the browser")
    server.add_argument(
        "--json-logs", action="store_true", help="log a JSON object a line, for machines"
    )
    work = parser.add_argument_group("what it works with")
    work.add_argument(
        "--workers",
        type=read_count,
        default=max(1, min(os.cpu_count() or 1, 8)),
        metavar="N",
        help="processes that work on pages (default: one a processor, at most 8)",
    )
    work.add_argument(
        "--data", type=Path, metavar="DIR", help="folder for labels and models of your own"
    )
    work.add_argument(
        "--rules", type=Path, metavar="FILE", help="rulebook to use and to write (docs/rules.md)"
    )
    add_sites_folder(work)
    work.add_argument(
        "--corpora", type=Path, metavar="DIR", help="folder of labelled pages, for the leaderboard"
    )
    work.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="INPUT",
        help="add pages to be labelled: a folder of HTML, a WARC archive, JSON Lines, a file of "
        "URLs; may be repeated",
    )
    work.add_argument(
        "--model", type=Path, metavar="FILE", help="weights of thresher train to work with"
    )
    fetching = parser.add_argument_group("how pages are fetched, and what they may cost")
    fetching.add_argument(
        "--allow-private",
        action="store_true",
        help="fetch pages of this machine and its network too",
    )
    fetching.add_argument(
        "--no-images",
        dest="images",
        action="store_false",
        help="never fetch the images of a page, whatever the reader asks for",
    )
    add_limits(fetching)
