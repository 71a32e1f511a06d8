"""Settings application on a local port."""

from __future__ import annotations

import asyncio
import http.client
import signal
import socket
from collections.abc import Callable, MutableMapping
from contextlib import closing
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

pytest.importorskip("uvicorn", reason="the port of the settings needs uvicorn: the extra proxy")

from tests.helpers.slow_clients import dribbling
from thresher.proxy.port import OwnConnections, serve_port
from thresher.serving.connections import ConnectionLimits

T = TypeVar("T")


async def echo(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
    """Echo the request."""
    if scope["path"] == "/broken":
        raise ValueError("broken")
    message = await receive()
    said = [scope["method"], scope["path"], scope["query_string"].decode(), scope["scheme"]]
    said += [str(scope["state"]["is_port"]), str(len(message["body"]))]
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-a", b"1")]})
    await send({"type": "http.response.body", "body": " ".join(said).encode(), "more_body": True})
    await send({"type": "http.response.body", "body": b"."})
    assert "http.disconnect" == (await receive())["type"]


def serve(
    call: Callable[[int], T],
    own: OwnConnections | None = None,
    limits: ConnectionLimits | None = None,
) -> T:
    """Serve, and call a blocking function with the port."""

    async def run() -> T:
        port = await serve_port(echo, 0, own or OwnConnections(), limits)
        try:
            return await asyncio.to_thread(call, port.address[1])
        finally:
            await port.close()

    return asyncio.run(run())


def ask(port: int, method: str, path: str, body: Any = None) -> tuple[int, str]:
    """Send a request; return the status and body."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request(method, path, body)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def test_requests(caplog: pytest.LogCaptureFixture) -> None:
    """Path, query and body arrive unchanged, whole or in chunks; errors are answered and logged."""
    answer = serve(lambda port: ask(port, "GET", "/a%20b?c=%2F"))
    assert (200, "GET /a b c=%2F http True 0.") == answer
    body = b"x" * 300_000
    assert "POST /  http True 300000." == serve(lambda port: ask(port, "POST", "/", body))[1]
    pieces = iter([b"ab", b"c"])
    assert "POST /  http True 3." == serve(lambda port: ask(port, "POST", "/", pieces))[1]
    assert (200, "") == serve(lambda port: ask(port, "HEAD", "/"))
    assert 500 == serve(lambda port: ask(port, "GET", "/broken"))[0]
    assert "broken" in caplog.text


def test_only_this_machine() -> None:
    """The port is on the loopback address, one in use is an error, and signals are left alone."""

    async def look() -> tuple[str, int]:
        port = await serve_port(echo, 0, OwnConnections())
        with pytest.raises(OSError, match="in use"):
            await serve_port(echo, port.address[1], OwnConnections())
        await asyncio.to_thread(ask, port.address[1], "GET", "/")
        assert before == signal.getsignal(signal.SIGTERM)
        await port.close()
        return port.address

    before = signal.getsignal(signal.SIGTERM)
    address = asyncio.run(look())
    assert before == signal.getsignal(signal.SIGTERM)
    assert "127.0.0.1" == address[0]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, timeout=10)


def test_nobody_comes_through_the_proxy() -> None:
    """Connections made by the proxy are rejected while they last."""
    own = OwnConnections()

    def call(port: int) -> list[int]:
        found = []
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
            connection.connect()
            data: Any = SimpleNamespace(
                server=SimpleNamespace(sockname=connection.sock.getsockname())
            )
            own.server_connected(data)
            connection.request("GET", "/", headers={"x-forwarded-for": "192.0.2.1"})
            found.append(connection.getresponse().status)
        found.append(ask(port, "GET", "/")[0])
        own.server_disconnected(data)
        assert data.server.sockname not in own
        return found

    assert [403, 200] == serve(call, own)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (b"nonsense\r\n\r\n", b"HTTP/1.1 400"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
         b"0\r\n\r\n", b"HTTP/1.1 400"),
        (b"GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", b"HTTP/1.1 400"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n" + b"x" * 34_000_000,
         b"HTTP/1.1 413"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 200_000, b"HTTP/1.1 400"),
        (b"", b""),
    ],
)  # fmt: skip
def test_nonsense(sent: bytes, expected: bytes) -> None:
    """Invalid and oversized requests are rejected."""

    def call(port: int) -> bytes:
        with socket.create_connection(("127.0.0.1", port), timeout=10) as raw:
            try:
                raw.sendall(sent)
                raw.shutdown(socket.SHUT_WR)
            except OSError:  # it does not read what it refuses
                pass
            try:
                return raw.recv(1000)
            except ConnectionResetError:
                return expected if expected.endswith(b"413") else b"reset"

    assert serve(call).startswith(expected)


def test_slow_clients_do_not_use_the_port_up() -> None:
    """Beside sockets that dribble, a whole request is answered; a body that does gets 408."""

    def call(port: int) -> list[int]:
        with dribbling(port, 50) as errors:
            found = [ask(port, "GET", "/")[0] for _ in range(10)]
            assert [] == errors
            return found

    def dribble(port: int) -> bytes:
        with socket.create_connection(("127.0.0.1", port), timeout=10) as raw:
            raw.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")
            return raw.recv(1000)

    assert [200] * 10 == serve(call, limits=ConnectionLimits(max_connections=20))
    answer = serve(dribble, limits=ConnectionLimits(body_s=0.3))
    assert answer.startswith(b"HTTP/1.1 408")
