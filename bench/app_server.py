"""The app as a process, for benchmarks of it."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

__all__ = ["find_port", "start_app", "wait_until_ready"]

_START_S: Final = 60.0


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
