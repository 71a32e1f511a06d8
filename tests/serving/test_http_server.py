"""The HTTP server: what it accepts, and what it logs."""

from __future__ import annotations

import asyncio
import errno
import logging
import resource
import socket
import subprocess
import sys
from contextlib import ExitStack, closing
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the extra app is not installed")

from tests.helpers.slow_clients import ask, serving_http
from thresher.serving.http_server import HttpServer
from thresher.serving.limits import ConnectionLimits
from thresher.serving.sockets import log_accept_errors_seldom, open_socket

_EXHAUSTED = """
import resource, socket, sys, threading
from tests.helpers.slow_clients import serving_http
from thresher.serving.limits import ConnectionLimits

async def app(scope, receive, send):
    pass

with serving_http(app, ConnectionLimits()) as (server, port):
    server.table._limits = ConnectionLimits(max_connections=10_000)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (60, hard))
    opened = []
    try:
        while True:
            opened.append(socket.create_connection(("127.0.0.1", port)))
    except OSError:
        pass
    threading.Event().wait(3)
    for each in opened:
        each.close()
"""


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer with nothing."""
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


def test_a_burst_of_connections_is_accepted() -> None:
    """More connections at once than are accepted in one turn are all served."""
    with serving_http(app, ConnectionLimits()) as (server, port), ExitStack() as opened:
        for _ in range(200):
            opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
        assert 204 == ask(port)
        assert len(server.table) >= 200


def test_websockets_are_not_offered() -> None:
    """A request for a WebSocket is answered as any other, so that its connection has limits."""
    asked = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    with (
        serving_http(app, ConnectionLimits()) as (_, port),
        closing(socket.create_connection(("127.0.0.1", port), timeout=30)) as client,
    ):
        client.sendall(asked)
        assert client.recv(100).startswith(b"HTTP/1.1 204 ")


def test_there_are_descriptors_for_more_than_connections() -> None:
    """No more connections are held open than half of what the process may open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = hard if hard != resource.RLIM_INFINITY else 10**6
    server = HttpServer(app, ConnectionLimits(max_connections=most))
    assert server.table._limits.max_connections <= max(most // 2, 1)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_accept_errors_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """An accept that fails again and again has one line; other errors have theirs."""
    loop = asyncio.new_event_loop()
    log_accept_errors_seldom(loop)
    failed = OSError(errno.EMFILE, "Too many open files")
    for _ in range(1_000):
        loop.call_exception_handler(
            {"message": "socket.accept() out of system resource", "exception": failed}
        )
    loop.call_exception_handler({"message": "rye"})
    loop.close()
    said = [each.message for each in caplog.records if each.levelno >= logging.WARNING]
    assert 2 == len(said)
    assert "no connection can be accepted: [Errno 24] Too many open files" == said[0]
    assert "rye" == said[1]


def test_retries_after_closing_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A server that closes while accepting is to be retried logs nothing of those retries."""
    loop = asyncio.new_event_loop()
    log_accept_errors_seldom(loop)
    listening = open_socket("127.0.0.1", 0)
    for _ in range(3):
        loop.call_soon(loop._start_serving, asyncio.Protocol, listening)  # type: ignore[attr-defined]
    listening.close()
    loop.call_later(0.01, loop.stop)
    loop.run_forever()
    loop.close()
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


@pytest.mark.slow
def test_a_process_without_descriptors_logs_little() -> None:
    """With no descriptor left, the log of some seconds is a few lines."""
    done = subprocess.run(
        [sys.executable, "-c", _EXHAUSTED], capture_output=True, timeout=100, check=False
    )
    assert 1 == done.stderr.count(b"no connection can be accepted"), done.stderr[:2000]
    assert len(done.stderr) < 2_000
