"""Options of `thresher app` and `thresher serve`."""

from __future__ import annotations

import os
from argparse import ArgumentParser, _ArgumentGroup
from typing import Final

from thresher.cli.options import (
    WORKER_DEADLINE_S,
    add_count,
    add_flag,
    add_limits,
    add_list,
    add_path,
    add_sites_folder,
    read_port,
)
from thresher.serving.connections import MAX_CONNECTIONS, MAX_PER_CLIENT

TOKEN_VARIABLE: Final = "THRESHER_TOKEN"
"""Environment variable that holds the token."""


def add_app(parser: ArgumentParser) -> None:
    """Add the arguments of `thresher app`."""
    server = _add_server(parser)
    add_flag(server, "--open", help="open the app in the browser")
    work = _add_work(parser, weights="those chosen in the app, else the shipped ones")
    add_path(
        work,
        "--data",
        help="folder for your own labels and models; created if it does not exist "
        "(default: thresher in $XDG_DATA_HOME, ~/.local/share)",
        metavar="DIR",
    )
    add_path(
        work,
        "--corpora",
        help="corpora of labelled pages for the leaderboard, see docs/evaluation.md",
        metavar="DIR",
    )
    add_list(
        work,
        "--label",
        help="add pages to be labelled: a folder of HTML, a WARC archive, JSON Lines or a file of "
        "URLs; may be repeated",
        metavar="INPUT",
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
    add_path(
        server,
        "--token-file",
        help=f"file with the token that gives access (default: ${TOKEN_VARIABLE})",
    )
    server.add_argument(
        "--token", metavar="TEXT", help="the token itself, visible to other users of this machine"
    )
    add_path(
        server,
        "--keys",
        help="TOML file with keys of programs for the API, each with its pages per minute, see"
        " docs/app.md; needs a token",
    )
    add_list(
        server,
        "--allow-host",
        help="another host name of this server, for example behind a proxy; may be repeated",
        metavar="NAME",
    )
    add_count(
        server,
        "--max-connections",
        help="connections at a time (default: %(default)s)",
        default=MAX_CONNECTIONS,
    )
    add_count(
        server,
        "--max-connections-per-client",
        help="connections of one address at a time; this machine may have all"
        " (default: %(default)s)",
        default=MAX_PER_CLIENT,
    )
    add_flag(server, "--json-logs", help="write logs as JSON, one object per line")
    return server


def _add_work(parser: ArgumentParser, *, weights: str) -> _ArgumentGroup:
    work = parser.add_argument_group("processes and files")
    add_count(
        work,
        "--workers",
        help="worker processes (default: one per processor, at most 8)",
        default=max(1, min(os.cpu_count() or 1, 8)),
    )
    add_path(
        work,
        "--rules",
        help="rulebook, see docs/rules.md (default: $THRESHER_RULES, else "
        "thresher/rules.toml in $XDG_CONFIG_HOME, ~/.config)",
    )
    add_sites_folder(work)
    add_path(
        work,
        "--model",
        help=f"weights made by thresher train, for the method learned (default: {weights})",
    )
    return work


def _add_fetching(parser: ArgumentParser) -> _ArgumentGroup:
    fetching = parser.add_argument_group("fetching and limits")
    add_flag(
        fetching, "--allow-private", help="also fetch pages from this machine and private networks"
    )
    add_limits(fetching, deadline_s=WORKER_DEADLINE_S)
    return fetching
