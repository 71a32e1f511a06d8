"""The adapter: a small perceptron that adjusts the network's output to a user's own labels.

It takes the features of a block and the network's log-odds, and returns new log-odds. So a few
dozen labelled pages can adjust a model trained on thousands: with or without titles, with or
without comments. Trained by `thresher.training.adapter`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

KINDS: Final = ("perceptron", "mlp")
"""Without a hidden layer, and with one."""
_STEPS: Final = 256
"""Log-odds are rounded to 1 / this: libraries differ in the last bits of `tanh`."""
_REACH: Final = 30.0
"""Bound of the network's log-odds."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """Weights; float64, ``f`` features and ``h`` hidden tanh neurons, 0 for a perceptron.

    Fields are named as the arrays in files of weights, hence the prefix ``own_``.
    """

    own_start: FloatArray
    """Factor of the network's log-odds in the output: 1, or 0 when trained from scratch; []."""
    own_slope: FloatArray
    """Calibration of the network's log-odds as an input; [scope]."""
    own_shift: FloatArray
    """[scope]"""
    own_hidden: FloatArray
    """[h, f + 2]: features, the network's log-odds, a bias."""
    own_output: FloatArray
    """[h + 1], or without a hidden layer [f + 2]; the last is the bias."""

    @property
    def kind(self) -> str:
        """One of `KINDS`."""
        return KINDS[bool(self.own_hidden.size)]

    def log_odds(
        self, standard: npt.NDArray[np.float32], of_network: npt.NDArray[np.floating], scope: int
    ) -> npt.NDArray[np.float32]:
        """Return the log-odds that each block is content; float32[n_block].

        ``standard`` float32[n_block, f] are features of mean 0 and deviation 1, ``of_network`` the
        network's log-odds under the scope, [n_block].
        """
        calibrated = of_network * self.own_slope[scope] + self.own_shift[scope]
        return self.of_calibrated(standard, calibrated)

    def of_calibrated(
        self, standard: npt.NDArray[np.float32], calibrated: npt.NDArray[np.floating]
    ) -> npt.NDArray[np.float32]:
        """Return the same from log-odds of the network that are calibrated already."""
        inputs = gather_inputs(standard, calibrated, start=float(self.own_start))
        start = float(self.own_start) * inputs[:, -2]
        # einsum, not BLAS: BLAS would start threads and sum in an unspecified order.
        if self.own_hidden.size:
            hidden = np.tanh(np.einsum("bi,hi->bh", inputs, self.own_hidden))
            inputs = np.concatenate((hidden, np.ones((len(hidden), 1))), axis=1)
        odds = start + np.einsum("bi,i->b", inputs, self.own_output)
        return np.asarray(np.rint(odds * _STEPS) / _STEPS, np.float32)


def gather_inputs(
    standard: npt.NDArray[np.float32], of_network: npt.NDArray[np.floating], *, start: float
) -> FloatArray:
    """Return the inputs of the weights: features, the network's log-odds, 1; float64[n, f + 2].

    When trained from scratch (``start`` 0), the network's log-odds are 0 too.
    """
    seen = np.clip(of_network, -_REACH, _REACH) * (start != 0)
    ones = np.ones(len(standard))
    return np.concatenate((standard, seen[:, None], ones[:, None]), axis=1, dtype=np.float64)
