"""How sure a mean is."""

from __future__ import annotations

import pytest

from thresher.evaluation.standard_error import standard_error


def test_more_of_the_same_is_surer() -> None:
    """It falls with the root of the number of values."""
    assert pytest.approx(0.5) == standard_error([0.0, 1.0])
    assert pytest.approx((1 / 3 / 4) ** 0.5) == standard_error([0.0, 1.0, 0.0, 1.0])


def test_one_value_alone() -> None:
    """Nothing is known of how far others would differ."""
    assert 0.0 == standard_error([0.7])
