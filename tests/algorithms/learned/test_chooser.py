"""The chooser: the best candidate and its expected F1."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algorithms.learned.models import make_chooser, prefer
from tests.helpers.compiled_steps import needs_steps
from thresher.algorithms.learned.candidates import CANDIDATES, N_INPUT, Candidates
from thresher.algorithms.learned.chooser import _CLIP, _STEPS, Weighed, _apply_layers

SEEDS = st.integers(0, 2**16)
UNITS = st.sampled_from([1, 2, 16, 32, 64])


def draw(seed: int, count: int = len(CANDIDATES)) -> npt.NDArray[np.float64]:
    """Draw features of some candidates, occasionally far from the mean."""
    return np.random.default_rng(seed).normal(0.5, 2, (count, N_INPUT))


@pytest.mark.parametrize("place", range(len(CANDIDATES)))
def test_best_candidate_is_chosen(place: int) -> None:
    """The candidate with the highest score is chosen, regardless of its position."""
    inputs = np.zeros((len(CANDIDATES), N_INPUT))
    inputs[:, -len(CANDIDATES) :] = np.eye(len(CANDIDATES))
    weighed = prefer(place).weigh_inputs(inputs)
    assert place == weighed.chosen
    assert [float(each == place) for each in range(len(CANDIDATES))] == weighed.score.tolist()


def test_first_of_equals_is_chosen() -> None:
    """Of candidates with equal features, the first is chosen."""
    weighed = make_chooser().weigh_inputs(draw(1)[[3, 3, 3]])
    assert 0 == weighed.chosen
    assert 1 == len(set(weighed.score.tolist()))


@given(SEEDS)
def test_candidates_are_scored_independently(seed: int) -> None:
    """The score of a candidate does not depend on the other candidates."""
    chooser, inputs = make_chooser(seed % 5), draw(seed)
    together = chooser.weigh_inputs(inputs)
    for place, row in enumerate(inputs):
        alone = chooser.weigh_inputs(row[None])
        assert together.score[place] == alone.score[0]
        assert together.expected[place] == alone.expected[0]


@given(SEEDS)
def test_expectations_are_between_0_and_1(seed: int) -> None:
    """Every expected F1 is from 0 to 1, and all numbers are multiples of a step."""
    weighed = make_chooser(seed % 5).weigh_inputs(draw(seed))
    assert ((weighed.expected >= 0) & (weighed.expected <= 1)).all()
    for numbers in (weighed.score, weighed.expected):
        assert (numbers * _STEPS == np.rint(numbers * _STEPS)).all()


@given(SEEDS)
def test_outliers_are_clipped(seed: int) -> None:
    """Inputs beyond the limit give the same scores as inputs at the limit."""
    chooser, random = make_chooser(), np.random.default_rng(seed)
    signs = random.choice([-1, 1], (len(CANDIDATES), N_INPUT))
    near, far = (
        chooser.weigh_inputs(chooser.chooser_mean + size * signs * chooser.chooser_deviation)
        for size in (_CLIP + 1, 1e6)
    )
    assert near.score.tolist() == far.score.tolist()
    assert near.expected.tolist() == far.expected.tolist()


def test_candidates_are_scored_by_their_inputs() -> None:
    """Only the inputs of candidates affect their scores."""
    chooser, inputs = make_chooser(), draw(2)
    cut, words = np.random.default_rng(2).normal(size=(2, len(CANDIDATES)))
    expected, found = chooser.weigh_inputs(inputs), chooser.weigh(Candidates(cut, words, inputs))
    assert expected.chosen == found.chosen
    assert expected.score.tolist() == found.score.tolist()


@pytest.mark.parametrize(
    ("expected", "confidence"), [(0.0, 0.125), (0.25, 0.125), (0.5, 0.375), (1.0, 0.625)]
)
def test_confidence_is_interpolated(expected: float, confidence: float) -> None:
    """Confidence is interpolated between two knots, and constant beyond them."""
    chooser = replace(
        make_chooser(),
        chooser_knots=np.array([0.25, 0.75]),
        chooser_reached=np.array([0.125, 0.625]),
    )
    weighed = Weighed(1, np.zeros(2), np.array([0.9, expected]))
    assert confidence == pytest.approx(chooser.confidence(weighed))


@needs_steps
@given(SEEDS, UNITS, UNITS, st.integers(1, 9))
def test_compiled_step_equals_numpy(seed: int, n_first: int, n_second: int, count: int) -> None:
    """The compiled kernel equals the numpy definition, except for the last bits of sums."""
    chooser, inputs = make_chooser(seed, n_first=n_first, n_second=n_second), draw(seed, count)
    expected, ours = _apply_layers.definition(chooser, inputs), _apply_layers(chooser, inputs)
    assert (count, 2) == ours.shape
    assert np.allclose(expected, ours, rtol=1e-9, atol=1e-9)
