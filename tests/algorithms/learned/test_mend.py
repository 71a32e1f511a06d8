"""What mending adds to a choice."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import soups
from thresher.algorithms.learned.mend import mend
from thresher.features import compute_features
from thresher.page.parse import parse


@given(soups(), st.integers(0, 2**32 - 1))
def test_every_change_has_a_reason(html: str, seed: int) -> None:
    """Every block that mending adds is listed with the reason for it, and it drops none."""
    page = parse(html)
    n_block = len(page.blocks)
    if not n_block:
        return
    random = np.random.default_rng(seed)
    probability = random.random(n_block)
    before = probability > 0.5
    allowed = random.random(n_block) > 0.2
    features = compute_features(page)
    keep, changed = mend(page, features, before & allowed, probability, allowed)
    added = np.any([*changed.values()], axis=0)
    assert not (keep & ~before & ~added).any()
    assert keep[before & allowed].all()
