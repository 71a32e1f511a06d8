"""Other extractors and converters that write Markdown, and how they are run.

Python peers are installed and run as on the leaderboard; `loaders` asks them for Markdown. Those on
Node.js have a folder each, filled by npm, and a worker of their own.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from thresher.errors import ThresherError
from thresher.evaluation.leaderboard.peer_runs import Entrant, Process, run_peer
from thresher.evaluation.leaderboard.peers import INSTALL_TIMEOUT_S, Environment, Peer, prepare

__all__ = ["MARKDOWN_PEERS", "prepare_any", "start"]

PACKAGES: Final = {"defuddle": ("defuddle", "linkedom@0.18.12")}
"""Peer → packages to install with npm. Defuddle needs a document: linkedom is what it is tested
with, in the last version before it took a dependency that not every mirror has."""
_WORKER: Final = Path(__file__).with_name("worker.mjs")
LOADERS: Final = Path(__file__).with_name("loaders.py")
_PEERS: Final = (
    Peer(
        "trafilatura",
        "trafilatura",
        'extract(html, url, output_format="markdown", include_formatting=True, include_links=True,'
        " include_images=True, include_tables=True, include_comments=False)",
    ),
    Peer("defuddle", "defuddle", "Defuddle(document, url, {markdown: true, useAsync: false})"),
    Peer("markitdown", "markitdown", "MarkItDown().convert_stream(html)"),
    Peer("html-to-markdown", "html-to-markdown", "convert(html).content"),
)
MARKDOWN_PEERS: Final[Mapping[str, Peer]] = {peer.name: peer for peer in _PEERS}
"""Every peer by name. The last two convert the whole page: they omit nothing."""


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
        _run_tool([*command, *PACKAGES[peer.package]], "cannot be installed")
    node = _run_tool(["node", "--version"], "no Node.js").strip().removeprefix("v")
    try:
        version = json.loads(about.read_text(encoding="utf-8"))["version"]
    except (OSError, ValueError, LookupError) as error:
        raise ThresherError(f"installed, but not found: {error}") from error
    return Environment(place / "package.json", version, f"Node.js {node}")


def run_node(environment: Environment, *, deadline_s: float) -> Process:
    """Return the process that answers with a peer's Markdown; it starts with the first request."""
    folder = environment.python.parent
    return Process(["node", str(_WORKER), str(folder)], deadline_s=deadline_s)


def _run_tool(command: list[str], problem: str) -> str:
    """Run a command and return its output."""
    if shutil.which(command[0]) is None:
        raise ThresherError(f"{problem}: {command[0]} is not installed")
    try:
        return subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise ThresherError(f"{problem}: {error}") from error


def prepare_any(peer: Peer, folder: Path, *, python: str, install: bool) -> Environment:
    """Prepare a peer below a folder of environments; ThresherError if that fails."""
    if peer.package in PACKAGES:
        return prepare_node(peer, folder, install=install)
    return prepare(peer, folder, python=python, install=install)


def start(entrant: Entrant, *, deadline_s: float) -> Process:
    """Return the process that answers with a peer's Markdown; it starts with the first request."""
    if entrant.peer.package in PACKAGES:
        return run_node(entrant.environment, deadline_s=deadline_s)
    return run_peer(entrant, deadline_s=deadline_s, loaders=LOADERS)
