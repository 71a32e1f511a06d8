"""What is computed from features: the quantised inputs of a network, and means over the page."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.features.base import Matrix

FloatArray = npt.NDArray[np.float32]

UNWORDED: Final = 0.01
"""Weight in words of a block without any, so that a page of pictures has a mean too."""


class InputScale(NamedTuple):
    """How a network reads features: standardised, clipped and rounded to whole steps."""

    mean: FloatArray
    """float32[n_feature]"""
    deviation: FloatArray
    """float32[n_feature]"""
    saturation: FloatArray
    """A feature x becomes x / (1 + |x| · saturation); float32[n_feature], 0 for no change."""
    clip: float
    """Bound, in standard deviations from the mean."""
    steps: float
    """Quantisation steps per standard deviation."""

    def equals(self, other: InputScale) -> bool:
        """Return whether both read features alike."""
        arrays = zip(self[:3], other[:3], strict=True)
        return self[3:] == other[3:] and all(np.array_equal(*pair) for pair in arrays)


def saturate(values: FloatArray, saturation: FloatArray) -> FloatArray:
    """Saturate features with heavy tails: x / (1 + |x| · saturation); last axis [n_feature]."""
    bent = np.abs(values)
    bent *= saturation
    bent += np.float32(1)
    return np.divide(values, bent, out=bent)


def standardise(values: FloatArray, scale: InputScale) -> FloatArray:
    """Bring features to mean 0 and deviation 1, clipped; float32[n_block, n_feature]."""
    standard = saturate(values, scale.saturation)
    standard -= scale.mean
    standard /= scale.deviation
    return standard.clip(-scale.clip, scale.clip, out=standard)


def quantise(values: Matrix, scale: InputScale) -> npt.NDArray[np.int16]:
    """Quantise features for a network; int16[n_feature, n_block]."""
    standard = standardise(values.T, scale).T
    standard *= np.float32(scale.steps)
    return np.rint(standard, out=standard).astype(np.int16, order="C")


def average(values: Matrix, words: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Average features over a page, weighted by words, then by blocks; float64[2, n_feature].

    The last bits may differ between machines.
    """
    exact = values.astype(np.float64)
    weight = words + UNWORDED
    # einsum, as BLAS would start threads.
    by_words = np.einsum("fb,b->f", exact, weight) / weight.sum()
    return np.stack((by_words, exact.mean(axis=1)))
