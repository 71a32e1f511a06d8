"""How a block's surroundings repeat: children of one container with the same tag and classes."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.features.base import Counts, Matrix, list_features, log2p1, ratio
from thresher.features.hashing import Hashes, mix
from thresher.features.ladder import Ladder

__all__ = ["FEATURES", "measure"]

N_LEVEL: Final = 3
"""Containers whose children are compared, nearest first."""
_ALIKE: Final = {
    "count": "children like the one that holds the block, log",
    "mean_words": "words each of them, log",
    "before": "how many of them stand before the block, log",
    "share": "their share of the container's words",
    "spread": "how far their lengths are from alike, from 0 to 1",
    "link_density": "share of their words inside links",
}
FEATURES: Final = tuple(
    feature
    for level in range(1, N_LEVEL + 1)
    for feature in list_features("siblings", f"alike{level}_", (_ALIKE,))
)


def measure(counts: Counts, ladder: Ladder, signature: Hashes) -> Matrix:
    """Return the features of this group; float32[n_feature, n_block]."""
    return np.concatenate(
        [_compare_children(counts, ladder, signature, level) for level in range(N_LEVEL)]
    )


def _compare_children(counts: Counts, ladder: Ladder, signature: Hashes, level: int) -> Matrix:
    """Compare the child that holds each block with its siblings of the same signature."""
    of_block = ladder.child[level]
    is_child = np.zeros(len(counts.page), np.bool_)
    is_child[of_block] = True
    child = np.flatnonzero(is_child)
    place = np.searchsorted(child, of_block)
    parent = counts.page.parent[child]
    key = signature[child] ^ mix(parent + 1)
    order = np.argsort(key, kind="stable")
    begins = np.flatnonzero(np.diff(key[order], prepend=~key[order[:1]]))
    size = np.diff(begins, append=child.size)
    kin = np.empty(child.size, np.intp)
    kin[order] = np.repeat(np.arange(size.size), size)
    before = np.empty(child.size, np.intp)
    before[order] = np.arange(child.size) - np.repeat(begins, size)

    low, high = ladder.row_first[child], ladder.row_stop[child]
    words, link_words = (
        counts.before(name)[high] - counts.before(name)[low] for name in ("words", "link_words")
    )
    total, link_total = np.bincount(kin, words), np.bincount(kin, link_words)
    mean = total / size
    spread = np.bincount(kin, np.abs(words - mean[kin]))
    before_words = counts.before("words")
    around = before_words[ladder.stop[level]] - before_words[ladder.first[level]]
    at = kin[place]
    return np.concatenate(
        (
            log2p1(np.array((size[at], mean[at], before[place]))),
            ratio(
                np.array((total[at], spread[at], link_total[at])),
                np.array((around, 2 * total[at], total[at])),
            ),
        )
    )
