"""The standard error of a mean."""

from __future__ import annotations

import pytest

from thresher.evaluation.metrics import standard_error


def test_more_values_reduce_the_error() -> None:
    """The standard error falls with the square root of the number of values."""
    assert pytest.approx(0.5) == standard_error([0.0, 1.0])
    assert pytest.approx((1 / 3 / 4) ** 0.5) == standard_error([0.0, 1.0, 0.0, 1.0])


def test_one_value_alone() -> None:
    """A single value has no standard error."""
    assert 0.0 == standard_error([0.7])
