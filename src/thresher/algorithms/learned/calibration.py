"""From the network's numbers to probabilities that hold: measured on pages it was not trained on.

A network is surer of itself than its errors warrant. For each scope, slope and shift of its
log-odds are fitted twice (after Platt 1999, whose two parameters these are): to the labels of
blocks, which gives their probabilities, and to the F1 that the choice of blocks reaches. The F1
that a choice expects is then mapped to the one that such choices reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["FAR", "Calibration", "sigmoid"]

FloatArray = npt.NDArray[np.float64]

FAR: Final = 30.0
"""Log-odds beyond which nothing is surer."""
_STEPS: Final = 2.0**16
"""Probabilities are rounded to this many steps: libraries differ in the last bits of `exp`."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Fitted numbers; all float64."""

    block_slope: FloatArray
    """Of the log-odds, for the probability of a block; [scope]."""
    block_shift: FloatArray
    """[scope]"""
    choice_slope: FloatArray
    """Of the log-odds, for the choice of blocks; [scope]."""
    choice_shift: FloatArray
    """[scope]"""
    empty_slope: FloatArray
    """[]"""
    empty_shift: FloatArray
    """[]"""
    expected: FloatArray
    """Knots of the map from expected to reached F1, rising; [k]."""
    reached: FloatArray
    """[k]"""

    def block_probability(self, log_odds: npt.NDArray[np.floating], scope: int) -> FloatArray:
        """Return the probability that each block is content; float64[n_block]."""
        return sigmoid(log_odds * self.block_slope[scope] + self.block_shift[scope])

    def choice_weight(self, log_odds: npt.NDArray[np.floating], scope: int) -> FloatArray:
        """Return what the choice of blocks takes for their probabilities; float64[n_block].

        A page's blocks are right or wrong together, where the choice takes them one by one; so it
        does best with less sure numbers than each block's own.
        """
        return sigmoid(log_odds * self.choice_slope[scope] + self.choice_shift[scope])

    def empty_probability(self, score: float) -> float:
        """Return the probability that a page has no main content."""
        return float(sigmoid(np.float64(score) * self.empty_slope + self.empty_shift))

    def confidence(self, expected: float) -> float:
        """Return the F1 that choices of this expectation reached."""
        return float(np.interp(expected, self.expected, self.reached))


def sigmoid(log_odds: npt.NDArray[np.floating] | np.float64) -> FloatArray:
    """Return the probabilities of log-odds, rounded so that they are the same on every machine."""
    bounded = np.minimum(np.maximum(log_odds, -FAR), FAR)  # np.clip costs five such calls
    probability = 1 / (1 + np.exp(-bounded))
    return np.asarray(np.rint(probability * _STEPS) / _STEPS)
