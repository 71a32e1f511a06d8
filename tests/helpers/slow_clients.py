"""Clients that are slower than any real one, and a server for them, on real sockets."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from thresher.serving.connections import ConnectionLimits
    from thresher.serving.http_server import AsgiApp, HttpServer

_START_S: Final = 100.0
HEAD: Final = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
"""Beginning of a request that never ends."""
SLOW_HEADS: Final = (
    b"",
    HEAD,
    b"POST /api/extract HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999\r\n\r\n",
    b"POST /api/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999\r\n\r\n",
)
"""What clients send before they dribble: nothing, a part of a head, or a head whole."""


@contextmanager
def serving_http(
    app: AsgiApp, limits: ConnectionLimits, *, port: int = 0, lifespan: str = "off"
) -> Iterator[tuple[HttpServer, int]]:
    """Serve an application in a thread; yield the server and its port."""
    from thresher.serving.connections import open_socket
    from thresher.serving.http_server import HttpServer

    server = HttpServer(app, limits, lifespan=lifespan, timeout_graceful_shutdown=1)
    listening = open_socket("127.0.0.1", port)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        until_s = time.monotonic() + _START_S
        while not server.started:
            assert thread.is_alive() and time.monotonic() < until_s, "the server does not start"
            time.sleep(0.01)
        yield server, listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(timeout=_START_S)


def ask(port: int, path: str = "/healthz", *, timeout_s: float = 30.0) -> int:
    """Send a request at once; return the status of the answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=timeout_s)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status


@contextmanager
def dribbling(port: int, n_socket: int, *, every_s: float = 0.2) -> Iterator[list[Any]]:
    """Open sockets that send a byte now and then, and open again what is closed.

    Yield the errors of the thread that does it, of which there should be none.
    """
    stop, ready, errors = threading.Event(), threading.Event(), []

    def open_one(number: int) -> socket.socket:
        # A full backlog of the system is not what is tested: it is tried until there is room.
        slow = socket.create_connection(("127.0.0.1", port), timeout=_START_S)
        slow.settimeout(None)
        slow.sendall(SLOW_HEADS[number % len(SLOW_HEADS)])
        return slow

    def run() -> None:
        with ExitStack() as opened:
            sockets: list[socket.socket | None] = [None] * n_socket
            while not stop.is_set():
                for number, slow in enumerate(sockets):
                    try:
                        if slow is None or is_closed(slow):
                            raise ConnectionError
                        slow.send(b"x")
                    except OSError:
                        if slow is not None:
                            slow.close()
                        try:
                            sockets[number] = opened.enter_context(open_one(number))
                        except OSError as error:
                            sockets[number] = None
                            errors.append(error)
                    if stop.is_set():
                        return
                ready.set()
                stop.wait(every_s)

    thread = threading.Thread(target=run)
    thread.start()
    assert ready.wait(_START_S), "the sockets are not open"
    try:
        yield errors
    finally:
        stop.set()
        thread.join(timeout=_START_S)


def is_closed(slow: socket.socket) -> bool:
    """Return whether the other side has closed a connection; never waits."""
    slow.setblocking(False)
    try:
        while slow.recv(2**16):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        slow.setblocking(True)
    return True
