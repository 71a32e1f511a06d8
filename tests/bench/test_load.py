"""The load test runs and counts errors correctly."""

from __future__ import annotations

import http.client
import json
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bench.load import HOSTILE, Load, run_load, time_gets


class _Fake(BaseHTTPRequestHandler):
    """A server whose answers are correct, wrong and errors in turn."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        page = self.rfile.read(size)
        status = 500 if page == b"wrong" else 200
        answer: dict[str, object] = {"output": {"markdown": "word"}}
        if page == b"wrong":
            answer = {"error": {"type": "X", "message": "broken"}}
        elif page == b"empty":
            answer = {"output": {}}
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(self.path[:2].encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Fake) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def test_load_counts_what_was_answered(port: int) -> None:
    """Every client sends pages, and an answer that is not their record is an error."""
    load = run_load(port, [b"<p>a", b"wrong", b"empty"], clients=3, seconds=0.5)
    assert {"500 broken", "no record"} == load.errors.keys()
    assert load.errors.total() < len(load.took_s)


def test_gets_are_timed_one_by_one(port: int) -> None:
    """Each of the answers has its time."""
    assert 5 == sum(took_s > 0 for took_s in time_gets(port, ("/a", "/b"), 5))


def test_load_counts_who_is_not_answered() -> None:
    """A server that cannot be reached is counted as an error, and the test goes on."""
    load = run_load(1, [b"<p>a"], clients=1, seconds=0.05)
    assert ["ConnectionRefusedError"] == list(load.errors)


def test_row_has_the_shares_in_order() -> None:
    """A row has the median, the 95th and the 99th percentile, and the maximum."""
    load = Load([n / 1000 for n in range(100, 0, -1)], Counter(x=2), 10.0)
    assert "| a | 100 | 2 | 10 | 51 | 96 | 100 | 100 |" == load.row("a")


def test_harm_ends_when_it_is_over(port: int) -> None:
    """A client that sends slowly stops when the test ends."""
    over = threading.Event()
    over.set()
    assert "given up" == HOSTILE["slow headers"](port, over)
    with pytest.raises((OSError, http.client.HTTPException)):
        HOSTILE["private addresses"](1, over)
