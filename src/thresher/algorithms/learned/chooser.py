"""The chooser: a small network that picks the candidate closest to what a reader would keep.

It takes the features of a candidate and returns two numbers: its rank among the candidates of the
page, and the F1 it will reach. It is fitted to the F1 of candidates on pages whose site the first
network was not trained on. The F1 predicted for the chosen candidate, mapped to the F1 that such
choices reached (isotonic regression), is the confidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.candidates import Candidates
from thresher.native import Steps, kernel_with

__all__ = ["Chooser", "Weighed"]

FloatArray = npt.NDArray[np.float64]

_STEPS: Final = 2.0**10
"""Scores are rounded to this many steps: libraries differ in the last bits of sums and `exp`."""
_CLIP: Final = 5.0
"""Bound of inputs, in standard deviations from the mean."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """The scored candidates of a page."""

    chosen: int
    """Index of the best candidate, the first of equals."""
    score: FloatArray
    """Ranking scores; only differences are meaningful; float64[n_candidate]."""
    expected: FloatArray
    """Expected F1 of each; float64[n_candidate]."""


@dataclass(frozen=True, slots=True)
class Chooser:
    """Weights; float64, ``f`` inputs, ``h`` and ``g`` hidden units (ReLU)."""

    chooser_mean: FloatArray
    """[f]"""
    chooser_deviation: FloatArray
    """[f]"""
    chooser_first: FloatArray
    """[f + 1, h]; the last is the bias, here and below."""
    chooser_second: FloatArray
    """[h + 1, g]"""
    chooser_output: FloatArray
    """[g + 1, 2]: the rank, and the log-odds of F1."""
    chooser_knots: FloatArray
    """Expected F1, ascending; [k]."""
    chooser_reached: FloatArray
    """F1 reached by choices with that expected F1; [k]."""

    def weigh(self, candidates: Candidates) -> Weighed:
        """Score the candidates of a page."""
        return self.weigh_inputs(candidates.inputs)

    def weigh_inputs(self, inputs: FloatArray) -> Weighed:
        """Score candidates by their features, float64[n_candidate, f]."""
        output = _apply_layers(self, inputs)
        score = np.rint(output[:, 0] * _STEPS) / _STEPS
        expected = np.rint(_STEPS / (1 + np.exp(-output[:, 1]))) / _STEPS
        return Weighed(int(score.argmax()), score, expected)

    def confidence(self, weighed: Weighed) -> float:
        """Return the F1 reached by choices with the same expected F1."""
        expected = float(weighed.expected[weighed.chosen])
        return float(np.interp(expected, self.chooser_knots, self.chooser_reached))


def _apply_layers_by_step(steps: Steps, chooser: Chooser, inputs: FloatArray) -> FloatArray | None:
    return steps.weigh_candidates(
        chooser.chooser_mean,
        chooser.chooser_deviation,
        chooser.chooser_first,
        chooser.chooser_second,
        chooser.chooser_output,
        inputs,
    )


@kernel_with(_apply_layers_by_step)
def _apply_layers(chooser: Chooser, inputs: FloatArray) -> FloatArray:
    """Return the output of the layers; float64[n_candidate, 2]."""
    standard = (inputs - chooser.chooser_mean) / chooser.chooser_deviation
    code = np.minimum(np.maximum(standard, -_CLIP), _CLIP)
    code = np.maximum(_apply(code, chooser.chooser_first), 0)
    code = np.maximum(_apply(code, chooser.chooser_second), 0)
    return _apply(code, chooser.chooser_output)


def _apply(inputs: FloatArray, weights: FloatArray) -> FloatArray:
    """Multiply by weights and add the bias, with einsum, as BLAS would start threads."""
    return np.asarray(np.einsum("ci,ih->ch", inputs, weights[:-1]) + weights[-1])
