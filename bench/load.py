"""How the app answers many clients at a time, on its own and beside others that mean harm.

    python -m bench.load CORPUS… [--clients 50] [--seconds 20] [--workers N] [--pages N] [-o FILE]

Starts `thresher app` on a free port of this machine. First one client alone asks for answers that
take no page, over one connection. Then each client sends one page after another to
``/api/extract``, as fast as it is answered, over a connection that it keeps; the corpora are those
of `bench.soak`. Then the same again beside a hostile set: huge pages of `tests.helpers.hostile`,
requests that trickle, requests that are not HTTP or not JSON, addresses that are not public. What
the clients see is printed: requests, errors (any status but 200, any answer that is not the record
of the page), throughput, and milliseconds until the answer, the median, 95 and 99 of 100 and the
longest. Exits with 1 where there was an error. Clients and server share the processors.
"""

from __future__ import annotations

import http.client
import json
import os
import platform
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from bench.app_server import find_port, start_app, wait_until_ready
from bench.harness import make_parser, named_corpora
from tests.helpers.hostile import SHAPES

_TIMEOUT_S: Final = 60.0
_PATHS: Final = ("/", "/rules", "/api/methods", "/healthz")
"""Answers that take no page."""
_N_GET: Final = 400
_SHAPES: Final = ("div in div, a word each", "links, a paragraph each", "footnotes", "paragraphs")
"""Huge pages that take longest, of several kinds."""
_HALF_REQUEST: Final = (
    "POST /api/extract HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: text/html\r\n"
    "Content-Length: 999\r\n\r\n"
)
_PRIVATE: Final = (
    "http://127.0.0.1:1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://0x7f.1/",
    "http://10.0.0.1/",
    "file:///etc/passwd",
)


@dataclass(slots=True)
class Load:
    """Measurements of the clients."""

    took_s: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def row(self, name: str) -> str:
        """Return a row of the table."""
        took = sorted(self.took_s) or [0.0]
        marks = [took[min(int(len(took) * share), len(took) - 1)] for share in (0.5, 0.95, 0.99)]
        times = " | ".join(f"{seconds * 1000:,.0f}" for seconds in (*marks, took[-1]))
        rate = len(self.took_s) / self.seconds if self.seconds else 0.0
        return f"| {name} | {len(self.took_s):,} | {self.errors.total()} | {rate:.0f} | {times} |"


_HEAD: Final = (
    "| | requests | errors | a second | median ms | 95 of 100 | 99 of 100 | longest |\n"
    "|---|---|---|---|---|---|---|---|"
)

Harm = Callable[[int, threading.Event], str]
"""Does one harmful thing to the app on a port; returns what came of it."""


def _send_huge(name: str) -> Harm:
    def send(port: int, over: threading.Event) -> str:
        shape = SHAPES[name]
        return str(_ask(port, shape.build(shape.full).encode(), "text/html")[0])

    return send


def _send_slowly(start: str, piece: bytes) -> Harm:
    """Send a piece now and then, of a request that is never whole."""

    def send(port: int, over: threading.Event) -> str:
        with socket.create_connection(("127.0.0.1", port), timeout=_TIMEOUT_S) as connection:
            connection.sendall(start.format(port=port).encode())
            while not over.wait(0.2):
                connection.sendall(piece)
        return "given up"

    return send


def _send_nonsense(port: int, over: threading.Event) -> str:
    """Send what is not HTTP, then what is not JSON."""
    with socket.create_connection(("127.0.0.1", port), timeout=_TIMEOUT_S) as connection:
        connection.sendall(b"\x00\xff GET HTTP/9.9\r\n\r\n\r\n")
        with suppress(OSError):
            connection.recv(1000)
    return str(_ask(port, b"[" * 1_000_000, "application/json")[0])


def _send_private(port: int, over: threading.Event) -> str:
    """Ask for addresses that nobody but the machine itself should reach."""
    answers = set()
    for url in _PRIVATE:
        status, body = _ask(port, json.dumps({"url": url}).encode(), "application/json")
        answers.add(f"{status} {json.loads(body)['error']['type']}")
    return ", ".join(sorted(answers))


def _send_script(port: int, over: threading.Event) -> str:
    """Send markup that would run; say whether anything of it came back."""
    html = (
        "<p>word<script>alert(1)</script><img src=x onerror=alert(1)><a href=javascript:alert(1)>"
    )
    _, body = _ask(port, html.encode(), "text/html", path="/api/extract?formats=html")
    return "came back" if b"alert" in body else "taken out"


HOSTILE: Final[dict[str, Harm]] = {
    **{f"huge page: {name}": _send_huge(name) for name in _SHAPES},
    "slow body": _send_slowly(_HALF_REQUEST, b"x"),
    "slow headers": _send_slowly("GET / HTTP/1.1\r\n", b"X-A: b\r\n"),
    "nonsense": _send_nonsense,
    "private addresses": _send_private,
    "scripts": _send_script,
}
"""Clients that mean harm, each one of its own."""


