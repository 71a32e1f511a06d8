"""`thresher mcp`: the tools of `thresher.agents`, served until the client leaves."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

from thresher.agents.guarded import DEADLINE_S, GuardedTools
from thresher.agents.server import build_server
from thresher.cli.choices import read_limits
from thresher.cli.exits import Exit

__all__ = ["run"]

_HOST = "127.0.0.1"
"""Only who is on this machine can ask."""


def run(args: Namespace) -> Exit:
    """Serve; MissingExtraError where the SDK is not installed."""
    limits = read_limits(args)
    if limits.deadline_s is None:
        limits = replace(limits, deadline_s=DEADLINE_S)
    tools = GuardedTools(args.timeout, limits, args.user_agent)
    server = build_server(tools)
    try:
        if args.http is None:
            server.run("stdio")
        else:
            server.run("streamable-http", host=_HOST, port=args.http)
    finally:
        tools.close()
    return Exit.OK
