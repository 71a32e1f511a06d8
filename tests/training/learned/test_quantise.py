"""The quantised network agrees with the trained ones."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.training.learned.conftest import Lesson
from thresher.algorithms.learned.network import (
    CLIP,
    INPUT_STEPS,
    MAX_LEVEL,
    MAX_WEIGHT,
    WHOLE,
    Network,
)
from thresher.roles import SCOPES
from thresher.training.learned.calibrate import quantise
from thresher.training.learned.network import Encoded, TrainableNetwork, join_pages

EXACT = 2**24
"""Whole numbers up to this are exact in float32."""


@pytest.fixture(scope="module")
def whole(lesson: Lesson, network: TrainableNetwork) -> Network:
    return quantise([network], lesson.encoding, lesson.pages)


def read(network: Network, page: Encoded, scope: int) -> tuple[np.ndarray, float]:
    output = network.run(page.example.features, page.tokens, page.types, scope)
    return output.log_odds, output.empty_score


@pytest.mark.parametrize("scope", range(len(SCOPES)))
def test_quantised_network_agrees(
    lesson: Lesson, network: TrainableNetwork, whole: Network, scope: int
) -> None:
    """Log-odds differ little, and more than 99 % of blocks have the same sign."""
    with torch.no_grad():
        scores = [network(join_pages([page], [scope])) for page in lesson.pages]
    found = [read(whole, page, scope) for page in lesson.pages]
    real = np.concatenate([each.blocks.numpy() for each in scores])
    rounded = np.concatenate([log_odds for log_odds, _ in found])
    assert np.abs(real - rounded).mean() < 0.05
    assert np.abs(real - rounded).max() < 0.5
    assert np.mean((real > 0) == (rounded > 0)) > 0.99
    empty = [each.empty.item() for each in scores]
    assert empty == pytest.approx([score for _, score in found], abs=0.2)


def test_weights_are_small_integers(whole: Network) -> None:
    """All weights fit a byte, and the largest weight of each unit uses the whole range."""
    for name in WHOLE:
        weights = getattr(whole, name)
        assert np.float32 == weights.dtype
        assert (weights == np.rint(weights)).all()
        assert MAX_WEIGHT >= np.abs(weights).max() > 0
    first = np.concatenate((whole.feature_weights, whole.name_weights[0]))
    assert (np.abs(first).max(axis=0) == MAX_WEIGHT).all()
    for name in ("second", "summary", "context", "output"):
        assert (np.abs(getattr(whole, f"{name}_weights")).max(axis=-2) == MAX_WEIGHT).all()


def test_sums_stay_exact_at_worst(whole: Network) -> None:
    """Even the largest weights and inputs give sums that float32 represents exactly."""
    n_input = {
        name: getattr(whole, f"{name}_weights").shape[-2]
        for name in ("second", "summary", "context", "output")
    }
    assert all(n * MAX_WEIGHT * MAX_LEVEL < EXACT for n in n_input.values())
    assert len(whole.feature_weights) * MAX_WEIGHT * CLIP * INPUT_STEPS < EXACT


def test_networks_vote(lesson: Lesson, network: TrainableNetwork, whole: Network) -> None:
    """The log-odds of two networks are the mean of those of each, on all pages and scopes."""
    torch.manual_seed(5)
    other = TrainableNetwork(lesson.n_token).eval()
    alone = quantise([other], lesson.encoding, lesson.pages)
    both = quantise([network, other], lesson.encoding, lesson.pages)
    for page in lesson.pages[:3]:
        for scope in range(len(SCOPES)):
            one, two, vote = (read(each, page, scope) for each in (whole, alone, both))
            assert (one[0] + two[0]) / 2 == pytest.approx(vote[0], abs=1e-5)
            assert (one[1] + two[1]) / 2 == pytest.approx(vote[1], abs=1e-5)
