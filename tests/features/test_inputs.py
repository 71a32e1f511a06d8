"""What is computed from features: quantised inputs, and means."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.features import FEATURES, compute_features
from thresher.features.inputs import InputScale, quantise, saturate, standardise
from thresher.page.parse import parse

SCALE = InputScale(
    mean=np.array([0, 1], np.float32),
    deviation=np.array([0.5, 2], np.float32),
    saturation=np.array([0.5, 0], np.float32),
    clip=4.0,
    steps=32.0,
)
VALUES = np.array([[0, 1], [2, 1e9], [-2, -1e9]], np.float32)


def test_features_are_saturated_and_clipped() -> None:
    """Heavy tails are saturated at 1 / saturation, and standardised values are clipped."""
    assert [[0, 1], [1, 1e9], [-1, -1e9]] == saturate(VALUES, SCALE.saturation).tolist()
    assert [[0, 0], [2, 4], [-2, -4]] == standardise(VALUES, SCALE).tolist()


def test_inputs_are_whole_steps() -> None:
    """An input is the standardised feature in steps, by feature and block."""
    inputs = quantise(VALUES.T, SCALE)
    assert [[0, 64, -64], [0, 128, -128]] == inputs.tolist()
    assert (inputs.dtype.name, inputs.flags.c_contiguous) == ("int16", True)


def test_only_equal_scales_are_equal() -> None:
    """Two scales are equal if every feature is read alike."""
    assert SCALE.equals(SCALE._replace(mean=SCALE.mean.copy()))
    for other in (SCALE._replace(steps=16.0), SCALE._replace(mean=SCALE.mean + 1)):
        assert not SCALE.equals(other)


def test_a_page_is_quantised_or_not() -> None:
    """With a scale there are inputs, without one values; both have the same means."""
    page = parse("<p>one two three</p><p>four</p>")
    every = np.ones(len(FEATURES), np.float32)
    scale = InputScale(every, every, every, 4.0, 32.0)
    plain, quantised = compute_features(page), compute_features(page, scale)
    assert (plain.values.shape, plain.inputs.shape) == ((2, len(FEATURES)), (0, 2))
    assert (quantised.values.shape, quantised.inputs.shape) == ((2, 0), (len(FEATURES), 2))
    assert plain.quantised(scale).tolist() == quantised.quantised(scale).tolist()
    assert plain.means.tolist() == quantised.means.tolist()


def test_means_are_by_words_and_by_blocks() -> None:
    """The first means are weighted by words, the second count all blocks alike."""
    features = compute_features(parse("<p>one two three</p><p>four</p>"))
    values = features.values.astype(np.float64)
    by_words, by_blocks = features.means
    assert (3.01 * values[0] + 1.01 * values[1]) / 4.02 == pytest.approx(by_words)
    assert (values[0] + values[1]) / 2 == pytest.approx(by_blocks)
