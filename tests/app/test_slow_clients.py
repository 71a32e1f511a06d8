"""The app and the API beside slow clients."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the extra app is not installed")

from bench.app_server import find_port
from tests.app.serving import serving
from tests.helpers.slow_clients import ask, dribbling
from thresher.serving.connections import ConnectionLimits


def test_the_app_answers_beside_dribbling_sockets(tmp_path: Path) -> None:
    """Sockets that dribble heads and bodies keep nobody else from an answer."""
    limits = ConnectionLimits(max_connections=20)
    with serving(tmp_path, connections=limits) as (address, _):
        port = int(address.rpartition(":")[2])
        with dribbling(port, 50) as errors:
            assert [200] * 10 == [ask(port, path) for path in ("/healthz", "/") * 5]
        assert [] == errors


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
