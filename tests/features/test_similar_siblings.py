"""Grouping of equal keys."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from thresher.features.siblings import group_equal


@given(st.lists(st.integers(-3, 3)))
def test_alike_are_counted(keys: list[int]) -> None:
    """Equal keys share a group, with the number of equal keys before each."""
    group, before, size = group_equal(np.array(keys, np.int64))
    assert [keys[:i].count(key) for i, key in enumerate(keys)] == before.tolist()
    assert [Counter(keys)[key] for key in keys] == size[group].tolist()
    assert len(set(keys)) == len(set(zip(keys, group.tolist(), strict=True))) == size.size
