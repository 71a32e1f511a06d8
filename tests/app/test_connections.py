"""Requests as bytes on real sockets, and slow clients."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bench.app_server import find_port
from tests.app.serving import serving
from tests.helpers.slow_clients import ask, dribbling

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


@contextmanager
def command(name: str, folder: Path, log: Path) -> Iterator[int]:
    """Run the command of a server; yield its port."""
    port = find_port()
    arguments = [name, "--port", str(port), "--workers", "1", "--rules", str(folder / "rules.toml")]
    if name == "app":
        arguments += ["--data", str(folder)]
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "thresher", *arguments],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stderr=errors,
        )
    try:
        until_s = time.monotonic() + 60
        while "the app is at" not in log.read_text():
            assert process.poll() is None and time.monotonic() < until_s, log.read_text()
            time.sleep(0.1)
        assert 200 == ask(port, timeout_s=60)
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["app", "serve"])
def test_a_thousand_sockets(name: str, tmp_path: Path) -> None:
    """With 1,000 dribbling sockets each command answers, and logs little besides requests."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4_096)), hard))
    log = tmp_path / "log"
    with command(name, tmp_path, log) as port, dribbling(port, 1_000, every_s=1.0):
        until_s = time.monotonic() + 20
        while time.monotonic() < until_s:
            assert 200 == ask(port)
            time.sleep(0.1)
    lines = [each for each in log.read_text().splitlines() if " INFO " not in each]
    assert not [each for each in lines if "Traceback" in each]
    assert 1 == len([each for each in lines if "than allowed" in each])
