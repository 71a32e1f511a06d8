"""The table of peers is complete."""

from __future__ import annotations

import pytest

from thresher.algorithms import ALGORITHMS
from thresher.evaluation.leaderboard.peers import PEERS, Peer


def test_names_are_those_of_nobody_else() -> None:
    """A name stands for one contender in a table."""
    assert not PEERS.keys() & ALGORITHMS.keys()
    assert "none" not in PEERS


@pytest.mark.parametrize("peer", PEERS.values(), ids=list(PEERS))
def test_peers_say_how_they_are_called(peer: Peer) -> None:
    """Settings are told: without them a score means little."""
    assert "(" in peer.call
    assert "," not in peer.name


def test_settings_tell_variants_apart() -> None:
    """What is kept of one variant is never taken for another's."""
    assert len(PEERS) == len({(peer.package, peer.call) for peer in PEERS.values()})


def test_requirement_names_extras() -> None:
    """What pip is told has the extras that the settings need."""
    assert "rye[all]" == Peer("rye", "rye", "reap(html)", extras="all").requirement
    assert "rye" == Peer("rye", "rye", "reap(html)").requirement
