"""Calibration of the network's output, measured on pages it was not trained on.

The network is overconfident. For each scope, slope and shift of its log-odds are fitted twice
(Platt 1999): to the labels of blocks, which gives their probabilities, and to the F1 that the
choice of blocks reaches. The F1 that a choice expects is then mapped to the F1 that such choices
reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

FAR: Final = 30.0
"""Bound of log-odds."""
_STEPS: Final = 2.0**16
"""Probabilities are rounded to this many steps: libraries differ in the last bits of `exp`."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Fitted numbers; all float64."""

    block_slope: FloatArray
    """Slope of the log-odds for the probability of a block; [scope]."""
    block_shift: FloatArray
    """[scope]"""
    choice_slope: FloatArray
    """Slope of the log-odds for the choice of blocks; [scope]."""
    choice_shift: FloatArray
    """[scope]"""
    expected: FloatArray
    """Knots of the map from expected to reached F1, ascending; [k]."""
    reached: FloatArray
    """[k]"""

    def block_probability(self, log_odds: npt.NDArray[np.floating], scope: int) -> FloatArray:
        """Return the probability that each block is content; float64[n_block]."""
        return sigmoid(log_odds * self.block_slope[scope] + self.block_shift[scope])

    def choice_weight(self, log_odds: npt.NDArray[np.floating], scope: int) -> FloatArray:
        """Return the block probabilities used by the choice of blocks; float64[n_block].

        Errors on the blocks of a page are correlated, which the choice ignores; so it does best
        with less confident probabilities than those of single blocks.
        """
        return sigmoid(log_odds * self.choice_slope[scope] + self.choice_shift[scope])

    def confidence(self, expected: float) -> float:
        """Return the F1 reached by choices with this expected F1."""
        return float(np.interp(expected, self.expected, self.reached))


def sigmoid(log_odds: npt.NDArray[np.floating] | np.float64) -> FloatArray:
    """Convert log-odds to probabilities, rounded to be identical on every machine."""
    bounded = np.minimum(np.maximum(log_odds, -FAR), FAR)  # np.clip takes five times as long
    probability = 1 / (1 + np.exp(-bounded))
    return np.asarray(np.rint(probability * _STEPS) / _STEPS)
