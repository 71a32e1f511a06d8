"""The table of peers is complete."""

from __future__ import annotations

import pytest

from thresher.algorithms import ALGORITHMS
from thresher.evaluation.leaderboard.peers import PEERS, Peer


def test_names_are_unique() -> None:
    """A name identifies one contender in a table."""
    assert not PEERS.keys() & ALGORITHMS.keys()
    assert "none" not in PEERS


@pytest.mark.parametrize("peer", PEERS.values(), ids=list(PEERS))
def test_peers_say_how_they_are_called(peer: Peer) -> None:
    """Settings are stated: without them a score means little."""
    assert "(" in peer.call
    assert "," not in peer.name


def test_settings_distinguish_variants() -> None:
    """Outputs of one variant are never mistaken for another's."""
    assert len(PEERS) == len({(peer.package, peer.call) for peer in PEERS.values()})


def test_requirement_names_extras() -> None:
    """The requirement for pip has the extras that the settings need."""
    assert "rye[all]" == Peer("rye", "rye", "reap(html)", extras="all").requirement
    assert "rye" == Peer("rye", "rye", "reap(html)").requirement
