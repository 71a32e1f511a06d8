"""The HTTP server: what it accepts, which slow clients it cuts off, and what it logs."""

from __future__ import annotations

import asyncio
import errno
import http.client
import logging
import resource
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, closing
from typing import Any

import pytest

from thresher.errors import UsageError
from thresher.serving.connections import (
    EVERY_S,
    ConnectionLimits,
    ConnectionTable,
    SeldomLog,
    source_of_client,
)

pytest.importorskip("uvicorn", reason="the extra app is not installed")

from tests.helpers.data import read_data
from tests.helpers.slow_clients import HEAD, ask, dribbling, is_closed, serving_http
from thresher.serving.connections import log_accept_errors_seldom, open_socket
from thresher.serving.http_server import HttpServer

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


def test_a_burst_of_connections_is_accepted() -> None:
    """More connections at once than are accepted in one turn are all served."""
    with serving_http(app, ConnectionLimits()) as (server, port), ExitStack() as opened:
        for _ in range(200):
            opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
        assert 200 == ask(port)
        assert len(server.table) >= 200


def test_websockets_are_not_offered() -> None:
    """A request for a WebSocket is answered as any other, so that its connection has limits."""
    asked = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    with (
        serving_http(app, ConnectionLimits()) as (_, port),
        closing(socket.create_connection(("127.0.0.1", port), timeout=30)) as client,
    ):
        client.sendall(asked)
        assert client.recv(100).startswith(b"HTTP/1.1 200 ")


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
        [sys.executable, "-c", read_data("exhausted.py.txt")],
        capture_output=True,
        timeout=100,
        check=False,
    )
    assert 1 == done.stderr.count(b"no connection can be accepted"), done.stderr[:2000]
    assert len(done.stderr) < 2_000


@pytest.mark.parametrize("sent", [b"", b"GET", HEAD, b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET"])
def test_a_head_that_dribbles_is_cut_off(sent: bytes) -> None:
    """Headers that do not arrive in time are answered with 408, on a kept connection too."""
    with serving_http(app, PROMPT) as (_, port), open_slow(port, sent) as slow:
        assert b"HTTP/1.1 408 " in read_all(slow)
        assert 200 == ask(port)


def test_a_silent_connection_is_closed() -> None:
    """A client that sends nothing at all is told so, and the connection is closed."""
    with serving_http(app, PROMPT) as (server, port), open_slow(port, b"") as slow:
        assert not is_closed(slow)
        assert slow.recv(1000).startswith(b"HTTP/1.1 408 ")
        assert b"" == slow.recv(1000).partition(b"slowly\n")[2]
        assert is_closed(slow)
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


def test_stopping_closes_a_response_that_is_not_read() -> None:
    """A client that takes nothing of a response does not keep its connection."""
    asked = b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n"
    with ExitStack() as opened:
        with serving_http(app, ConnectionLimits()) as (server, port):
            slow = opened.enter_context(open_slow(port, asked))
            slow.recv(10)
        assert is_closed(slow)
        assert not server.server_state.connections


def test_stopping_closes_connections_that_came_meanwhile() -> None:
    """A connection that is accepted in the turn in which uvicorn stops does not stay open."""
    began = threading.Event()

    async def occupy(scope: Any, receive: Any, send: Any) -> None:
        began.set()
        time.sleep(0.5)  # nothing is accepted meanwhile
        await app(scope, receive, send)

    with ExitStack() as opened:
        with serving_http(occupy, ConnectionLimits()) as (server, port):
            opened.enter_context(open_slow(port, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
            assert began.wait(WAIT_S)
            late = [opened.enter_context(open_slow(port, b"")) for _ in range(5)]
        assert all(is_closed(each) for each in late)
        assert not server.server_state.connections


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


def test_an_address_has_a_share_of_the_connections() -> None:
    """A client elsewhere has its limit, and those of others stay open."""

    class Connection:
        """Stand-in for a connection."""

        def __init__(self, source: str, since_s: float) -> None:
            self.source, self.waiting_since_s = source, since_s
            self.is_open = self.is_dispensable = True

        def give_up(self) -> None:
            """Close."""
            self.is_open = False

        def check(self, limits: ConnectionLimits) -> None:
            """Do nothing."""

    limits = ConnectionLimits(max_connections=6, max_per_client=2)
    table = ConnectionTable(limits, SeldomLog(logging.getLogger("rye")))
    others = [Connection("192.0.2.1", 0.0), Connection("", 0.0)]
    greedy = [Connection("192.0.2.9", number) for number in range(10)]
    admitted = [*others, *greedy]
    assert [True] * 12 == [table.admit(each) for each in admitted]
    assert [True, True] == [each.is_open for each in others]
    assert greedy[-2:] == [each for each in greedy if each.is_open]
    assert 4 == len(table)


@pytest.mark.parametrize(
    ("host", "source"),
    [("127.0.0.1", ""), ("::1", ""), ("192.0.2.1", "192.0.2.1"), ("2001:db8::5", "2001:db8::")],
)
def test_a_client_is_an_address_or_this_machine(host: str, source: str) -> None:
    """Clients on this machine have no source of their own, others that of their address."""
    assert source == source_of_client((host, 1))
    assert "" == source_of_client(None)


@pytest.mark.parametrize("wrong", [{"header_s": 0.0}, {"body_s": -1.0}, {"max_connections": 0}])
def test_limits_are_above_nothing(wrong: dict[str, Any]) -> None:
    """A limit that lets nobody in is an error."""
    with pytest.raises(UsageError):
        ConnectionLimits(**wrong)


def test_a_message_is_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    """Repetitions within a minute are counted, and their number is said with the next line."""
    now_s = 0.0
    log = SeldomLog(logging.getLogger("rye"), clock=lambda: now_s)
    for _ in range(1_001):
        log.warn("full")
    log.warn("broken")
    now_s = EVERY_S
    log.warn("full")
    assert ["full", "broken", "full (1,000 more)"] == [each.message for each in caplog.records]


def test_accepted_connections_send_at_once() -> None:
    """No response waits for the acknowledgement of the one before; servers never share a port."""
    with (
        open_socket("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
        with pytest.raises(OSError, match="in use"):
            open_socket("127.0.0.1", listening.getsockname()[1])
