"""What kind of page it is: a linear model over the means of its features and all its names.

Its probabilities are evidence for the network, since what counts as content differs most between
kinds of page, and they are the page type of the verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features import Features
from thresher.native import REFUSED, compiled

__all__ = ["MEAN_CLIP", "PAGE_TYPES", "TYPE_STEPS", "PageTypeModel", "average_features"]

FloatArray = npt.NDArray[np.float64]

PAGE_TYPES: Final = (
    *("article", "service", "product", "collection", "forum", "listing", "documentation"),
)
"""What a page can be (WCXB's page types), in the order of the model's outputs."""
TYPE_STEPS: Final = 64
"""Steps to which probabilities are rounded: libraries differ in the last bits of `exp` and sums."""
MEAN_CLIP: Final = 4.0
"""Standard deviations beyond which the mean of a feature says nothing more."""
_CLIP: Final = np.array([MEAN_CLIP])
_UNWORDED: Final = 0.01
"""Words a block without any counts as, so that a page of pictures has a mean too."""
_MORE_WORDS: Final = np.array([_UNWORDED])


@dataclass(frozen=True, slots=True)
class PageTypeModel:
    """Weights for each page type; float32, ``f`` features and ``v`` tokens."""

    type_mean: npt.NDArray[np.float32]
    """[2 · f]"""
    type_deviation: npt.NDArray[np.float32]
    """[2 · f]"""
    type_feature_weights: npt.NDArray[np.float32]
    """[2 · f, type]"""
    type_token_weights: npt.NDArray[np.float32]
    """[v + 1, type]; the last, of unknown tokens, is 0."""
    type_bias: npt.NDArray[np.float32]
    """[type]"""

    def probabilities(self, features: Features, tokens: npt.NDArray[np.intp]) -> FloatArray:
        """Return the probability of each page type; float64[n_type].

        ``tokens`` are the page's, as numbers in the vocabulary; each counts once.
        """
        means = average_features(features)
        scores = self._score(means, tokens)
        power = np.exp(scores - scores.max())
        return np.asarray(np.rint(power / power.sum() * TYPE_STEPS) / TYPE_STEPS)

    def _score(self, means: FloatArray, tokens: npt.NDArray[np.intp]) -> FloatArray:
        """Return the logarithm of each type's probability, up to what all share; float64[n_type].

        The last bits may differ: they are rounded off.
        """
        if compiled is not None:
            n_number, n_type = self.type_token_weights.shape
            scores: FloatArray = np.empty(2 * n_type)
            done = compiled.score_types(
                *(self.type_mean, self.type_deviation),
                *(self.type_feature_weights, self.type_token_weights, self.type_bias),
                *(_CLIP, means, tokens, np.empty(n_number, np.bool_), scores),
            )
            if done != REFUSED:
                return scores[:n_type]
        return self._score_arrays(means, tokens)

    def _score_arrays(self, means: FloatArray, tokens: npt.NDArray[np.intp]) -> FloatArray:
        """Score types as `_score` does, with numpy alone."""
        standard = np.clip((means - self.type_mean) / self.type_deviation, -MEAN_CLIP, MEAN_CLIP)
        is_seen = np.zeros(len(self.type_token_weights), np.bool_)
        is_seen[tokens] = True
        by_names = self.type_token_weights[is_seen].sum(axis=0, dtype=np.float64)
        by_features = standard @ self.type_feature_weights.astype(np.float64)
        return np.asarray(by_features + (by_names + self.type_bias))


def average_features(features: Features) -> FloatArray:
    """Return the means of a page's features, first by words, then by blocks; float64[2 · f].

    The last bits may differ.
    """
    n_block, n_feature = features.values.shape
    if compiled is not None:
        means: FloatArray = np.empty(2 * n_feature)
        values = np.ascontiguousarray(features.values.T)
        compiled.average_blocks(values, features.words, _MORE_WORDS, np.empty(n_block), means)
        return means
    exact = features.values.astype(np.float64)
    weight = features.words + _UNWORDED
    # By a loop of numpy's own: BLAS would start threads.
    by_words = np.einsum("bf,b->f", exact, weight) / weight.sum()
    return np.concatenate((by_words, exact.mean(axis=0)))
