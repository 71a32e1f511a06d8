"""`thresher mcp`: the tools of `thresher.agents`, served until the client leaves."""

from __future__ import annotations

from argparse import Namespace

from thresher.agents.server import build_server
from thresher.agents.tools import Tools
from thresher.cli.choices import read_limits
from thresher.cli.exits import Exit

__all__ = ["run"]

_HOST = "127.0.0.1"
"""Only who is on this machine can ask."""


def run(args: Namespace) -> Exit:
    """Serve; MissingExtraError where the SDK is not installed."""
    tools = Tools(args.timeout, read_limits(args), args.user_agent)
    server = build_server(tools)
    if args.http is None:
        server.run("stdio")
    else:
        server.run("streamable-http", host=_HOST, port=args.http)
    return Exit.OK
