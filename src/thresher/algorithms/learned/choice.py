"""Choice of the set of blocks with the highest expected F-measure.

The expected measure of a set S of blocks is well approximated by the measure of the expectations,
(1 + β²) Σ_S p·n / (Σ_S n + β² Σ p·n), where p is a block's probability of being content and n its
words (after Jansche 2007, A maximum expected utility framework, and Lewis 1995, Evaluating and
optimizing autonomous text classification systems). The best set contains all blocks above some
probability, so one pass over the sorted blocks finds it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with

__all__ = ["Choice", "choose"]


class Choice(NamedTuple):
    """The blocks to keep."""

    keep: npt.NDArray[np.bool_]
    """bool[n_block]"""
    expected: float
    """The expected F-measure."""


def choose(
    probability: npt.NDArray[np.float64], words: npt.NDArray[np.integer], *, beta: float = 1.0
) -> Choice:
    """Choose the blocks with the highest expected F-measure; both arrays have shape [n_block].

    Blocks of equal probability are kept or dropped together.
    """
    if not probability.size:
        return Choice(np.zeros(0, np.bool_), 0.0)
    order = (-probability).argsort(kind="stable").astype(np.int64, copy=False)
    return choose_blocks(probability, words, order, beta)


def _choose_blocks_by_step(
    steps: Steps,
    probability: npt.NDArray[np.float64],
    words: npt.NDArray[np.integer],
    order: npt.NDArray[np.int64],
    beta: float,
) -> Choice | None:
    chosen = steps.choose_blocks(probability, words, order, beta)
    return Choice(chosen[0], float(chosen[1][0])) if chosen else None


@kernel_with(_choose_blocks_by_step)
def choose_blocks(
    probability: npt.NDArray[np.float64],
    words: npt.NDArray[np.integer],
    order: npt.NDArray[np.int64],
    beta: float,
) -> Choice:
    """Choose blocks as `choose` does; ``order`` sorts by descending probability."""
    ranked = probability[order]
    found = np.cumsum(ranked * words[order])
    kept = np.cumsum(words[order])
    weight = beta * beta
    measure = (1 + weight) * found / np.maximum(kept + weight * found[-1], 1e-9)
    is_last = np.append(ranked[1:] != ranked[:-1], True)
    best = int(np.argmax(np.where(is_last, measure, -1.0)))
    return Choice(probability >= ranked[best], float(measure[best]))
