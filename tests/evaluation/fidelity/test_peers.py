"""Peers are prepared and started according to their runtime."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from thresher.errors import ThresherError
from thresher.evaluation.fidelity.peers import MARKDOWN_PEERS, prepare_any, start
from thresher.evaluation.leaderboard.peer_runs import Entrant
from thresher.evaluation.leaderboard.peers import Environment


@pytest.mark.parametrize("name", MARKDOWN_PEERS)
def test_a_missing_peer_is_reported(name: str, tmp_path: Path) -> None:
    """A missing peer is reported and not installed, unless that is allowed."""
    peer = MARKDOWN_PEERS[name]
    with pytest.raises(ThresherError, match="not installed"):
        prepare_any(peer, tmp_path, python=sys.executable, install=False)


@pytest.mark.parametrize("name", MARKDOWN_PEERS)
def test_a_peer_whose_packages_are_missing_does_not_start(name: str, tmp_path: Path) -> None:
    """The worker, in either language, reports the missing package before the first page."""
    if find_spec(name.replace("-", "_")):
        pytest.skip(f"{name} is installed")
    python = Path(sys.executable)
    place = tmp_path / "package.json" if name == "defuddle" else python
    entrant = Entrant(MARKDOWN_PEERS[name], Environment(place, "1.5", "3.99.0"), tmp_path / "kept")
    with (
        start(entrant, deadline_s=1.0) as process,
        pytest.raises(ThresherError, match="cannot be started"),
    ):
        process.ask({"html": "", "url": None, "lang": None})
