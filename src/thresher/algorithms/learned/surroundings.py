"""What lies around each block: the names of its elements, its neighbours, its containers, the page.

The names around a row are those that begin at or before it, less those that end before it. With
running sums over names in the order in which they begin, and in the order in which they end, what
is around any row is one difference.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.features import Features

__all__ = ["N_CONTAINER", "SHIFTS", "NamePlaces", "look_around", "place_names"]

FloatArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.intp]

SHIFTS: Final = (-2, -1, 1, 2)
"""Neighbours whose summaries a block sees."""
N_CONTAINER: Final = 3
"""Containers whose summaries, and the names around which, a block sees, nearest first."""
_REACH: Final = max(map(abs, SHIFTS))


class NamePlaces(NamedTuple):
    """How many names begin and end before each block's first leaf, and before its containers."""

    by_end: IntArray
    """The order of the names' ends; intp[n_entry]."""
    opened: IntArray
    """Names that begin at or before each row; intp[1 + containers, n_block], the leaf's first."""
    closed: IntArray
    """Names that end at or before it, in the order of their ends; of the same shape."""


def place_names(features: Features) -> NamePlaces:
    """Count the names that begin and end before a block's first leaf, and before its containers."""
    tokens, ladder = features.tokens, features.ladder
    by_end = np.argsort(tokens.end, kind="stable")
    rows = np.concatenate((ladder.leaf[None], ladder.container[:N_CONTAINER]))
    return NamePlaces(
        by_end,
        np.searchsorted(tokens.row, rows, side="right"),
        np.searchsorted(tokens.end[by_end], rows, side="right"),
    )


def look_around(
    code: FloatArray, summary: FloatArray, features: Features
) -> tuple[FloatArray, FloatArray]:
    """Gather what a block sees: its code, with the summaries of neighbours and containers.

    Then the page's mean summaries, over blocks and over words, the same for all blocks. Means are
    rounded to whole numbers. float32[m, n_block, near] and float32[m, 1, whole].
    """
    n_net, n_block, n_summary = summary.shape
    ladder = features.ladder
    parts = [code]
    padded = np.zeros((n_net, n_block + 2 * _REACH, n_summary), np.float32)
    padded[:, _REACH : _REACH + n_block] = summary
    parts += [padded[:, _REACH + shift : _REACH + shift + n_block] for shift in SHIFTS]
    sums = np.zeros((n_net, n_block + 1, n_summary))
    np.cumsum(summary, axis=1, out=sums[:, 1:])
    for first, stop in zip(ladder.first[:N_CONTAINER], ladder.stop[:N_CONTAINER], strict=True):
        inside = sums.take(stop, axis=1)
        inside -= sums.take(first, axis=1)
        inside /= (stop - first)[:, None]
        parts.append(np.rint(inside))
    words = features.words.astype(np.float64)
    by_words = words @ summary.astype(np.float64) / max(words.sum(), 1.0)
    whole = np.rint(np.concatenate((sums[:, -1] / n_block, by_words), axis=1))
    near = np.concatenate(parts, axis=2, dtype=np.float32)
    return near, whole[:, None].astype(np.float32)
