"""The decider: a small network that decides which blocks are kept, by their context.

It takes what context.py tells of a block and returns the log-odds that a reader would keep it. It
is fitted to pages whose site the first network was not trained on, by what readers see: a page
counts by the words that are wrong, and by whether everything is right
(training/learned/deciding.py). The F1 that its probabilities promise for what is kept, mapped to
the F1 that such choices reached (isotonic regression), is the confidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, log1p
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.calibration import FAR, sigmoid
from thresher.algorithms.learned.steps import multiply, step_through
from thresher.native import Steps, kernel_with
from thresher.page.rows import BoolArray

FloatArray = npt.NDArray[np.float64]

_STEPS: Final = 2.0**10
"""Log-odds, and the probability that a page is empty, are rounded to this many steps: libraries
differ in the last bits."""
N_EMPTY: Final = 3
"""Numbers that say whether a page is empty; the first is 1."""
_CERTAIN: Final = 2.0**-10
"""Distance from 0 and 1 at which a probability counts as certain."""
_CLIP: Final = 4.0
"""Bound of inputs, in standard deviations from the mean."""


@dataclass(frozen=True, slots=True)
class Decider:
    """Weights; float64, ``f`` inputs, ``h`` and ``g`` hidden units (ReLU)."""

    decider_mean: FloatArray
    """[f]"""
    decider_deviation: FloatArray
    """[f]"""
    decider_first: FloatArray
    """[f + 1, h]; the last is the bias, here and below."""
    decider_second: FloatArray
    """[h + 1, g]"""
    decider_output: FloatArray
    """[g + 1, 1]: the log-odds that a block is kept."""
    decider_empty: FloatArray
    """[`N_EMPTY`]: weights of what `describe_emptiness` returns."""
    decider_knots: FloatArray
    """Expected F1, ascending; [k]."""
    decider_reached: FloatArray
    """F1 reached by choices with that expected F1; [k]."""

    def weigh(self, inputs: FloatArray) -> FloatArray:
        """Return the log-odds that each block is kept; ``inputs`` are [n_block, f], [n_block]."""
        log_odds = np.empty(len(inputs))
        for rows in step_through(len(inputs)):
            log_odds[rows] = _apply_layers(self, inputs[rows])
        return np.asarray(np.rint(log_odds * _STEPS) / _STEPS)

    def probability(self, inputs: FloatArray, excluded: BoolArray) -> FloatArray:
        """Return the probability that each block is kept, 0 for those excluded; [n_block]."""
        probability = sigmoid(self.weigh(inputs))
        probability[excluded] = 0
        return probability

    def empty_probability(self, probability: FloatArray, words: npt.NDArray[np.integer]) -> float:
        """Return the probability that no block of a page is content."""
        described = describe_emptiness(probability, words)
        pairs = zip(described, self.decider_empty.tolist(), strict=True)
        log_odds = sum(number * weight for number, weight in pairs)
        empty = 1 / (1 + exp(-min(max(log_odds, -FAR), FAR)))
        return round(empty * _STEPS) / _STEPS

    def confidence(self, expected: float) -> float:
        """Return the F1 reached by choices with this expected F1."""
        return float(np.interp(expected, self.decider_knots, self.decider_reached))


def describe_emptiness(
    probability: FloatArray, words: npt.NDArray[np.integer]
) -> tuple[float, ...]:
    """Describe a page by its most probable block and its expected words: `N_EMPTY` numbers."""
    surest = min(float(probability.max()), 1 - _CERTAIN)
    log_odds = log((surest + _CERTAIN) / (1 - surest))
    return 1.0, log_odds, log1p(float(probability @ words))


def _apply_layers_by_step(steps: Steps, decider: Decider, inputs: FloatArray) -> FloatArray | None:
    return steps.weigh_blocks(
        decider.decider_mean,
        decider.decider_deviation,
        decider.decider_first,
        decider.decider_second,
        decider.decider_output,
        inputs,
    )


@kernel_with(_apply_layers_by_step)
def _apply_layers(decider: Decider, inputs: FloatArray) -> FloatArray:
    """Return the output of the layers; float64[n_block]."""
    standard = (inputs - decider.decider_mean) / decider.decider_deviation
    code = np.minimum(np.maximum(standard, -_CLIP), _CLIP)
    code = np.maximum(_apply(code, decider.decider_first), 0)
    code = np.maximum(_apply(code, decider.decider_second), 0)
    return _apply(code, decider.decider_output)[:, 0]


def _apply(inputs: FloatArray, weights: FloatArray) -> FloatArray:
    """Multiply by weights and add the bias."""
    return np.asarray(multiply(inputs[None], weights[None, :-1])[0] + weights[-1])
