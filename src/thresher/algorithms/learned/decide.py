"""Decision which blocks to keep, from the output of the network."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.choice import choose
from thresher.algorithms.learned.context import PageScores, describe_context
from thresher.algorithms.learned.model import Model
from thresher.features import Features
from thresher.page.rows import BoolArray

__all__ = ["Decision", "count_link_words", "decide"]

FloatArray = npt.NDArray[np.float64]


class Decision(NamedTuple):
    """The blocks to keep."""

    keep: BoolArray
    """bool[n_block]"""
    probability: FloatArray
    """Probability that each block is content; float64[n_block]."""
    confidence: float
    """The calibrated expected F1 of the balanced choice, which favours neither precision nor
    recall."""


def count_link_words(features: Features) -> FloatArray:
    """Return the words of each block that are in links; float64[n_block]."""
    return features.link_density.astype(np.float64) * features.words


def decide(model: Model, page: PageScores, beta: float) -> Decision:
    """Keep the blocks of a page with the highest expected F-measure.

    β above 1 keeps more, below 1 less; blocks with log-odds of −∞ are never kept. The probabilities
    are the decider's, or for models without one the network's.
    """
    excluded = np.isneginf(page.log_odds)
    if model.decider is None or model.adapter is not None:
        weight = model.calibration.choice_weight(page.log_odds, page.scope)
        probability = model.calibration.block_probability(page.log_odds, page.scope)
        weight[excluded] = probability[excluded] = 0
        trust = model.calibration.confidence
    else:
        weight = probability = model.decider.probability(describe_context(page), excluded)
        trust = model.decider.confidence
    balanced = choose(weight, page.words)
    choice = balanced if beta == 1 else choose(weight, page.words, beta=beta)
    return Decision(choice.keep & ~excluded, probability, trust(balanced.expected))
