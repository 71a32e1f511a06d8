"""The other metadata extractors, with the settings they are run with.

The calls are in `loaders`, under the same names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from thresher.evaluation.leaderboard.peers import Peer

__all__ = ["METADATA_PEERS", "THRESHER"]

THRESHER: Final = "thresher"
"""The name of our own row."""

_PEERS: Final = (
    Peer("trafilatura", "trafilatura", "extract_metadata(html, default_url=url)"),
    # htmldate comes with trafilatura, which calls it for the original date.
    Peer("htmldate", "trafilatura", "find_date(html, url=url)"),
    Peer("htmldate original", "trafilatura", "find_date(html, url=url, original_date=True)"),
    Peer(
        "newspaper4k",
        "newspaper4k",
        "Article(url, the page's language, fetch_images=False), parsed from html",
        extras="all",
    ),
    Peer("goose3", "goose3", "Goose(target_language).extract(raw_html=html)", extras="all"),
    Peer(
        "readability-lxml",
        "readability-lxml",
        "Document(html, url=url).short_title(), .author()",
    ),
)

METADATA_PEERS: Final[Mapping[str, Peer]] = {peer.name: peer for peer in _PEERS}
"""Every peer by name, in the order of the tables."""
