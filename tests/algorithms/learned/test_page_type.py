"""Page types: probabilities from means of features and from the names on the page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algorithms.learned.models import PAGE, features_of, make_page_types
from tests.helpers.compiled_steps import needs_steps
from tests.helpers.trees import soups
from thresher.algorithms.learned.page_type import (
    PAGE_TYPES,
    TYPE_STEPS,
    PageTypeModel,
    average_features,
)
from thresher.page.parse import parse

N_TOKEN = 9
NONE = np.zeros(0, np.intp)


def blank() -> PageTypeModel:
    """A model with weights of 0."""
    model = make_page_types(0, N_TOKEN)
    weights = ("type_feature_weights", "type_token_weights", "type_bias")
    return replace(model, **{name: np.zeros_like(getattr(model, name)) for name in weights})


@given(st.integers(0, 99), st.lists(st.integers(0, N_TOKEN), max_size=20))
def test_probabilities_are_some(seed: int, tokens: list[int]) -> None:
    """They are steps from 0 to 1, and add up to 1 but for their rounding."""
    model = make_page_types(seed, N_TOKEN)
    found = model.probabilities(features_of(), np.array(tokens, np.intp)) * TYPE_STEPS
    assert (len(PAGE_TYPES),) == found.shape
    assert (found == np.rint(found)).all()
    assert ((found >= 0) & (found <= TYPE_STEPS)).all()
    assert abs(found.sum() - TYPE_STEPS) <= len(PAGE_TYPES) / 2


def test_names_count_once_each() -> None:
    """A name on the page twice counts as one; one that is unknown counts nothing."""
    model = make_page_types(1, N_TOKEN)
    once = model.probabilities(features_of(), np.array([2, 5]))
    often = model.probabilities(features_of(), np.array([5, 2, 2, 2, 5, N_TOKEN]))
    assert once.tolist() == often.tolist()
    assert once.tolist() != model.probabilities(features_of(), NONE).tolist()


def test_what_counts_can_be_worked_out() -> None:
    """Bias, means and names add up to the log of each probability, up to what all share."""
    model = blank()
    model.type_bias[1] = np.log(2)
    model.type_token_weights[4, 1] = np.log(3)
    share = model.probabilities(features_of(), np.array([4]))
    assert [1 / 12, 6 / 12] == pytest.approx(share[:2].tolist(), abs=0.5 / TYPE_STEPS)
    model = blank()
    model.type_feature_weights[0, 2] = 1
    model.type_mean[0] = average_features(features_of())[0] - model.type_deviation[0]
    share = model.probabilities(features_of(), NONE)
    assert np.e / (np.e + 6) == pytest.approx(share[2], abs=0.5 / TYPE_STEPS)


def test_far_means_are_cut() -> None:
    """Extreme means are clipped."""
    model = blank()
    model.type_feature_weights[0, 2] = 0.25
    far, farther = (replace(model, type_mean=model.type_mean - gap) for gap in (1e3, 1e6))
    found = far.probabilities(features_of(), NONE)
    assert found.tolist() == farther.probabilities(features_of(), NONE).tolist()
    assert np.e / (np.e + 6) == pytest.approx(found[2], abs=0.5 / TYPE_STEPS)


def test_means_are_by_words_and_by_blocks() -> None:
    """Long blocks count more in the first half of the means, and the same in the second."""
    features = features_of("<p>one two three</p><p>four</p>")
    values = features.values.astype(np.float64)
    by_words, by_blocks = np.split(average_features(features), 2)
    assert (3.01 * values[0] + 1.01 * values[1]) / 4.02 == pytest.approx(by_words)
    assert (values[0] + values[1]) / 2 == pytest.approx(by_blocks)


@needs_steps
@given(soups())
def test_means_by_the_compiled_step(html: str) -> None:
    """They are those of numpy, but for the last bits."""
    if not len(parse(html).blocks):
        return
    features = features_of(html)
    ours = average_features(features)
    assert average_features.definition(features) == pytest.approx(ours, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("html", ["<img src=a.png>", "<img src=a.png><hr><img src=b.png>", PAGE])
def test_means_exist_without_words(html: str) -> None:
    """A page of pictures has means too."""
    assert np.isfinite(average_features(features_of(html))).all()
