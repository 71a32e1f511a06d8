"""`thresher mcp`: the server that it starts."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.cli.conftest import Command
from thresher.agents.guarded import DEADLINE_S, GuardedTools
from thresher.cli import mcp
from thresher.cli.exits import Exit


class Server:
    """Stands in for the SDK's server."""

    def __init__(self) -> None:
        self.tools: GuardedTools | None = None
        self.ran: list[tuple[str, dict[str, Any]]] = []

    def build(self, tools: GuardedTools) -> Server:
        self.tools = tools
        return self

    def run(self, transport: str, **options: Any) -> None:
        self.ran.append((transport, options))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    stand_in = Server()
    monkeypatch.setattr(mcp, "build_server", stand_in.build)
    return stand_in


def test_mcp_serves_standard_input_and_output(command: Command, server: Server) -> None:
    """By default the server uses standard input and output; limits are passed on."""
    assert Exit.OK == command("mcp", "--max-bytes", "1000", "--timeout", "5").status
    assert [("stdio", {})] == server.ran
    assert server.tools is not None
    assert (1000, 5.0) == (server.tools.limits.max_bytes, server.tools.timeout_s)
    assert DEADLINE_S == server.tools.limits.deadline_s
    command("mcp", "--deadline", "3")
    assert 3 == server.tools.limits.deadline_s


def test_mcp_serves_this_machine_only_when_over_http(command: Command, server: Server) -> None:
    """HTTP is served on a port of 127.0.0.1 only."""
    assert Exit.OK == command("mcp", "--http", "8123").status
    assert [("streamable-http", {"host": "127.0.0.1", "port": 8123})] == server.ran


@pytest.mark.parametrize("port", ["0", "65536", "x"])
def test_mcp_refuses_what_is_no_port(command: Command, server: Server, port: str) -> None:
    """A port is a number from 1 to 65535."""
    assert Exit.USAGE == command("mcp", "--http", port).status
    assert [] == server.ran


def test_mcp_names_the_extra_when_it_is_missing(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the SDK the command names the extra to install."""
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    ran = command("mcp")
    assert Exit.USAGE == ran.status
    assert ["thresher: the MCP server needs an extra: pip install 'thresher[mcp]'"] == ran.errors
