"""Classification of page types: a linear model over mean features and all names of a page.

Its probabilities are inputs of the network, as what counts as content differs most between page
types, and give the page type of the verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features import Features
from thresher.native import Steps, kernel_with

FloatArray = npt.NDArray[np.float64]

PAGE_TYPES: Final = tuple("article service product collection forum listing documentation".split())
"""Page types (WCXB's), in the order of the model's outputs."""
TYPE_STEPS: Final = 64
"""Probabilities are rounded to 1 / this: libraries differ in the last bits of `exp` and sums."""
MEAN_CLIP: Final = 4.0
"""Bound of mean features, in standard deviations."""


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
    """[v + 1, type]; the last row, for unknown tokens, is 0."""
    type_bias: npt.NDArray[np.float32]
    """[type]"""

    def probabilities(self, features: Features, tokens: npt.NDArray[np.intp]) -> FloatArray:
        """Return the probability of each page type; float64[n_type].

        ``tokens`` are the vocabulary numbers of the page's tokens; each counts once.
        """
        scores = _score_types(self, features.means.ravel(), tokens)
        power = np.exp(scores - scores.max())
        return np.asarray(np.rint(power / power.sum() * TYPE_STEPS) / TYPE_STEPS)


def _score_types_by_step(
    steps: Steps, model: PageTypeModel, means: FloatArray, tokens: npt.NDArray[np.intp]
) -> FloatArray | None:
    scores = steps.score_types(
        model.type_mean,
        model.type_deviation,
        model.type_feature_weights,
        model.type_token_weights,
        model.type_bias,
        MEAN_CLIP,
        means,
        tokens,
    )
    return None if scores is None else scores[0]


@kernel_with(_score_types_by_step)
def _score_types(
    model: PageTypeModel, means: FloatArray, tokens: npt.NDArray[np.intp]
) -> FloatArray:
    """Return unnormalised log-probabilities; float64[n_type].

    The last bits may differ between machines; the caller rounds them off.
    """
    standard = np.clip((means - model.type_mean) / model.type_deviation, -MEAN_CLIP, MEAN_CLIP)
    is_seen = np.zeros(len(model.type_token_weights), np.bool_)
    is_seen[tokens] = True
    by_names = model.type_token_weights[is_seen].sum(axis=0, dtype=np.float64)
    by_features = standard @ model.type_feature_weights.astype(np.float64)
    return np.asarray(by_features + (by_names + model.type_bias))
