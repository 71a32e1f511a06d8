"""The containers around a block: how much they hold, of what kind, and where the block stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from thresher.features.base import Counts, Log, Matrix, Share, list_features, log2p1, ratio
from thresher.features.ladder import Ladder

__all__ = ["FEATURES", "measure"]

N_CONTAINER: Final = 4
"""Containers that are described, nearest first."""
_DOMINANT: Final = (9, 7, 5)
"""Tenths of the page's prose that a dominant element holds at least."""

_LOGS: Final[Mapping[str, Log]] = {
    "words": Log("words", "words, log"),
    "blocks": Log("blocks", "blocks, log"),
}
_SHARES: Final[Mapping[str, Share]] = {
    "link_density": Share("link_words", "words", "share of words inside links"),
    "prose": Share("prose_words", "words", "share of words in prose: ten words, few of them links"),
    "block_words": Share("words", "blocks", "words a block"),
    "terminators": Share("terminators", "words", "marks that end a sentence, a word"),
    "images": Share("images", "blocks", "images a block"),
    "link_blocks": Share("link_blocks", "blocks", "share of blocks that are mostly links"),
}
_PLACES: Final = {
    "share": "its share of the page's words",
    "place": "where the block stands in it, from 0 to 1",
}
_DOMINANT_PARTS: Final = {
    "inside": "holds the block",
    "before": "begins behind the block",
    "share": "its share of the page's words",
}
FEATURES: Final = (
    *(
        feature
        for table in (_LOGS, _SHARES, _PLACES)
        for name, entry in table.items()
        for level in range(1, N_CONTAINER + 1)
        for feature in list_features("containers", f"container{level}_", ({name: entry},))
    ),
    *(
        feature
        for tenths in _DOMINANT
        for feature in list_features("containers", f"dominant{tenths}_", (_DOMINANT_PARTS,))
    ),
    *list_features("containers", "", ({"containers": "containers around the block, log"},)),
)


def measure(counts: Counts, ladder: Ladder) -> Matrix:
    """Return the features of this group; float32[n_feature, n_block]."""
    first, stop = ladder.first[:N_CONTAINER], ladder.stop[:N_CONTAINER]
    n_block = first.shape[1]
    inside = counts.between(first, stop)
    words = inside[counts.row_of["words"]]
    return np.concatenate(
        (
            counts.tabulate(inside, _LOGS, _SHARES).reshape(-1, n_block),
            ratio(words, counts.before("words")[-1]),
            ratio(np.arange(n_block) - first, stop - first),
            *(_measure_dominant(counts, ladder, tenths) for tenths in _DOMINANT),
            log2p1(ladder.n_above)[None],
        )
    )


def _measure_dominant(counts: Counts, ladder: Ladder, tenths: int) -> Matrix:
    """Find the smallest element that holds most of the prose: all that do lie inside each other."""
    prose, words = counts.before("prose_words"), counts.before("words")
    measured = np.zeros((len(_DOMINANT_PARTS), counts.values.shape[1]), np.float32)
    if prose[-1]:
        inside = prose[ladder.row_stop] - prose[ladder.row_first]
        row = np.flatnonzero(10 * inside >= tenths * prose[-1])[-1]
        first, stop = ladder.row_first[row], ladder.row_stop[row]
        measured[0, first:stop] = 1
        measured[1, :first] = 1
        measured[2] = ratio(words[stop] - words[first], words[-1])
    return measured
