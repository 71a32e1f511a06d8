"""The peers, other extractors with their settings, and the environments they are installed in.

The settings of peers are those that their authors recommend, in their manual or in their own
evaluation; if these differ, or a setting changes what counts as content, each is a separate peer.
The calls are in `worker`, under the same names. Each package has a virtual environment of its own,
so that none changes another's dependencies. Peers are never installed beside Thresher.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thresher.errors import ThresherError

INSTALL_TIMEOUT_S: Final = 900.0
"""Seconds for one step: creating an environment, or installing one package with its
dependencies."""
_SHOW_VERSION: Final = (
    "import importlib.metadata, platform, sys\n"
    "print(importlib.metadata.version(sys.argv[1]), platform.python_version())"
)


@dataclass(frozen=True, slots=True)
class Peer:
    """Another extractor with one set of settings."""

    name: str
    """Its name in tables, and in `worker`."""
    package: str
    """The distribution that contains it, by its name on PyPI."""
    call: str
    """How it is called, in short; its outputs are kept under this too."""
    extras: str = ""
    """Comma-separated extras of the package that its settings need."""
    gives_html: bool = False
    """Whether it returns HTML. All such HTML is converted to text by our `keep_all`."""

    @property
    def requirement(self) -> str:
        """The requirement passed to pip."""
        return f"{self.package}[{self.extras}]" if self.extras else self.package


def by_name(*peers: Peer) -> dict[str, Peer]:
    """Return a table of peers, in the order of the tables before they are sorted."""
    return {peer.name: peer for peer in peers}


PEERS: Final = by_name(
    Peer("trafilatura", "trafilatura", "extract(html, include_comments=False)"),
    Peer("trafilatura comments", "trafilatura", "extract(html)"),
    Peer("trafilatura fast", "trafilatura", "extract(html, include_comments=False, fast=True)"),
    Peer(
        "trafilatura precision",
        "trafilatura",
        "extract(html, include_comments=False, favor_precision=True)",
    ),
    Peer(
        "trafilatura recall",
        "trafilatura",
        "extract(html, include_comments=False, favor_recall=True)",
    ),
    Peer("rs-trafilatura", "rs-trafilatura", "extract(html, url=url).main_content"),
    Peer("resiliparse", "resiliparse", "extract_plain_text(html, main_content=True)"),
    Peer(
        "resiliparse no alt",
        "resiliparse",
        "extract_plain_text(html, main_content=True, alt_texts=False)",
    ),
    Peer("readability-lxml", "readability-lxml", "Document(html).summary()", gives_html=True),
    Peer(
        "magic-html",
        "magic-html",
        "GeneralExtractor().extract(html, base_url=url)",
        gives_html=True,
    ),
    Peer(
        "jusText",
        "jusText",
        "justext(html, stoplist of the page's language); without stop words where there is none; "
        "in Chinese and Japanese a third of the lengths",
    ),
    Peer("BoilerPy3", "boilerpy3", "ArticleExtractor(raise_on_failure=False).get_content(html)"),
    Peer(
        "newspaper4k",
        "newspaper4k",
        "Article(url, the page's language, fetch_images=False), parsed from html",
        extras="all",
    ),
    Peer(
        "goose3",
        "goose3",
        "Goose(target_language, stop words class of the page's language).extract(raw_html=html)",
        extras="all",
    ),
    Peer("turbohtml", "turbohtml", "parse(html).main_text()"),
)
"""The peers of the leaderboard."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The environment a peer runs in."""

    python: Path
    version: str
    """Of the peer's package."""
    python_version: str


def prepare(peer: Peer, folder: Path, *, python: str, install: bool = True) -> Environment:
    """Return the environment of a peer's package below a folder; create it if necessary.

    ``python`` is the interpreter for new environments. Raises ThresherError if the package is
    missing and cannot, or must not, be installed.
    """
    place = folder / peer.package
    own_python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    versions = _read_versions(own_python, peer.package)
    if versions is None and not install:
        raise ThresherError("not installed")
    if versions is None:
        if not own_python.exists():
            run_step([python, "-m", "venv", str(place)], "no environment")
        pip = [str(own_python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # Old versions of pip fail on extras of one name in two spellings.
        run_step([*pip, "--upgrade", "pip"], "pip cannot be upgraded")
        run_step([*pip, peer.requirement], "cannot be installed")
        versions = _read_versions(own_python, peer.package)
    if versions is None:
        raise ThresherError("installed, but not found")
    return Environment(own_python, *versions)


def _read_versions(python: Path, package: str) -> tuple[str, str] | None:
    try:
        shown = run_step([str(python), "-I", "-c", _SHOW_VERSION, package], "no version")
    except ThresherError:
        return None
    version, python_version = shown.split()[-2:]
    return version, python_version


def run_step(command: Sequence[str], problem: str) -> str:
    """Run a program and return what it prints; ThresherError with its reason if it fails."""
    try:
        return subprocess.run(
            command,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=INSTALL_TIMEOUT_S,
        ).stdout
    except subprocess.CalledProcessError as error:
        lines = [line.strip() for line in error.stdout.splitlines() if line.strip()]
        errors = [line for line in lines if line.lower().startswith("error")] or lines
        raise ThresherError(f"{problem}: {errors[-1] if errors else error}") from error
    except FileNotFoundError as error:
        raise ThresherError(f"{problem}: {command[0]} is not installed") from error
    except (OSError, subprocess.SubprocessError) as error:
        raise ThresherError(f"{problem}: {error}") from error
