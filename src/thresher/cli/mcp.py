"""`thresher mcp`: serve the tools of `thresher.agents` until the client disconnects."""

from __future__ import annotations

from argparse import Namespace

from thresher.agents.guarded import GuardedTools
from thresher.agents.server import build_server
from thresher.cli.choices import read_limits
from thresher.cli.exits import Exit

__all__ = ["run"]

_HOST = "127.0.0.1"
"""Reachable only from this machine."""


def run(args: Namespace) -> Exit:
    """Serve the tools; MissingExtraError if the SDK is not installed."""
    tools = GuardedTools(args.timeout, read_limits(args), args.user_agent)
    server = build_server(tools)
    try:
        if args.http is None:
            server.run("stdio")
        else:
            server.run("streamable-http", host=_HOST, port=args.http)
    finally:
        tools.close()
    return Exit.OK
