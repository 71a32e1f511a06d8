"""The table of peers defines how each peer is run."""

from __future__ import annotations

from thresher.evaluation.leaderboard.peers import PEERS
from thresher.evaluation.metadata_scores.scores import METADATA_PEERS, THRESHER


def test_peers_share_the_environments_of_the_leaderboard() -> None:
    """One environment per package serves both, with the same extras."""
    requirements = {peer.package: peer.requirement for peer in PEERS.values()}
    for peer in METADATA_PEERS.values():
        assert requirements[peer.package] == peer.requirement
    assert THRESHER not in METADATA_PEERS
