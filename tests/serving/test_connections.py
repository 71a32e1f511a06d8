"""Limits of slow clients, on real sockets."""

from __future__ import annotations

import http.client
import socket
import time
from contextlib import ExitStack, closing
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the extra app is not installed")

from tests.helpers.slow_clients import HEAD, ask, dribbling, is_closed, serving_http
from thresher.serving.limits import ConnectionLimits

PROMPT = ConnectionLimits(header_s=0.5, body_s=0.5, response_s=0.5)
WAIT_S = 30.0


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer with many bytes at /large, and elsewhere with two, without reading the body."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    size = 64 * 2**20 if scope["path"] == "/large" else 2
    for _ in range(max(1, size // 2**20)):
        piece = b"x" * min(size, 2**20)
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def open_slow(port: int, sent: bytes) -> socket.socket:
    """Open a connection and send the beginning of a request."""
    slow = socket.create_connection(("127.0.0.1", port), timeout=WAIT_S)
    slow.sendall(sent)
    return slow


def read_all(slow: socket.socket, every_s: float = 0.1) -> bytes:
    """Send a byte now and then until the server closes; return what it has sent."""
    received, until_s = b"", time.monotonic() + WAIT_S
    slow.settimeout(every_s)
    while time.monotonic() < until_s:
        try:
            slow.send(b"x")
            data = slow.recv(1000)
        except TimeoutError:
            continue
        except OSError:
            return received
        if not data:
            return received
        received += data
    raise AssertionError("the connection stays open")


@pytest.mark.parametrize("sent", [b"", b"GET", HEAD, b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET"])
def test_a_head_that_dribbles_is_cut_off(sent: bytes) -> None:
    """Headers that do not arrive in time are answered with 408, on a kept connection too."""
    with serving_http(app, PROMPT) as (_, port), open_slow(port, sent) as slow:
        assert b"HTTP/1.1 408 " in read_all(slow)
        assert 200 == ask(port)


def test_a_silent_connection_is_closed() -> None:
    """A client that sends nothing at all is told so, and the connection is closed."""
    with serving_http(app, PROMPT) as (server, port), open_slow(port, b"") as slow:
        assert slow.recv(1000).startswith(b"HTTP/1.1 408 ")
        assert b"" == slow.recv(1000).partition(b"slowly\n")[2]
        assert 0 == len(server.table)


def test_a_body_that_nobody_reads_is_cut_off() -> None:
    """What dribbles in after its answer does not keep a connection open."""
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999\r\n\r\n"
    with serving_http(app, PROMPT) as (_, port), open_slow(port, head) as slow:
        assert b"HTTP/1.1 200 " in read_all(slow)


def test_a_response_that_is_not_read_is_cut_off() -> None:
    """A client that takes nothing of a response loses its connection."""
    asked = b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n"
    with serving_http(app, PROMPT) as (server, port), open_slow(port, asked):
        until_s = time.monotonic() + WAIT_S
        while time.monotonic() < until_s and not len(server.table):
            time.sleep(0.01)
        while time.monotonic() < until_s and len(server.table):
            time.sleep(0.01)
        assert 0 == len(server.table)


def test_a_response_that_is_read_arrives_whole() -> None:
    """A client may take longer for a response than the limit, as long as it takes some."""
    with (
        serving_http(app, PROMPT) as (_, port),
        closing(http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_S)) as connection,
    ):
        connection.request("GET", "/large")
        answer, size = connection.getresponse(), 0
        while piece := answer.read(4 * 2**20):
            size += len(piece)
            time.sleep(0.1)
        assert 64 * 2**20 == size


def test_requests_are_answered_beside_dribbling_sockets(caplog: pytest.LogCaptureFixture) -> None:
    """With more slow connections than may be open, a request that comes whole is answered."""
    limits = ConnectionLimits(max_connections=20, header_s=WAIT_S)
    with serving_http(app, limits) as (server, port), dribbling(port, 50) as errors:
        for _ in range(20):
            assert 200 == ask(port)
            assert len(server.table) <= 20
    assert [] == errors
    said = [each.message for each in caplog.records if "than allowed" in each.message]
    assert 1 == len(said)


def test_whoever_is_answered_stays() -> None:
    """Connections to which a response is being sent are not given up; one more is refused."""
    limits = ConnectionLimits(max_connections=3)
    with serving_http(app, limits) as (server, port), ExitStack() as opened:
        large = b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n"
        readers = [opened.enter_context(open_slow(port, large)) for _ in range(3)]
        assert [b"HTTP"] * 3 == [each.recv(4) for each in readers]
        assert 503 == ask(port)
        assert 3 == len(server.table)


def test_closed_is_told_from_open() -> None:
    """The helper of these tests sees what it should."""
    with serving_http(app, PROMPT) as (_, port), open_slow(port, b"") as slow:
        assert not is_closed(slow)
        slow.recv(1000)
        slow.recv(1000)
        assert is_closed(slow)
