"""The table of peers is complete."""

from __future__ import annotations

import pytest

from thresher.algorithms import ALGORITHMS
from thresher.evaluation.leaderboard.peers import PEERS, Peer


def test_names_are_unique() -> None:
    """Each name identifies a single contender."""
    assert not PEERS.keys() & ALGORITHMS.keys()
    assert "none" not in PEERS


@pytest.mark.parametrize("peer", PEERS.values(), ids=list(PEERS))
def test_peers_state_their_settings(peer: Peer) -> None:
    """Every peer states its settings, without which a score means little."""
    assert "(" in peer.call
    assert "," not in peer.name


def test_settings_distinguish_variants() -> None:
    """Outputs of one variant are never used for another."""
    assert len(PEERS) == len({(peer.package, peer.call) for peer in PEERS.values()})


def test_requirement_names_extras() -> None:
    """The requirement for pip includes the extras that the settings need."""
    assert "rye[all]" == Peer("rye", "rye", "reap(html)", extras="all").requirement
    assert "rye" == Peer("rye", "rye", "reap(html)").requirement
