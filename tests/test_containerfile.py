"""The container file: its instructions, and its steps run without a container."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from bench.app_server import find_port, wait_until_ready

ROOT: Final = Path(__file__).parent.parent
FILE: Final = ROOT / "docs" / "deploy" / "Containerfile"
KNOWN: Final = {
    *("FROM", "COPY", "RUN", "USER", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL"),
    "ENTRYPOINT",
}


def read_instructions() -> list[tuple[str, str]]:
    """Return the instructions with their arguments, in order."""
    lines = [line for line in FILE.read_text().splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    pairs = (line.partition(" ") for line in joined.splitlines() if line)
    return [(name, rest.strip()) for name, _, rest in pairs]


def only(name: str) -> str:
    (found,) = (rest for each, rest in read_instructions() if each == name)
    return found


def entrypoint() -> list[str]:
    command: list[str] = json.loads(only("ENTRYPOINT"))
    return command


def health_check() -> list[str]:
    command: list[str] = json.loads(only("HEALTHCHECK").partition("CMD ")[2])
    return command


@contextmanager
def running(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run the entry point on another port, with the paths of the container in a folder."""
    (folder / "thresher-token").write_text("a token of some length\n")
    data = folder / "data"
    data.mkdir()
    places = {"/data": str(data), "0.0.0.0": "127.0.0.1"}
    _, *arguments = (places.get(each, each) for each in entrypoint())
    arguments = [each.replace("/run/secrets", str(folder)) for each in arguments]
    command = [sys.executable, "-m", "thresher", *arguments, "--port", str(port), "--workers", "1"]
    rules = dict(part.split("=", 1) for part in only("ENV").split())["THRESHER_RULES"]
    env = {**os.environ, "THRESHER_RULES": rules.replace("/data", str(data))}
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL) as process:
        wait_until_ready(port)
        yield process
        process.kill()


def test_instructions_are_known_and_complete() -> None:
    """Each instruction is one of the format; both stages use a Python that Thresher supports."""
    found = read_instructions()
    assert set() == {name for name, _ in found} - KNOWN
    assert "FROM" == found[0][0]
    bases = {rest.split()[0] for name, rest in found if name == "FROM"}
    assert 1 == len(bases)
    version = re.search(r"python:(\d+\.\d+)", bases.pop())
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    assert version
    assert f"Programming Language :: Python :: {version[1]}" in project["classifiers"]
    assert "app" in project["optional-dependencies"]
    installed = re.search(r"pip install \S+ \"/src\[(\w+)\]\"", FILE.read_text())
    assert installed and "app" == installed[1]


def test_it_does_not_run_as_root() -> None:
    """The user is one that the file makes, and owns the folder of the data."""
    made = re.search(r"useradd .* (\w+) && install -d -o (\w+) (\S+)", FILE.read_text())
    assert made
    assert (only("USER"), only("USER"), only("VOLUME")) == made.groups()


def test_ports_agree() -> None:
    """The port that is exposed is the default of the app, and the one that is checked."""
    from thresher.app.settings import AppSettings

    assert str(AppSettings().port) == only("EXPOSE")
    assert f":{only('EXPOSE')}/healthz" in health_check()[-1]


@pytest.mark.slow
def test_its_steps_run(tmp_path: Path) -> None:
    """The entry point starts, the health check passes, and the signal to stop ends it cleanly."""
    port = find_port()
    check = [sys.executable, *health_check()[1:]]
    check[-1] = check[-1].replace(only("EXPOSE"), str(port))
    with running(tmp_path, port) as process:
        assert 0 == subprocess.run(check, check=False, timeout=60).returncode
        stop = signal.Signals[only("STOPSIGNAL")]
        process.send_signal(stop)
        # The server raises the signal again when it has stopped; as process 1 it ends by itself.
        assert process.wait(timeout=60) in (0, -stop)
    assert 0 != subprocess.run(check, check=False, timeout=60, capture_output=True).returncode
