"""Decision which blocks to keep, from their log-odds, with the expected F1."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.calibration import FAR, sigmoid
from thresher.algorithms.learned.candidates import CANDIDATES, find_candidates
from thresher.algorithms.learned.choice import choose
from thresher.algorithms.learned.chooser import Chooser
from thresher.algorithms.learned.model import Model
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.features import Features
from thresher.judgement import Candidate
from thresher.page.rows import BoolArray
from thresher.roles import SCOPES

__all__ = ["Decision", "DecisionInputs", "count_link_words", "decide"]

FloatArray = npt.NDArray[np.float64]

_FAVOR_SLOPE: Final = 0.6
"""Slope of the log-odds used to widen or narrow a set for another β: of the slopes tried in
candidates.py, the one with the best mean over corpora."""
_ARTICLE: Final = PAGE_TYPES.index("article")
_STORY_SCOPES: Final = (SCOPES.index("auto"), SCOPES.index("article"))
# The three were picked together on the folds that they are measured on (docs/adr/0006).
_CERTAIN_ARTICLE: Final = 0.8
"""Probability of the type article from which a page has a floor."""
_TOP_LOG_ODDS: Final = 0.0
"""Log-odds that a block of the page must reach for it to have a floor: where none does, the network
has not recognised the story, and any floor would cut it."""
_FLOOR: Final = -2.0
"""Log-odds below which no block of such a page is kept, whichever cut is chosen."""


class DecisionInputs(NamedTuple):
    """The inputs of a decision."""

    log_odds: FloatArray
    """Log-odds that each block is content, −∞ if it must not be kept; float64[n_block]."""
    words: npt.NDArray[np.int64]
    """int64[n_block]"""
    link_words: FloatArray
    """float64[n_block]"""
    types: FloatArray
    """Probability of each page type; float64[n_type]."""
    empty_score: float
    """Log-odds that the page has no main content."""
    scope: int


class Decision(NamedTuple):
    """The blocks to keep."""

    keep: BoolArray
    """bool[n_block]"""
    confidence: float
    """The calibrated expected F1 of the balanced choice, which favours neither precision nor
    recall."""
    candidates: tuple[Candidate, ...]


def count_link_words(features: Features) -> FloatArray:
    """Return the words of each block that are in links; float64[n_block]."""
    return features.link_density.astype(np.float64) * features.words


def decide(model: Model, seen: DecisionInputs, beta: float) -> Decision:
    """Decide which blocks of a page to keep; β above 1 keeps more, below 1 less."""
    if model.chooser is None or model.adapter is not None:
        return _decide_by_expectation(model, seen, beta)
    return _decide_by_chooser(model.chooser, seen, beta)


def _decide_by_chooser(chooser: Chooser, seen: DecisionInputs, beta: float) -> Decision:
    log_odds = np.maximum(seen.log_odds, -FAR)
    candidates = find_candidates(
        log_odds,
        seen.words,
        seen.link_words,
        seen.types,
        empty_score=seen.empty_score,
        scope=seen.scope,
    )
    weighed = chooser.weigh(candidates)
    keep = seen.log_odds >= max(float(candidates.cut[weighed.chosen]), _find_floor(seen))
    if beta != 1:
        keep = _favor(keep, seen, beta)
    numbers = (candidates.words, weighed.score, weighed.expected)
    rows = zip(CANDIDATES, *(column.tolist() for column in numbers), strict=True)
    candidate_infos = (
        Candidate(name, int(words), score, expected, place == weighed.chosen)
        for place, (name, words, score, expected) in enumerate(rows)
    )
    return Decision(keep, chooser.confidence(weighed), tuple(candidate_infos))


def _find_floor(seen: DecisionInputs) -> float:
    """Return the log-odds below which no block is kept.

    The lowest cuts are for lists and shops, where all content looks alike. On an article whose
    story the network is unsure of, they would keep the whole page.
    """
    is_article = seen.scope in _STORY_SCOPES and seen.types[_ARTICLE] >= _CERTAIN_ARTICLE
    return _FLOOR if is_article and seen.log_odds.max() >= _TOP_LOG_ODDS else -FAR


def _favor(keep: BoolArray, seen: DecisionInputs, beta: float) -> BoolArray:
    """Widen a set by what the best one for a larger β keeps, or narrow it for a smaller β.

    The best set for β grows with β, so what is kept does too.
    """
    weight = sigmoid(np.maximum(seen.log_odds, -FAR) * _FAVOR_SLOPE)
    weight[np.isneginf(seen.log_odds)] = 0
    best = choose(weight, seen.words, beta=beta).keep & ~np.isneginf(seen.log_odds)
    return keep | best if beta > 1 else keep & best


def _decide_by_expectation(model: Model, seen: DecisionInputs, beta: float) -> Decision:
    """Keep the set of blocks with the highest expected F-measure."""
    weight = model.calibration.choice_weight(seen.log_odds, seen.scope)
    weight[np.isneginf(seen.log_odds)] = 0
    balanced = choose(weight, seen.words)
    choice = balanced if beta == 1 else choose(weight, seen.words, beta=beta)
    keep = choice.keep & ~np.isneginf(seen.log_odds)
    return Decision(keep, model.calibration.confidence(balanced.expected), ())
