"""Virtual environments for peers: one per package, so that none changes another's dependencies.

Peers are never installed beside Thresher.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thresher.errors import ThresherError
from thresher.evaluation.leaderboard.peers import Peer
from thresher.support.files import cache_folder

__all__ = ["Environment", "default_folder", "prepare"]

INSTALL_TIMEOUT_S: Final = 900.0
"""Seconds for one step: creating an environment, or installing one package with its
dependencies."""
_SHOW_VERSION: Final = (
    "import importlib.metadata, platform, sys\n"
    "print(importlib.metadata.version(sys.argv[1]), platform.python_version())"
)


@dataclass(frozen=True, slots=True)
class Environment:
    """The environment a peer runs in."""

    python: Path
    version: str
    """Of the peer's package."""
    python_version: str


def default_folder() -> Path:
    """Return the folder of environments in the user's cache."""
    return cache_folder() / "peers"


def prepare(peer: Peer, folder: Path, *, python: str, install: bool = True) -> Environment:
    """Return the environment of a peer's package below a folder; create it if necessary.

    ``python`` is the interpreter for new environments. Raises ThresherError if the package is
    missing and cannot, or must not, be installed.
    """
    place = folder / peer.package
    own_python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    found = _read_versions(own_python, peer.package)
    if found is None and not install:
        raise ThresherError("not installed")
    if found is None:
        if not own_python.exists():
            _run([python, "-m", "venv", str(place)], "no environment")
        pip = [str(own_python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # Old versions of pip fail on extras of one name in two spellings.
        _run([*pip, "--upgrade", "pip"], "pip cannot be upgraded")
        _run([*pip, peer.requirement], "cannot be installed")
        found = _read_versions(own_python, peer.package)
    if found is None:
        raise ThresherError("installed, but not found")
    return Environment(own_python, *found)


def _read_versions(python: Path, package: str) -> tuple[str, str] | None:
    """Return the versions of a package and of its Python, None if it is not installed."""
    try:
        shown = subprocess.run(
            [str(python), "-I", "-c", _SHOW_VERSION, package],
            check=True,
            capture_output=True,
            text=True,
            timeout=INSTALL_TIMEOUT_S,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    version, python_version = shown.stdout.split()
    return version, python_version


def _run(command: Sequence[str], problem: str) -> None:
    try:
        subprocess.run(
            command,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=INSTALL_TIMEOUT_S,
        )
    except subprocess.CalledProcessError as error:
        lines = [line.strip() for line in error.stdout.splitlines() if line.strip()]
        errors = [line for line in lines if line.lower().startswith("error")] or lines
        raise ThresherError(f"{problem}: {errors[-1] if errors else error}") from error
    except (OSError, subprocess.SubprocessError) as error:
        raise ThresherError(f"{problem}: {error}") from error
