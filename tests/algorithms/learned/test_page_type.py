"""Page types: probabilities from the means of features and from the names on the page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algorithms.learned.models import features_of, make_page_types
from thresher.algorithms.learned.page_type import PAGE_TYPES, TYPE_STEPS, PageTypeModel

N_TOKEN = 9
NONE = np.zeros(0, np.intp)


def blank() -> PageTypeModel:
    """Make a model with weights of 0."""
    model = make_page_types(0, N_TOKEN)
    weights = ("type_feature_weights", "type_token_weights", "type_bias")
    return replace(model, **{name: np.zeros_like(getattr(model, name)) for name in weights})


@given(st.integers(0, 99), st.lists(st.integers(0, N_TOKEN), max_size=20))
def test_probabilities_add_up_to_1(seed: int, tokens: list[int]) -> None:
    """Probabilities are multiples of a step from 0 to 1, and add up to 1 except for rounding."""
    model = make_page_types(seed, N_TOKEN)
    found = model.probabilities(features_of(), np.array(tokens, np.intp)) * TYPE_STEPS
    assert (len(PAGE_TYPES),) == found.shape
    assert (found == np.rint(found)).all()
    assert ((found >= 0) & (found <= TYPE_STEPS)).all()
    assert abs(found.sum() - TYPE_STEPS) <= len(PAGE_TYPES) / 2


def test_names_count_once_each() -> None:
    """A name that is on the page several times counts once; an unknown name does not count."""
    model = make_page_types(1, N_TOKEN)
    once = model.probabilities(features_of(), np.array([2, 5]))
    often = model.probabilities(features_of(), np.array([5, 2, 2, 2, 5, N_TOKEN]))
    assert once.tolist() == often.tolist()
    assert once.tolist() != model.probabilities(features_of(), NONE).tolist()


def test_worked_example() -> None:
    """Up to normalisation, the log of a probability is the sum of bias, means and names."""
    model = blank()
    model.type_bias[1] = np.log(2)
    model.type_token_weights[4, 1] = np.log(3)
    share = model.probabilities(features_of(), np.array([4]))
    assert [1 / 12, 6 / 12] == pytest.approx(share[:2].tolist(), abs=0.5 / TYPE_STEPS)
    model = blank()
    model.type_feature_weights[0, 2] = 1
    model.type_mean[0] = features_of().means[0, 0] - model.type_deviation[0]
    share = model.probabilities(features_of(), NONE)
    assert np.e / (np.e + 6) == pytest.approx(share[2], abs=0.5 / TYPE_STEPS)


def test_extreme_means_are_clipped() -> None:
    """Means beyond the limit give the same probabilities as means at the limit."""
    model = blank()
    model.type_feature_weights[0, 2] = 0.25
    far, farther = (replace(model, type_mean=model.type_mean - gap) for gap in (1e3, 1e6))
    found = far.probabilities(features_of(), NONE)
    assert found.tolist() == farther.probabilities(features_of(), NONE).tolist()
    assert np.e / (np.e + 6) == pytest.approx(found[2], abs=0.5 / TYPE_STEPS)
