"""Calibration: probabilities and confidence are in range, monotonic, and reproducible."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algorithms.learned.models import calibrate
from thresher.roles import SCOPES

LOG_ODDS = st.lists(st.floats(width=32, allow_nan=False), min_size=2, max_size=9)
CURVE = replace(
    calibrate(), expected=np.array([0.25, 0.5, 0.75]), reached=np.array([0.5, 0.5, 1.0])
)


@given(LOG_ODDS, st.floats(0.0625, 4), st.floats(-4, 4))
def test_probabilities_rise_with_log_odds(
    log_odds: list[float], slope: float, shift: float
) -> None:
    """Any log-odds give a probability from 0 to 1, and higher log-odds never a lower one."""
    calibration = calibrate(slope=slope, shift=shift)
    ranked = np.sort(np.array(log_odds, np.float32))
    for found in (calibration.block_probability(ranked, 0), calibration.choice_weight(ranked, 0)):
        assert ((found >= 0) & (found <= 1)).all()
        assert (np.diff(found) >= 0).all()


@given(LOG_ODDS)
def test_probabilities_are_whole_steps(log_odds: list[float]) -> None:
    """Probabilities are multiples of a step, so that sums of words times them are exact."""
    found = calibrate().block_probability(np.array(log_odds, np.float32), 0) * 2**16
    assert (found == np.rint(found)).all()


def test_every_scope_has_its_own_slope_and_shift() -> None:
    """Each scope has its own numbers, and adjusted log-odds of 0 give a probability of 1/2."""
    scopes = np.arange(len(SCOPES), dtype=np.float64)
    blocks = replace(calibrate(), block_slope=scopes, block_shift=-3 * scopes)
    choice = replace(calibrate(), choice_slope=scopes, choice_shift=-3 * scopes)
    log_odds = np.array([3.0, 2.0], np.float32)
    for scope in range(len(SCOPES)):
        for found in (
            blocks.block_probability(log_odds, scope),
            choice.choice_weight(log_odds, scope),
        ):
            assert [0.5, 1 / (1 + np.exp(scope))] == pytest.approx(found.tolist(), abs=2**-16)


@pytest.mark.parametrize(
    ("expected", "confidence"),
    [(0.25, 0.5), (0.4, 0.5), (0.625, 0.75), (0.75, 1.0), (0.0, 0.5), (1.0, 1.0)],
)
def test_confidence_is_read_off_the_curve(expected: float, confidence: float) -> None:
    """Confidence is interpolated between two knots, and constant beyond the last one."""
    assert confidence == CURVE.confidence(expected)
