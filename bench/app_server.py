"""The app as a process, for benchmarks of it, and what those that kill it do alike."""

from __future__ import annotations

import argparse
import http.client
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bench.harness import make_kill_parser

GONE: Final = 404
_START_S: Final = 60.0
_RETRY_S: Final = 0.05
_TIMEOUT_S: Final = 60.0
_WITHIN_SAVE_S: Final = 0.03
"""Within this time of a save the next kill falls: about as long as a save takes."""


def find_port() -> int:
    """Return a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


def start_app(port: int, folder: Path, *, workers: int) -> subprocess.Popen[bytes]:
    """Start the app with its data in a folder; it is not ready yet."""
    command = [sys.executable, "-m", "thresher", "app", "--port", str(port), "--data", str(folder)]
    command += ["--workers", str(workers), "--rules", str(folder / "rules.toml")]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


def wait_until_ready(port: int) -> None:
    """Wait until the app answers; exits where it does not start."""
    until_s = time.monotonic() + _START_S
    while time.monotonic() < until_s:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_START_S)
        try:
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        except (OSError, http.client.HTTPException):
            time.sleep(0.1)
        finally:
            connection.close()
    raise SystemExit("the app does not start")


@dataclass(slots=True)
class Visitor:
    """Someone who works with the app, sends again what is not answered, and counts."""

    port: int
    n_saved: int = 0
    n_again: int = 0
    """Requests that had to be sent again."""
    waits_s: list[float] = field(default_factory=list)
    """Seconds that each took to save."""

    def save_all(self, pages: Sequence[int]) -> None:
        """Save pages, one after another."""
        raise NotImplementedError

    def ask(
        self,
        method: str,
        path: str,
        body: str | None,
        headers: Mapping[str, str],
        *,
        may_be_gone: bool = False,
    ) -> tuple[int, str, str]:
        """Return status, target and text of an answer; exits where the app refuses."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_TIMEOUT_S)
            try:
                connection.request(method, path, body, {**headers, **kind})
                answer = connection.getresponse()
                text = answer.read().decode()
            except (OSError, http.client.HTTPException):
                self.n_again += 1
                time.sleep(_RETRY_S)
                continue
            finally:
                connection.close()
            if answer.status >= 400 and not (may_be_gone and answer.status == GONE):
                raise SystemExit(f"{method} {path}: {answer.status} {text[:300]}")
            return answer.status, answer.getheader("Location", ""), text


def read_arguments(
    doc: str | None, what: str, arguments: Sequence[str] | None
) -> argparse.Namespace:
    """Read the arguments of a benchmark that kills the app; ``what`` is saved meanwhile."""
    parser = make_kill_parser(doc, what, 300)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    return parser.parse_args(arguments)


def report(text: str, output: Path | None) -> None:
    """Print what was counted, with the state of the machine, and write it to a file if asked."""
    text += f"; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
    print(text)
    if output:
        output.write_text(f"{text}\n", encoding="utf-8")


def kill_while(
    visitor: Visitor, pages: Sequence[int], folder: Path, *, n_kill: int, seed: int
) -> int:
    """Let a visitor save pages with the app, which gets SIGKILL meanwhile and is started again.

    The kills are spread evenly over the pages, each within a save. Returns how often the app was
    killed before the work was done.
    """
    chance = random.Random(seed)
    process = start_app(visitor.port, folder, workers=1)
    wait_until_ready(visitor.port)
    worker = threading.Thread(target=visitor.save_all, args=[pages])
    worker.start()
    n_killed = 0
    try:
        for kill in range(n_kill):
            while visitor.n_saved < len(pages) * kill // n_kill and worker.is_alive():
                time.sleep(_WITHIN_SAVE_S / 10)
            time.sleep(chance.uniform(0, _WITHIN_SAVE_S))
            n_killed += worker.is_alive()
            process.kill()
            process.wait()
            process = start_app(visitor.port, folder, workers=1)
            wait_until_ready(visitor.port)
        worker.join()
    finally:
        process.kill()
        process.wait()
    return n_killed
