"""Surroundings of each block: names of its ancestors, neighbours, containers, the whole page.

The names around a row are those that begin at or before it, minus those that end before it. With
prefix sums over names in the order of their starts, and in the order of their ends, the sum around
any row is one difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.features import Features
from thresher.features.container_chain import ContainerChain

FloatArray = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.intp]

SHIFTS: Final = (-2, -1, 1, 2)
"""Neighbours whose summaries are inputs of a block."""
N_CONTAINER: Final = 3
"""Containers, nearest first, whose summaries and surrounding names are inputs of a block."""
_REACH: Final = max(map(abs, SHIFTS))


class NamePlaces(NamedTuple):
    """Counts of names that begin and end before each block's first leaf and its containers."""

    by_end: IntArray
    """The order of the names' ends; intp[n_entry]."""
    opened: IntArray
    """Names that begin at or before each row; intp[1 + containers, n_block], the leaf's first."""
    closed: IntArray
    """Names that end at or before each row, in the order of their ends; same shape."""


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
    """Summaries prepared for gathering, for ``m`` networks with summaries of ``c`` numbers."""

    chain: ContainerChain
    padded: FloatArray
    """The summaries, with `_REACH` empty blocks on either side; float32[n_block + 4, m · c]."""
    sums: npt.NDArray[np.int32]
    """Summaries before each block, and the page's total; int32[n_block + 1, m · c]."""
    whole: FloatArray
    """The page's mean summaries, over blocks and over words; float32[m, 1, 2 · c]."""

    def gather(self, code: FloatArray, rows: slice) -> FloatArray:
        """Concatenate the codes of some blocks with summaries of their neighbours and containers.

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
    """Prepare the summaries of blocks for gathering; ``summary`` is float32[m, n_block, c]."""
    n_net, n_block, n_summary = summary.shape
    padded = np.zeros((n_block + 2 * _REACH, n_net * n_summary), np.float32)
    beside = padded[_REACH : _REACH + n_block]
    beside.reshape(n_block, n_net, n_summary)[:] = summary.swapaxes(0, 1)
    # Prefix sums may overflow; their differences do not.
    sums = np.zeros((n_block + 1, n_net * n_summary), np.int32)
    beside.astype(np.int32).cumsum(axis=0, out=sums[1:])
    words = features.words.astype(np.float64)
    by_words = np.einsum("b,bs->s", words, beside) / max(words.sum(), 1.0)
    means = np.rint((sums[-1] / n_block, by_words)).reshape(2, n_net, n_summary)
    whole = means.swapaxes(0, 1).reshape(n_net, 1, 2 * n_summary)
    return Surroundings(features.chain, padded, sums, whole.astype(np.float32))
