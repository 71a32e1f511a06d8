"""Input encoding of the network, fitted before training: a scale per feature, a vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.model import number_tokens
from thresher.algorithms.learned.network import CLIP, INPUT_STEPS
from thresher.features.hashing import Hashes
from thresher.features.inputs import InputScale, saturate, standardise
from thresher.training.learned.examples import Example

__all__ = ["MIN_SITES", "Encoding", "fit_encoding"]

FloatArray = npt.NDArray[np.float32]

MIN_SITES: Final = 15
"""Sites a token must occur on to be in the vocabulary: rarer ones lead to overfitting."""
_SAMPLE_BLOCKS: Final = 300
"""Blocks sampled per page."""
_HEAVY_TAIL: Final = 6.0
"""Kurtosis above which a feature is saturated: twice that of a normal distribution."""
_MIN_VALUES: Final = 8
"""Number of distinct values up to which a feature is a flag or small count, and not saturated."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """Fields of `thresher.algorithms.learned.network.Network` with the same names."""

    mean: FloatArray
    deviation: FloatArray
    saturation: FloatArray
    vocabulary: Hashes

    def standardise(self, values: FloatArray) -> FloatArray:
        """Standardise features to mean 0 and deviation 1; float32[n_block, n_feature]."""
        scale = InputScale(self.mean, self.deviation, self.saturation, CLIP, INPUT_STEPS)
        return standardise(values, scale)

    def number(self, hashes: Hashes) -> npt.NDArray[np.intp]:
        """Return the index of each token in the vocabulary, its size for unknown tokens."""
        return number_tokens(self.vocabulary, hashes)


def fit_encoding(examples: Sequence[Example]) -> Encoding:
    """Fit scales and vocabulary to some pages."""
    sample = np.concatenate(
        [
            values[:: max(1, len(values) // _SAMPLE_BLOCKS)]
            for values in (example.features.values for example in examples)
        ]
    )
    saturation = np.array([_fit_saturation(column) for column in sample.T], np.float32)
    saturated = saturate(sample, saturation)
    # At least a deviation of 0.001: a feature that is constant in training stays near 0.
    return Encoding(
        saturated.mean(axis=0),
        saturated.std(axis=0) + np.float32(1e-3),
        saturation,
        _find_vocabulary(examples),
    )


def _fit_saturation(column: FloatArray) -> float:
    """Return 1 / median absolute value of a feature with a heavy tail, otherwise 0."""
    size = np.abs(column[column != 0])
    standard = (column - column.mean()) / (column.std() + 1e-6)
    if np.mean(standard**4) <= _HEAVY_TAIL or np.unique(size[:5000]).size <= _MIN_VALUES:
        return 0.0
    return 1 / float(np.median(size))


def _find_vocabulary(examples: Sequence[Example]) -> Hashes:
    """Return the tokens that occur on enough sites, sorted."""
    number: dict[str, int] = {}
    tokens = [
        np.unique(np.concatenate((features.tokens.hash, features.declared)))
        for features in (example.features for example in examples)
    ]
    sites = [number.setdefault(example.site, len(number)) for example in examples]
    of_token = np.repeat(sites, [found.size for found in tokens])
    pairs = np.stack((np.concatenate(tokens), of_token.astype(np.uint64)), axis=1)
    token, n_site = np.unique(np.unique(pairs, axis=0)[:, 0], return_counts=True)
    return token[n_site >= MIN_SITES]
