"""What lies around each block: the names of its elements, its neighbours, its containers, the page.

The names around a row are those that begin at or before it, less those that end before it. With
running sums over names in the order in which they begin, and in the order in which they end, what
is around any row is one difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.features import Features
from thresher.features.container_chain import ContainerChain

__all__ = ["N_CONTAINER", "SHIFTS", "NamePlaces", "Surroundings", "look_around", "place_names"]

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
    tokens, chain = features.tokens, features.chain
    by_end = np.argsort(tokens.end, kind="stable")
    rows = np.concatenate((chain.leaf[None], chain.container[:N_CONTAINER]))
    return NamePlaces(
        by_end,
        tokens.row.searchsorted(rows, side="right"),
        tokens.end.take(by_end).searchsorted(rows, side="right"),
    )


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What blocks see of each other, of ``m`` networks with summaries of ``c`` numbers."""

    chain: ContainerChain
    padded: FloatArray
    """The summaries, with `_REACH` empty blocks on either side; float32[n_block + 4, m · c]."""
    sums: npt.NDArray[np.int32]
    """Summaries before each block, and the page's total; int32[n_block + 1, m · c]."""
    whole: FloatArray
    """The page's mean summaries, over blocks and over words; float32[m, 1, 2 · c]."""

    def gather(self, code: FloatArray, rows: slice) -> FloatArray:
        """Put beside the codes of some blocks the summaries of what is next to and around them.

        ``code`` is float32[m, n_block, h]. Means are rounded to whole numbers. Returns
        float32[m, n_row, near], near being h + c · (shifts + containers).
        """
        n_net, _, n_code = code.shape
        start, stop, _ = rows.indices(code.shape[1])
        n_summary = self.sums.shape[1] // n_net
        n_beside = len(SHIFTS) + N_CONTAINER
        near = np.empty((n_net, stop - start, n_code + n_beside * n_summary), np.float32)
        near[:, :, :n_code] = code[:, start:stop]
        parts = near[:, :, n_code:].reshape(n_net, stop - start, n_beside, n_summary)
        parts = parts.transpose(2, 1, 0, 3)
        for part, shift in zip(parts, SHIFTS, strict=False):
            beside = self.padded[_REACH + shift + start : _REACH + shift + stop]
            part[:] = beside.reshape(part.shape)
        firsts, stops = self.chain.first[:N_CONTAINER], self.chain.stop[:N_CONTAINER]
        for part, first, last in zip(
            parts[len(SHIFTS) :], firsts[:, start:stop], stops[:, start:stop], strict=True
        ):
            inside = self.sums.take(last, axis=0)
            inside -= self.sums.take(first, axis=0)
            mean = inside / (last - first)[:, None]
            np.rint(mean.reshape(part.shape), out=part, casting="same_kind")
        return near


def look_around(summary: FloatArray, features: Features) -> Surroundings:
    """Prepare what blocks see of each other; ``summary`` is float32[m, n_block, c]."""
    n_net, n_block, n_summary = summary.shape
    padded = np.zeros((n_block + 2 * _REACH, n_net * n_summary), np.float32)
    beside = padded[_REACH : _REACH + n_block]
    beside.reshape(n_block, n_net, n_summary)[:] = summary.swapaxes(0, 1)
    # Running sums may wrap around; the differences that are wanted do not.
    sums = np.zeros((n_block + 1, n_net * n_summary), np.int32)
    beside.astype(np.int32).cumsum(axis=0, out=sums[1:])
    words = features.words.astype(np.float64)
    by_words = np.einsum("b,bs->s", words, beside) / max(words.sum(), 1.0)
    means = np.rint((sums[-1] / n_block, by_words)).reshape(2, n_net, n_summary)
    whole = means.swapaxes(0, 1).reshape(n_net, 1, 2 * n_summary)
    return Surroundings(features.chain, padded, sums, whole.astype(np.float32))
