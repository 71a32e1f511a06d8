"""Decision which blocks to keep: the set with the highest expected F-measure.

The expected measure of a set S of blocks is well approximated by the measure of the expectations,
(1 + β²) Σ_S p·n / (Σ_S n + β² Σ p·n), where p is a block's probability of being content and n its
words (after Jansche 2007, A maximum expected utility framework, and Lewis 1995, Evaluating and
optimizing autonomous text classification systems). The best set contains all blocks above some
probability, so one pass over the sorted blocks finds it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.context import PageScores, describe_context
from thresher.algorithms.learned.model import Model
from thresher.deadline import check_deadline
from thresher.page.rows import BoolArray

FloatArray = npt.NDArray[np.float64]

_PROBABLE: Final = 0.5
"""Probability from which a block without words is kept, as of two answers the likelier."""
_MIN_BLOCKS_OF_EMPTY: Final = 4
"""Blocks from which a page may have no content. Of pages with fewer, one in 600 of those that are
trained on, the network knows nothing, and who passes a line wants it."""


class Choice(NamedTuple):
    """The set of blocks with the highest expected F-measure."""

    keep: BoolArray
    """bool[n_block]"""
    expected: float
    """The expected F-measure."""


def choose(probability: FloatArray, words: npt.NDArray[np.integer], *, beta: float = 1.0) -> Choice:
    """Choose the blocks with the highest expected F-measure; both arrays have shape [n_block].

    Blocks of equal probability are kept or dropped together. Those without words, such as pictures,
    do not count in the measure, and are kept too if they are probably content.
    """
    if not probability.size:
        return Choice(np.zeros(0, np.bool_), 0.0)
    order = (-probability).argsort(kind="stable")
    ranked, sizes = probability[order], words[order]
    expected, kept = (ranked * sizes).cumsum(), sizes.cumsum()
    weight = beta * beta
    measure = (1 + weight) * expected / np.maximum(kept + weight * expected[-1], 1e-9)
    is_last = np.append(ranked[1:] != ranked[:-1], True)
    best = int(np.where(is_last, measure, -1.0).argmax())
    keep = (probability >= ranked[best]) | ((words == 0) & (probability >= _PROBABLE))
    return Choice(keep, float(measure[best]))


class Decision(NamedTuple):
    """The blocks to keep of a page, with what is known about them."""

    keep: BoolArray
    """bool[n_block]"""
    probability: FloatArray
    """Probability that each block is content; float64[n_block]."""
    confidence: float
    """The calibrated expected F1 of the balanced choice, which favours neither precision nor
    recall."""
    empty_probability: float
    """Probability that the page has no content; 0 without a decider, and on very short pages."""

    @property
    def is_empty(self) -> bool:
        """Whether an empty result is expected to score higher than the choice."""
        return self.empty_probability > self.confidence


def decide(model: Model, page: PageScores, beta: float) -> Decision:
    """Keep the blocks of a page with the highest expected F-measure.

    β above 1 keeps more, below 1 less; blocks with log-odds of −∞ are never kept. The probabilities
    are the decider's, or for models without one the network's.
    """
    excluded = np.isneginf(page.log_odds)
    empty_probability = 0.0
    decider = model.active_decider
    if decider is None:
        weight = model.calibration.choice_weight(page.log_odds, page.scope)
        probability = model.calibration.block_probability(page.log_odds, page.scope)
        weight[excluded] = probability[excluded] = 0
        trust = model.calibration.confidence
    else:
        check_deadline()
        weight = probability = decider.probability(describe_context(page), excluded)
        trust = decider.confidence
        if page.words.size >= _MIN_BLOCKS_OF_EMPTY:
            empty_probability = decider.empty_probability(probability, page.words)
    balanced = choose(weight, page.words)
    choice = balanced if beta == 1 else choose(weight, page.words, beta=beta)
    confidence = trust(balanced.expected)
    return Decision(choice.keep & ~excluded, probability, confidence, empty_probability)
