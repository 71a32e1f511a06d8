"""Requests as bytes, on real sockets, to the app and to the API alone."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

pytest.importorskip("uvicorn", reason="the extra app is not installed")

from tests.app.serving import serving

CHUNKED = b"\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"


@pytest.fixture(scope="module", params=[False, True], ids=["app", "serve"])
def port(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of the app, and of the API alone."""
    with serving(tmp_path_factory.mktemp("app"), only_api=request.param) as (address, _):
        yield int(address.rpartition(":")[2])


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
        (b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n", 200),
        (b"POST /api/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5" + CHUNKED, 400),
        (b"POST /api/extract HTTP/1.1\r\nContent-Length: 5\r\nHost: localhost" + CHUNKED, 400),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5" + CHUNKED, 400),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.0\r\n\r\n", 403),
        (b"GET /healthz HTTP/1.1\r\nHost: user@localhost\r\n\r\n", 403),
        (b"GET /healthz HTTP/1.1\r\nHost: local\thost\r\n\r\n", 403),
        (b"GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (b"GET http://localhost/healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n", 400),
        (b"CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost.\r\n\r\n", 200),
        (b"GET /healthz HTTP/1.1\r\nHost: [0:0:0:0:0:0:0:1]:80\r\n\r\n", 200),
    ],
)
def test_a_request_is_read_in_one_way_or_refused(port: int, sent: bytes, status: int) -> None:
    """What another server could read as another request, or for another host, is refused."""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=30)) as client:
        client.sendall(sent)
        assert status == int(client.recv(1000).split(b" ")[1])


def test_a_second_request_is_not_smuggled(port: int) -> None:
    """After two lengths the connection is closed, so that what follows is no request."""
    first = b"POST /api/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5" + CHUNKED
    second = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with closing(socket.create_connection(("127.0.0.1", port), timeout=30)) as client:
        client.sendall(first + second)
        received = b""
        try:
            while data := client.recv(10_000):
                received += data
        except ConnectionResetError:
            pass  # it was closed before all was read
        assert 1 == received.count(b"HTTP/1.1 ")
