"""Peers that run on Node.js: a folder for each, filled by npm, and their worker."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Final

from thresher.errors import ThresherError
from thresher.evaluation.leaderboard.environment import INSTALL_TIMEOUT_S, Environment
from thresher.evaluation.leaderboard.peers import Peer
from thresher.evaluation.leaderboard.process import Process

__all__ = ["PACKAGES", "prepare_node", "run_node"]

PACKAGES: Final = {"defuddle": ("defuddle", "linkedom@0.18.12")}
"""Peer → packages to install with npm. Defuddle needs a document: linkedom is what it is tested
with, in the last version before it took a dependency that not every mirror has."""
_WORKER: Final = Path(__file__).with_name("worker.mjs")


def prepare_node(peer: Peer, folder: Path, *, install: bool = True) -> Environment:
    """Return where a peer's packages are below a folder; install them if necessary.

    The environment's ``python`` is its `package.json`. Raises ThresherError if Node.js or the
    package is missing and cannot, or must not, be installed.
    """
    place = folder / peer.package
    about = place / "node_modules" / peer.package / "package.json"
    if not about.exists():
        if not install:
            raise ThresherError("not installed")
        place.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(place)]
        _read([*command, *PACKAGES[peer.package]], "cannot be installed")
    node = _read(["node", "--version"], "no Node.js").strip().removeprefix("v")
    try:
        version = json.loads(about.read_text(encoding="utf-8"))["version"]
    except (OSError, ValueError, LookupError) as error:
        raise ThresherError(f"installed, but not found: {error}") from error
    return Environment(place / "package.json", version, f"Node.js {node}")


def run_node(environment: Environment, *, deadline_s: float) -> Process:
    """Return the process that answers with a peer's Markdown; it starts with the first request."""
    folder = environment.python.parent
    return Process(["node", str(_WORKER), str(folder)], deadline_s=deadline_s)


def _read(command: list[str], problem: str) -> str:
    """Run a command and return its output."""
    if shutil.which(command[0]) is None:
        raise ThresherError(f"{problem}: {command[0]} is not installed")
    try:
        return subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise ThresherError(f"{problem}: {error}") from error
