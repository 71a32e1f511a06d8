"""The decider: log-odds of blocks, and the confidence in a decision."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algorithms.learned.models import follow_network, make_decider
from tests.helpers.compiled_steps import needs_steps
from thresher.algorithms.learned.context import N_INPUT
from thresher.algorithms.learned.decider import _CLIP, _STEPS, _apply_layers

SEEDS = st.integers(0, 2**16)
UNITS = st.sampled_from([1, 2, 16, 32, 64])


def draw(seed: int, count: int = 7) -> npt.NDArray[np.float64]:
    """Draw the context of some blocks, occasionally far from the mean."""
    return np.random.default_rng(seed).normal(0.5, 2, (count, N_INPUT))


@given(SEEDS)
def test_blocks_are_weighed_independently(seed: int) -> None:
    """The log-odds of a block do not depend on the other blocks, but by its context."""
    decider, inputs = make_decider(seed % 5), draw(seed)
    together = decider.weigh(inputs)
    for place, row in enumerate(inputs):
        assert together[place] == decider.weigh(row[None])[0]


@given(SEEDS)
def test_log_odds_are_rounded(seed: int) -> None:
    """All log-odds are multiples of a step."""
    log_odds = make_decider(seed % 5).weigh(draw(seed))
    assert (log_odds * _STEPS == np.rint(log_odds * _STEPS)).all()


@given(SEEDS)
def test_outliers_are_clipped(seed: int) -> None:
    """Inputs beyond the limit give the same log-odds as inputs at the limit."""
    decider, random = make_decider(), np.random.default_rng(seed)
    signs = random.choice([-1, 1], (7, N_INPUT))
    near, far = (
        decider.weigh(decider.decider_mean + size * signs * decider.decider_deviation)
        for size in (_CLIP + 1, 1e6)
    )
    assert near.tolist() == far.tolist()


@given(st.floats(0, 1), st.integers(0, 10**6))
def test_emptiness_falls_with_what_is_found(probability: float, words: int) -> None:
    """Emptiness is a probability, and falls as a block is more probable, or has more words."""
    decider = replace(make_decider(), decider_empty=np.array([2.0, -0.5, -0.5]))

    def weigh(probability: float, words: int) -> float:
        return decider.empty_probability(np.array([probability, 0.0]), np.array([words, 9]))

    here = weigh(probability, words)
    assert 0 <= weigh(probability, words + 100) <= here <= weigh(probability / 2, words) <= 1


@pytest.mark.parametrize(
    ("expected", "confidence"), [(0.0, 0.125), (0.25, 0.125), (0.5, 0.375), (1.0, 0.625)]
)
def test_confidence_is_interpolated(expected: float, confidence: float) -> None:
    """Confidence is interpolated between two knots, and constant beyond them."""
    decider = replace(
        make_decider(),
        decider_knots=np.array([0.25, 0.75]),
        decider_reached=np.array([0.125, 0.625]),
    )
    assert confidence == pytest.approx(decider.confidence(expected))


def test_decider_that_follows_the_network() -> None:
    """The decider of these tests that follows the network returns its log-odds."""
    inputs = np.zeros((3, N_INPUT))
    inputs[:, 0] = np.array([-6, 0, 1.5]) / 3
    assert [-6, 0, 1.5] == follow_network().weigh(inputs).tolist()
    assert [-5, 1, 2.5] == follow_network(1).weigh(inputs).tolist()


@needs_steps
@given(SEEDS, UNITS, UNITS, st.integers(1, 9))
def test_compiled_step_equals_numpy(seed: int, n_first: int, n_second: int, count: int) -> None:
    """The compiled kernel equals the numpy definition, except for the last bits of sums."""
    decider, inputs = make_decider(seed, n_first=n_first, n_second=n_second), draw(seed, count)
    expected, ours = _apply_layers.definition(decider, inputs), _apply_layers(decider, inputs)
    assert (count,) == ours.shape
    assert np.allclose(expected, ours, rtol=1e-9, atol=1e-9)