def run_load(port: int, pages: Sequence[bytes], *, clients: int, seconds: float) -> Load:
    """Let clients send pages for a time; each begins with another page."""
    load, lock = Load(), threading.Lock()
    until_s = time.monotonic() + seconds

    def run(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_S)
        index = number * len(pages) // clients
        while time.monotonic() < until_s:
            start_s = time.monotonic()
            trouble = _send(connection, pages[index % len(pages)])
            took_s = time.monotonic() - start_s
            with lock:
                load.took_s.append(took_s)
                if trouble:
                    load.errors[trouble] += 1
            index += 1
        connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(clients)]
    start_s = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    load.seconds = time.monotonic() - start_s
    return load


def _send(connection: http.client.HTTPConnection, page: bytes) -> str | None:
    try:
        connection.request("POST", "/api/extract", page, {"Content-Type": "text/html"})
        answer = connection.getresponse()
        body = answer.read()
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        return type(error).__name__
    if answer.status != 200:
        return f"{answer.status} {json.loads(body)['error']['message'][:80]}"
    return None if "markdown" in json.loads(body)["output"] else "no record"


def _ask(port: int, body: bytes, kind: str, *, path: str = "/api/extract") -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_S)
    try:
        connection.request("POST", path, body, {"Content-Type": kind})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


@contextmanager
def _harming(port: int) -> Iterator[dict[str, Counter[str]]]:
    """Let every hostile client do its thing again and again; yields what came of each."""
    over = threading.Event()
    outcomes: dict[str, Counter[str]] = {name: Counter() for name in HOSTILE}

    def run(name: str) -> None:
        while not over.is_set():
            try:
                outcomes[name][HOSTILE[name](port, over)] += 1
            except (OSError, http.client.HTTPException, ValueError) as error:
                outcomes[name][type(error).__name__] += 1
            over.wait(0.1)

    threads = [threading.Thread(target=run, args=(name,)) for name in HOSTILE]
    for thread in threads:
        thread.start()
    try:
        yield outcomes
    finally:
        over.set()
        for thread in threads:
            thread.join()


@contextmanager
def _serving(workers: int) -> Iterator[int]:
    port = find_port()
    with tempfile.TemporaryDirectory() as folder:
        process = start_app(port, Path(folder), workers=workers)
        try:
            wait_until_ready(port)
            yield port
        finally:
            process.terminate()
            process.wait(timeout=_TIMEOUT_S)


def time_gets(port: int, paths: Sequence[str], n_get: int) -> list[float]:
    """Return the seconds of answers to one client, one after another on one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_S)
    took_s = []
    for index in range(n_get):
        start_s = time.monotonic()
        connection.request("GET", paths[index % len(paths)])
        connection.getresponse().read()
        took_s.append(time.monotonic() - start_s)
    connection.close()
    return took_s


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    parser = make_parser(__doc__, corpora=True)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20.0, help="of each round")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--pages", type=int, default=200, help="different pages to send")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    asked = parser.parse_args(arguments)
    corpora = named_corpora(asked.corpora)
    # All corpora alike: a page of each in turn.
    readers = [(page.html.encode() for page in corpus.pages()) for corpus in corpora]
    n_per_corpus = -(-asked.pages // len(corpora)) if corpora else 0
    pages = [page for reader in readers for page in islice(reader, n_per_corpus)][: asked.pages]
    if not pages:
        raise SystemExit("there are no pages to send")
    load_before = os.getloadavg()[0]
    with _serving(asked.workers) as port:
        gets_s = sorted(time_gets(port, _PATHS, _N_GET))
        run_load(port, pages, clients=asked.clients, seconds=min(2.0, asked.seconds))
        alone = run_load(port, pages, clients=asked.clients, seconds=asked.seconds)
        with _harming(port) as outcomes:
            beside = run_load(port, pages, clients=asked.clients, seconds=asked.seconds)
        after = run_load(port, pages, clients=asked.clients, seconds=asked.seconds / 2)
    loads = {"alone": alone, "beside the hostile set": beside, "after it": after}
    size = sum(map(len, pages)) // len(pages)
    lines = [
        f"{asked.clients} clients, {asked.workers} workers, {len(pages)} pages of {size:,} bytes"
        f" on average; {platform.python_implementation()} {platform.python_version()},"
        f" {os.cpu_count()} processors, load {load_before:.1f} before",
        f"GET on a kept connection: median {gets_s[_N_GET // 2] * 1000:.1f} ms,"
        f" 95 of 100 {gets_s[_N_GET * 95 // 100] * 1000:.1f} ms",
        "",
        _HEAD,
        *(load.row(name) for name, load in loads.items()),
        "",
        *(f"- {name}: {_spell(counts)}" for name, counts in outcomes.items()),
        *(f"- error {name}: {_spell(load.errors)}" for name, load in loads.items() if load.errors),
    ]
    text = "\n".join(lines)
    print(text)
    if asked.output:
        asked.output.write_text(f"{text}\n", encoding="utf-8")
    return 1 if any(load.errors for load in loads.values()) else 0


def _spell(found: Counter[str]) -> str:
    return "; ".join(f"{outcome} ({n})" for outcome, n in found.most_common()) or "nothing"


if __name__ == "__main__":
    sys.exit(main())
