"""The MCP server, called by the SDK's own client over standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("mcp.server.mcpserver", reason="the extra mcp is not installed")

from mcp import Client, StdioServerParameters

from thresher import __version__
from thresher.agents.server import build_server
from thresher.agents.tools import Tools

PAGE = "<title>Grain</title><article><h1>Grain</h1><p>Rye is sown in autumn.</p></article>"


def ask(question: Callable[[Client], Awaitable[Any]], *, in_process: bool = True) -> Any:
    """Send one request to the server, in this process or a separate one."""
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "thresher", "mcp"],
        env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )

    async def run() -> Any:
        async with Client(build_server(Tools()) if in_process else command) as client:
            return await question(client)

    return asyncio.run(run())


def call(name: str, *, in_process: bool = True, **arguments: Any) -> tuple[str, bool]:
    """Call a tool; return its text, and whether it is an error."""
    result = ask(lambda client: client.call_tool(name, arguments), in_process=in_process)
    (content,) = result.content
    return content.text, bool(result.is_error)


def test_tools_describe_themselves_when_listed() -> None:
    """The server has name and version; tools are read-only and described, with their parameters."""

    async def look(client: Client) -> Any:
        return client.server_info, (await client.list_tools()).tools

    told, tools = ask(look)
    assert ("thresher", __version__) == (told.name, told.version)
    assert ["extract", "outline", "chunk"] == [tool.name for tool in tools]
    for tool in tools:
        assert tool.description
        assert tool.annotations.read_only_hint
        assert tool.input_schema["additionalProperties"] is False
        for name, schema in tool.input_schema["properties"].items():
            assert schema["description"], name
    assert ["index"] == tools[2].input_schema["required"]


@pytest.mark.parametrize("name", ["extract", "outline", "chunk"])
def test_unknown_arguments_are_refused(name: str) -> None:
    """The error names each."""
    known: dict[str, Any] = {"index": 0} if name == "chunk" else {}
    text, is_error = call(name, html=PAGE, formt="text", colour="red", **known)
    assert is_error
    assert ("formt" in text, "colour" in text, "html" in text) == (True, True, False)


@pytest.mark.parametrize("in_process", [True, False])
def test_tools_answer_when_asked(in_process: bool) -> None:
    """A client in this process, or over standard input and output, gets text from each tool."""
    text, is_error = call("extract", in_process=in_process, html=PAGE)
    assert not is_error
    assert text.endswith("Rye is sown in autumn.")
    if in_process:
        assert "- Grain (chunk 0)" in call("outline", html=PAGE)[0]
        assert "[chunk 0 of 0 to 0: Grain]" in call("chunk", index=0, html=PAGE)[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give the url"),
        ({"url": "http://127.0.0.1:9/"}, "not public"),
        ({"url": "file:///etc/passwd"}, "only http and https"),
        ({"html": "%PDF-1.7 no page"}, "PDF"),
        ({"html": "<p>a", "max_chars": 10}, "500"),
        ({"html": "<p>a", "scope": "book"}, "article"),
    ],
)
def test_errors_are_the_tools_when_a_call_is_wrong(arguments: dict[str, Any], message: str) -> None:
    """Errors reach the model with our messages, and the server keeps running."""
    text, is_error = call("extract", **arguments)
    assert is_error
    assert message in text
