"""Processing in steps gives the same results as processing at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.algorithms.learned.steps import multiply, step_through
from thresher.deadline import deadline
from thresher.errors import LimitError

sizes = st.integers(0, 70)


@given(st.integers(1, 3), sizes, st.integers(1, 5), st.integers(1, 5), st.booleans())
def test_products_equal_those_of_numpy(m: int, n: int, k: int, h: int, shared: bool) -> None:
    """Products of integers are the same when computed in steps, also with shared values."""
    random = np.random.default_rng(n)
    values = random.integers(-9, 9, (1 if shared else m, n, k)).astype(np.float32)
    weights = random.integers(-9, 9, (m, k, h)).astype(np.float32)
    assert np.array_equal(values @ weights, multiply(values, weights))


def test_product_of_a_transposed_matrix() -> None:
    """A transposed matrix, whose columns are contiguous in memory, gives the same product."""
    values = np.arange(3 * 45, dtype=np.float32).reshape(3, 45)
    weights = np.arange(6, dtype=np.float32).reshape(1, 3, 2)
    assert np.array_equal(values.T @ weights[0], multiply(values.T[None], weights)[0])


@given(st.integers(0, 9000))
def test_steps_cover_all_blocks_once(n_block: int) -> None:
    """Every block is in exactly one step, in order."""
    places = np.arange(n_block)
    steps = [places[rows] for rows in step_through(n_block)]
    assert places.tolist() == np.concatenate([places[:0], *steps]).tolist()


def test_steps_keep_to_the_deadline() -> None:
    """Processing stops at the deadline."""
    with deadline(1e-9), pytest.raises(LimitError):
        list(step_through(10))
