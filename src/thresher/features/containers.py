"""Features of the containers around a block: size, kind of content, and the block's position."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.features.base import (
    CountFormulas,
    Counts,
    FeatureKind,
    FeatureTable,
    Log,
    Matrix,
    Operands,
    Share,
    list_features,
)
from thresher.page.scan import IntArray

N_CONTAINER: Final = 4
"""Containers that are described, nearest first."""
_DOMINANT: Final = (9, 7, 5)
"""Smallest shares of the page's prose in a dominant element, in tenths."""

_LOGS: Final = {
    "words": Log("words", "words, log"),
    "blocks": Log("blocks", "blocks, log"),
}
_SHARES: Final = {
    "link_density": Share("link_words", "words", "share of words inside links"),
    "prose": Share("prose_words", "words", "share of words in prose: ten words, few of them links"),
    "block_words": Share("words", "blocks", "words per block"),
    "terminators": Share("terminators", "words", "sentence-ending marks per word"),
    "images": Share("images", "blocks", "images per block"),
    "link_blocks": Share("link_blocks", "blocks", "share of blocks that are mostly links"),
}
_PLACES: Final = {
    "share": "its share of the page's words",
    "place": "position of the block in it, from 0 to 1",
}
_OF_CONTAINERS: Final[tuple[tuple[FeatureKind, FeatureTable], ...]] = (
    ("log", _LOGS),
    ("share", _SHARES),
    ("share", _PLACES),
)
_OF_DOMINANT: Final[tuple[tuple[FeatureKind, FeatureTable], ...]] = (
    ("value", {"inside": "contains the block", "before": "begins after the block"}),
    ("share", {"share": "its share of the page's words"}),
)
FORMULAS: Final = CountFormulas(_LOGS, _SHARES)
FEATURES: Final = (
    *(
        feature
        for kind, table in _OF_CONTAINERS
        for name, entry in table.items()
        for level in range(1, N_CONTAINER + 1)
        for feature in list_features("containers", f"container{level}_", kind, {name: entry})
    ),
    *(
        feature
        for tenths in _DOMINANT
        for kind, table in _OF_DOMINANT
        for feature in list_features("containers", f"dominant{tenths}_", kind, table)
    ),
    *list_features("containers", "", "log", {"containers": "containers around the block, log"}),
)


def measure(counts: Counts) -> Operands:
    """Return the operands of this group's features."""
    chain, n_block = counts.chain, counts.n_block
    first, stop = chain.first[:N_CONTAINER], chain.stop[:N_CONTAINER]
    logs, parts, wholes = counts.of_runs(FORMULAS, first, stop)
    words = counts.between("words", first, stop)
    dominant, dominant_words = _find_dominant(counts)
    total = counts.everywhere([counts.before("words")[-1]] * (N_CONTAINER + len(_DOMINANT)))
    return Operands(
        [logs.reshape(-1, n_block), chain.n_above[None]],
        [parts.reshape(-1, n_block), words, np.arange(n_block) - first, dominant_words],
        [wholes.reshape(-1, n_block), total[:N_CONTAINER], stop - first, total[N_CONTAINER:]],
        [dominant.reshape(-1, n_block)],
    )


def _find_dominant(counts: Counts) -> tuple[Matrix, IntArray]:
    """Find the smallest elements with most of the prose; those that have it are nested.

    Returns for each whether it contains a block, and whether it begins after it, float32[n, 2,
    n_block]; and its words, int32[n, n_block].
    """
    chain, words = counts.chain, counts.before("words")
    places = np.zeros((len(_DOMINANT), 2, counts.n_block), np.float32)
    held = [0] * len(_DOMINANT)
    total = int(counts.before("prose_words")[-1])
    if total:
        prose = counts.between("prose_words", chain.row_first, chain.row_stop) * np.int64(10)
        rows = (prose >= min(_DOMINANT) * total).nonzero()[0]
        for nth, tenths in enumerate(_DOMINANT):
            row = rows[prose[rows] >= tenths * total][-1]
            first, stop = chain.row_first[row], chain.row_stop[row]
            places[nth, 0, first:stop] = 1
            places[nth, 1, :first] = 1
            held[nth] = words[stop] - words[first]
    return places, counts.everywhere(held)
