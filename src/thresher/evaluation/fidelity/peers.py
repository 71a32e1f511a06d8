"""Other extractors and converters that write Markdown, and how they are run.

Python peers are installed and run as on the leaderboard; `loaders` asks them for Markdown. Defuddle
runs on Node.js (`node`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from thresher.evaluation.fidelity.node import PACKAGES, prepare_node, run_node
from thresher.evaluation.leaderboard.environment import prepare
from thresher.evaluation.leaderboard.peer_runs import Entrant, run_peer
from thresher.evaluation.leaderboard.peers import Peer
from thresher.evaluation.leaderboard.process import Process

__all__ = ["LOADERS", "MARKDOWN_PEERS", "bring", "start"]

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


def bring(peer: Peer, folder: Path, outputs: Path, *, python: str, install: bool) -> Entrant:
    """Prepare a peer below a folder of environments; ThresherError if that fails."""
    if peer.package in PACKAGES:
        return Entrant(peer, prepare_node(peer, folder, install=install), outputs)
    return Entrant(peer, prepare(peer, folder, python=python, install=install), outputs)


def start(entrant: Entrant, *, deadline_s: float) -> Process:
    """Return the process that answers with a peer's Markdown; it starts with the first request."""
    if entrant.peer.package in PACKAGES:
        return run_node(entrant.environment, deadline_s=deadline_s)
    return run_peer(entrant, deadline_s=deadline_s, loaders=LOADERS)
