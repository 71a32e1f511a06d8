"""Small perceptrons, fitted to lines of known classes."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.training.perceptrons import fit

RANDOM = np.random.default_rng(1)
FEATURES = RANDOM.uniform(0, 1, (4000, 9))


@pytest.mark.parametrize("n_hidden", [0, 4])
def test_classes_found_when_a_plane_divides_them(n_hidden: int) -> None:
    """Both kinds of perceptron learn a linear rule: density above 0.5."""
    is_content = FEATURES[:, 0] > 0.5
    network = fit(FEATURES, is_content, n_line=1, n_attribute=1, n_hidden=n_hidden)
    assert np.mean((network.log_odds(FEATURES) > 0) == is_content) > 0.9


def test_hidden_layer_needed_when_no_plane_divides() -> None:
    """A single neuron cannot learn the middle of a range, a hidden layer can."""
    is_content = np.abs(FEATURES[:, 0] - 0.5) < 0.25
    right = [
        np.mean((network.log_odds(FEATURES) > 0) == is_content)
        for network in (
            fit(FEATURES, is_content, n_line=1, n_attribute=1, **size)
            for size in ({"n_hidden": 0}, {"n_hidden": 8})
        )
    ]
    assert right[0] < 0.7
    assert right[1] > 0.9


@pytest.mark.parametrize("n_hidden", [0, 4])
def test_weights_of_unused_inputs_are_zero(n_hidden: int) -> None:
    """With one attribute of two lines, only columns 0 and 3 have weights."""
    network = fit(FEATURES, FEATURES[:, 8] > 0.5, n_line=2, n_attribute=1, n_hidden=n_hidden)
    first = np.atleast_2d(network.output if network.hidden is None else network.hidden)
    assert [0, 3, 9] == np.flatnonzero(np.abs(first).sum(axis=0)).tolist()


def test_false_positives_fewer_when_they_cost_more() -> None:
    """A higher weight gives fewer false positives and more false negatives."""
    is_content = FEATURES[:, 0] + RANDOM.normal(0, 0.3, len(FEATURES)) > 0.5
    wrong = []
    for weight in (0.2, 1.0, 5.0):
        network = fit(
            FEATURES,
            is_content,
            n_line=1,
            n_attribute=1,
            n_hidden=0,
            false_positive_weight=weight,
        )
        wrong.append(int(np.sum((network.log_odds(FEATURES) > 0) & ~is_content)))
    assert wrong[0] > wrong[1] > wrong[2]


def test_weights_same_when_fitted_twice() -> None:
    """Equal seeds give equal weights."""
    one, two = (
        fit(FEATURES, FEATURES[:, 0] > 0.5, n_line=3, n_attribute=3, n_hidden=2) for _ in "ab"
    )
    assert one.hidden is not None
    assert two.hidden is not None
    assert np.array_equal(one.hidden, two.hidden)
    assert np.array_equal(one.output, two.output)
