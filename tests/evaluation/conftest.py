"""Environments of fake peers: the real worker runs a fake package in each."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from thresher.evaluation.leaderboard.peer_runs import Entrant, Process, run_peer
from thresher.evaluation.leaderboard.peers import PEERS, prepare

FAKE_VERSION: Final = "1.5"
FAKE_PYTHON: Final = f"""\
#!{sys.executable}
import os, re, runpy, sys, types

if "-c" in sys.argv:  # asked for versions
    print("{FAKE_VERSION} 3.99.0")
    sys.exit()
sys.argv = sys.argv[2:]  # after -I
worker, peer = sys.argv[:2]
asked = os.path.join(os.path.dirname(__file__), "asked")


def extract(html, **settings):
    with open(asked, "a") as file:
        print(peer, file=file)
    print("noise on standard output")
    if "raise" in html:
        raise ValueError("by design")
    if "crash" in html:
        os._exit(7)
    while "hang" in html:
        pass
    return re.sub("<[^>]*>", "", html)


def extract_metadata(html, default_url=None):
    return types.SimpleNamespace(title="Rye is back | The Sheaf", author="Ada Roth", date=None)


class Document:
    def __init__(self, html, url=None):
        self.html = html

    def summary(self):
        return self.html


sys.modules["trafilatura"] = types.SimpleNamespace(
    extract=extract, extract_metadata=extract_metadata
)
sys.modules["readability"] = types.SimpleNamespace(Document=Document)
sys.modules["resiliparse"] = None  # as where it is not installed
runpy.run_path(worker, run_name="__main__")
"""
"""Stands in for the interpreter of an environment. Its `trafilatura` strips tags, and does what the
page says; its `readability` returns the page unchanged."""


@pytest.fixture
def environments(tmp_path: Path) -> Path:
    """A folder with environments of trafilatura, readability-lxml and of a peer that is broken."""
    folder = tmp_path / "environments"
    for package in ("trafilatura", "readability-lxml", "resiliparse"):
        python = folder / package / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(FAKE_PYTHON)
        python.chmod(python.stat().st_mode | stat.S_IXUSR)
    return folder


def times_asked(environments: Path) -> int:
    """Return how often the fake trafilatura was asked, excluding its loading."""
    lines = (environments / "trafilatura" / "bin" / "asked").read_text().splitlines()
    return len(lines)


@pytest.fixture
def entrants(environments: Path, tmp_path: Path) -> Iterator[dict[Entrant, Process]]:
    """Two fake peers, each with its process."""
    running: dict[Entrant, Process] = {}
    for name in ("trafilatura", "readability-lxml"):
        place = prepare(PEERS[name], environments, python=sys.executable, install=False)
        entrant = Entrant(PEERS[name], place, tmp_path / "kept")
        running[entrant] = run_peer(entrant, deadline_s=1.0)
    yield running
    for process in running.values():
        process.stop()
