"""Calibration of the network's output, on pages whose site it was not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.calibration import FAR, Calibration
from thresher.algorithms.learned.context import PageScores
from thresher.algorithms.learned.decide import choose, count_link_words
from thresher.page.rows import BoolArray
from thresher.roles import SCOPES
from thresher.training.learned.examples import MIXED_CORPORA, Example, scope_of

__all__ = ["HeldOutPage", "Reached", "fit_calibration", "fit_confidence", "try_choices"]

FloatArray = npt.NDArray[np.float64]

_SLOPES: Final = (0.15, 0.2, 0.25, 0.3, 0.35, 0.45, 0.6, 0.8, 1.0)
_SHIFTS: Final = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5)
"""Grid for the log-odds of blocks."""
_OTHER_WEIGHT: Final = 0.5
"""Weight of a page of a corpus that is not mixed."""
_PRIOR_WEIGHT: Final = 1.0
"""Weight, in pages, of the prior at the network's own log-odds: empty pages are few."""
_NEWTON_STEPS: Final = 30
_N_KNOT: Final = 12
"""Groups of equal size, by expected F1, to which the confidence is fitted."""


@dataclass(frozen=True, slots=True)
class HeldOutPage:
    """Output for a page of a network that was not trained on its site."""

    example: Example
    log_odds: Sequence[FloatArray]
    """Log-odds under each scope, float64[n_block] each; those of `auto` for scopes the page is not
    an example of. Far below 0 for readers' comments that the scope excludes."""
    empty_score: float
    """Under the scope `auto`."""
    types: FloatArray
    """Probability of each page type; float64[n_type]."""
    role_scores: npt.NDArray[np.float32]
    """Scores of roles, as by `Inference.score_roles`; float32[n_block, n_role]."""

    def scores(self, scope: int) -> PageScores:
        """Return what a decision under a scope depends on."""
        features = self.example.features
        return PageScores(
            *(self.log_odds[scope], self.role_scores, features.words, count_link_words(features)),
            *(features.chain, self.types, self.empty_score, scope),
        )

    def is_excluded(self, scope: int) -> BoolArray:
        """Flag the readers' comments that a scope excludes; bool[n_block]."""
        return np.asarray(self.log_odds[scope] <= -FAR)


class Reached(NamedTuple):
    """Expected and actual F1 of the choice of blocks, by page, scope, slope and shift.

    float64[n_page, n_scope, n_slope, n_shift] each.
    """

    expected: FloatArray
    actual: FloatArray


def try_choices(pages: Sequence[HeldOutPage]) -> Reached:
    """Choose the blocks of every page under every scope, slope and shift."""
    shape = (len(pages), len(SCOPES), len(_SLOPES), len(_SHIFTS))
    reached = Reached(np.zeros(shape), np.zeros(shape))
    for place, page in enumerate(pages):
        words = page.example.features.words
        for scope in {0, scope_of(page.example.page)}:
            for i, slope in enumerate(_SLOPES):
                for j, shift in enumerate(_SHIFTS):
                    log_odds = page.log_odds[scope] * slope + shift
                    choice = choose(1 / (1 + np.exp(-np.clip(log_odds, -30, 30))), words)
                    reached.expected[place, scope, i, j] = choice.expected
                    reached.actual[place, scope, i, j] = page.example.measure(choice.keep)
    return reached


def fit_calibration(pages: Sequence[HeldOutPage], reached: Reached) -> Calibration:
    """Fit a calibration to some pages: the choice by grid search, probabilities by log loss."""
    mixed = np.array([page.example.page.corpus in MIXED_CORPORA for page in pages])
    weight = np.where(mixed, 1.0, _OTHER_WEIGHT)
    labelled = np.array([scope_of(page.example.page) for page in pages])
    fits = []
    for scope in range(len(SCOPES)):
        own = weight * ((labelled == scope) | (scope == 0))
        # Without an example of a scope, the fit of `auto` is used.
        source = scope if own.any() else 0
        total = np.tensordot(own if own.any() else weight, reached.actual[:, source], 1)
        fits.append(np.unravel_index(int(total.argmax()), total.shape))
    slope, shift = fits[0]
    knots = fit_confidence(reached.expected[:, 0, slope, shift], reached.actual[:, 0, slope, shift])
    blocks = [_fit_blocks(pages, scope) for scope in range(len(SCOPES))]
    empty_slope, empty_shift = _fit_logistic(
        np.array([page.empty_score for page in pages]),
        np.array([float(page.example.is_empty) for page in pages]),
        np.ones(len(pages)),
    )
    return Calibration(
        block_slope=np.array([slope for slope, _ in blocks]),
        block_shift=np.array([shift for _, shift in blocks]),
        choice_slope=np.array([_SLOPES[slope] for slope, _ in fits]),
        choice_shift=np.array([_SHIFTS[shift] for _, shift in fits]),
        empty_slope=np.array(empty_slope),
        empty_shift=np.array(empty_shift),
        expected=knots[0],
        reached=knots[1],
    )


def fit_confidence(expected: FloatArray, actual: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Map expected to reached F1 by group means, made monotonic (isotonic regression)."""
    groups = np.array_split(np.argsort(expected, kind="stable"), min(_N_KNOT, expected.size))
    knots = np.array([expected[group].mean() for group in groups])
    return knots, _make_rise([(actual[group].mean(), group.size) for group in groups])


def _make_rise(means: Sequence[tuple[float, int]]) -> FloatArray:
    """Pool neighbours until the means ascend (Barlow et al. 1972, pool adjacent violators)."""
    pools: list[list[float]] = []
    for mean, size in means:
        pools.append([float(mean), size, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            late, early = pools.pop(), pools.pop()
            total = early[1] + late[1]
            pooled = (early[0] * early[1] + late[0] * late[1]) / total
            pools.append([pooled, total, early[2] + late[2]])
    return np.repeat([pool[0] for pool in pools], [int(pool[2]) for pool in pools])


def _fit_blocks(pages: Sequence[HeldOutPage], scope: int) -> tuple[float, float]:
    """Fit slope and shift of the log-odds of blocks under a scope, with equal weight per page."""
    own = [page for page in pages if scope in (0, scope_of(page.example.page))] or pages
    examples = [page.example for page in own]
    return _fit_logistic(
        np.concatenate([page.log_odds[scope] for page in own]).astype(np.float64),
        np.concatenate([example.share for example in examples]).astype(np.float64),
        np.concatenate(
            [example.weight / max(float(example.weight.sum()), 1.0) for example in examples]
        ),
    )


def _fit_logistic(score: FloatArray, target: FloatArray, weight: FloatArray) -> tuple[float, float]:
    """Fit slope and shift of log-odds by log loss, with Newton's method (Platt 1999)."""
    inputs = np.stack((score, np.ones_like(score)), axis=1)
    prior = np.array([1.0, 0.0])
    fit = np.zeros(2)  # from here Newton's steps never overshoot far
    for _ in range(_NEWTON_STEPS):
        probability = 1 / (1 + np.exp(-np.clip(inputs @ fit, -30, 30)))
        spread = weight * probability * (1 - probability)
        slope = inputs.T @ (weight * (probability - target)) + _PRIOR_WEIGHT * (fit - prior)
        curvature = inputs.T @ (inputs * spread[:, None]) + _PRIOR_WEIGHT * np.eye(2)
        fit = fit - np.linalg.solve(curvature, slope)
    return float(fit[0]), float(fit[1])
