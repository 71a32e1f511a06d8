"""A web server on this machine."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

__all__ = ["Answer", "Web", "serving"]

Answer = Callable[[BaseHTTPRequestHandler], None]


class Web(ThreadingHTTPServer):
    """Serves what tests tell it to, on a port of 127.0.0.1 that is free."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: dict[str, Answer] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        """Path and headers, lower-case, of every request so far."""
        self.over = threading.Event()
        """Set when the test is over: slow answers wait for it."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def serve(
        self, path: str, body: bytes = b"", *, status: int = 200, **headers: str | None
    ) -> str:
        """Answer a path; return its URL. Keywords are headers, `_` for `-`; None omits one."""
        named = {"Content-Length": str(len(body)), "Content-Type": "text/html"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }

        def answer(request: BaseHTTPRequestHandler) -> None:
            request.send_response(status)
            for name, value in named.items():
                if value is not None:
                    request.send_header(name, value)
            request.end_headers()
            request.wfile.write(body)

        return self.serve_by(path, answer)

    def serve_by(self, path: str, answer: Answer) -> str:
        self.answers[path] = answer
        return self.url + path

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients under test hang up."""


class Handler(BaseHTTPRequestHandler):
    server: Web

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.requests.append((self.path, headers))
        self.server.answers[self.path](self)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serving(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """Run a server, with no proxy before it."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with Web() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.over.set()
        server.shutdown()
        thread.join()
