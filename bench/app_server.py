"""The app as a process, for benchmarks of it."""

from __future__ import annotations

import http.client
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

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


def ask_until_answered(
    port: int,
    method: str,
    path: str,
    body: str | None,
    headers: Mapping[str, str],
    *,
    note_retry: Callable[[], None],
) -> tuple[int, str, str]:
    """Return status, target and text of an answer, however often it takes to get one."""
    kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_S)
        try:
            connection.request(method, path, body, {**headers, **kind})
            answer = connection.getresponse()
            text = answer.read().decode()
            return answer.status, answer.getheader("Location", ""), text
        except (OSError, http.client.HTTPException):
            note_retry()
            time.sleep(_RETRY_S)
        finally:
            connection.close()


def kill_while(
    work: Callable[[], None],
    n_done: Callable[[], int],
    *,
    n_all: int,
    n_kill: int,
    port: int,
    folder: Path,
    chance: random.Random,
) -> int:
    """Do some work with the app, which gets SIGKILL meanwhile and is started again.

    The kills are spread evenly over the ``n_all`` things to do, of which ``n_done`` tells how many
    are done, each within a save. Returns how often the app was killed before the work was done.
    """
    process = start_app(port, folder, workers=1)
    wait_until_ready(port)
    worker = threading.Thread(target=work)
    worker.start()
    n_killed = 0
    try:
        for kill in range(n_kill):
            while n_done() < n_all * kill // n_kill and worker.is_alive():
                time.sleep(_WITHIN_SAVE_S / 10)
            time.sleep(chance.uniform(0, _WITHIN_SAVE_S))
            n_killed += worker.is_alive()
            process.kill()
            process.wait()
            process = start_app(port, folder, workers=1)
            wait_until_ready(port)
        worker.join()
    finally:
        process.kill()
        process.wait()
    return n_killed
