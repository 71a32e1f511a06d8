"""Options of `thresher app` and `thresher serve`."""

from __future__ import annotations

import os
from argparse import ArgumentParser, _ArgumentGroup
from pathlib import Path
from typing import Final

from thresher.cli.options import (
    WORKER_DEADLINE_S,
    add_limits,
    add_sites_folder,
    read_count,
    read_port,
)
from thresher.serving.connections import MAX_CONNECTIONS, MAX_PER_CLIENT

__all__ = ["TOKEN_VARIABLE", "add_app", "add_serve"]

TOKEN_VARIABLE: Final = "THRESHER_TOKEN"
"""Environment variable that holds the token."""


def add_app(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher app`."""
    server = _add_server(parser)
    server.add_argument("--open", action="store_true", help="open the app in the browser")
    work = _add_work(parser, weights="those chosen in the app, else the shipped ones")
    work.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="folder for your own labels and models; created if it does not exist "
        "(default: thresher in $XDG_DATA_HOME, ~/.local/share)",
    )
    work.add_argument(
        "--corpora",
        type=Path,
        metavar="DIR",
        help="corpora of labelled pages for the leaderboard, see docs/evaluation.md",
    )
    work.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="INPUT",
        help="add pages to be labelled: a folder of HTML, a WARC archive, JSON Lines or a file of "
        "URLs; may be repeated",
    )
    fetching = _add_fetching(parser)
    fetching.add_argument(
        "--no-images",
        dest="images",
        action="store_false",
        help="never fetch the images of a page, even if the reader asks for them",
    )


def add_serve(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher serve`."""
    _add_server(parser)
    _add_work(parser, weights="the shipped ones")
    _add_fetching(parser)


def _add_server(parser: ArgumentParser) -> _ArgumentGroup:
    server = parser.add_argument_group("server")
    server.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on (default: %(default)s, reachable only from this machine); any"
        " other address needs a token",
    )
    server.add_argument(
        "--port", type=read_port, default=8765, help="port to listen on (default: %(default)s)"
    )
    server.add_argument(
        "--token-file",
        type=Path,
        metavar="FILE",
        help=f"file with the token that gives access (default: ${TOKEN_VARIABLE})",
    )
    server.add_argument(
        "--token", metavar="TEXT", help="the token itself, visible to other users of this machine"
    )
    server.add_argument(
        "--keys",
        type=Path,
        metavar="FILE",
        help="TOML file with keys of programs for the API, each with its pages per minute, see"
        " docs/app.md; needs a token",
    )
    server.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another host name of this server, for example behind a proxy; may be repeated",
    )
    server.add_argument(
        "--max-connections",
        type=read_count,
        default=MAX_CONNECTIONS,
        metavar="N",
        help="connections at a time (default: %(default)s)",
    )
    server.add_argument(
        "--max-connections-per-client",
        type=read_count,
        default=MAX_PER_CLIENT,
        metavar="N",
        help="connections of one address at a time; this machine may have all"
        " (default: %(default)s)",
    )
    server.add_argument(
        "--json-logs", action="store_true", help="write logs as JSON, one object per line"
    )
    return server


def _add_work(parser: ArgumentParser, *, weights: str) -> _ArgumentGroup:
    work = parser.add_argument_group("processes and files")
    work.add_argument(
        "--workers",
        type=read_count,
        default=max(1, min(os.cpu_count() or 1, 8)),
        metavar="N",
        help="worker processes (default: one per processor, at most 8)",
    )
    work.add_argument(
        "--rules",
        type=Path,
        metavar="FILE",
        help="rulebook, see docs/rules.md (default: $THRESHER_RULES, else "
        "thresher/rules.toml in $XDG_CONFIG_HOME, ~/.config)",
    )
    add_sites_folder(work)
    work.add_argument(
        "--model",
        type=Path,
        metavar="FILE",
        help=f"weights made by thresher train, for the method learned (default: {weights})",
    )
    return work


def _add_fetching(parser: ArgumentParser) -> _ArgumentGroup:
    fetching = parser.add_argument_group("fetching and limits")
    fetching.add_argument(
        "--allow-private",
        action="store_true",
        help="also fetch pages from this machine and private networks",
    )
    add_limits(fetching, deadline_s=WORKER_DEADLINE_S)
    return fetching
