"""The content code vector and its blur, checked against values worked out by hand."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from thresher.algorithms.classics.blurring import blur, cells_of
from thresher.algorithms.classics.sequence import SequenceLayout

# Markup, four characters of text, markup: 0 0 1 1 1 1 0 0 0 0.
RIBBON = SequenceLayout(np.array([0, 2, 6]), np.array([0, 6, 6]), length=10)


@pytest.mark.parametrize(
    ("cell_chars", "expected"),
    [(1, [0, 0, 1, 1, 1, 1, 0, 0, 0, 0]), (4, [0.5, 0.5, 0]), (3, [1 / 3, 1, 0, 0]), (100, [0.4])],
)
def test_cells_hold_share_of_text_when_cut(cell_chars: int, expected: list[float]) -> None:
    """A cell is the mean of the characters it represents; the last cell may be shorter."""
    assert expected == pytest.approx(cells_of(RIBBON, cell_chars).tolist())


def test_cells_join_texts_when_nothing_is_between() -> None:
    """Adjacent texts, such as those around an ignored tag, form one run."""
    layout = SequenceLayout(np.array([0, 2, 4]), np.array([2, 4, 4]), length=5)
    assert [1, 1, 1, 1, 0] == cells_of(layout, 1).tolist()


def test_cells_are_zero_when_page_has_no_text() -> None:
    """The vector of a page that consists of markup is 0 everywhere."""
    assert [0, 0] == cells_of(SequenceLayout(np.array([0]), np.array([0]), length=10), 5).tolist()


def test_one_blur_spreads_by_gaussian_when_radius_is_one() -> None:
    """A radius of 1 gives a deviation of 1/3, so that a neighbour has weight e^(−9/2)."""
    weight = exp(-4.5)
    blurred = blur(np.array([0.0, 1.0, 0.0]), radius=1, max_blurs=1)
    edge = weight / (1 + weight)
    assert [edge, 1 / (1 + 2 * weight), edge] == pytest.approx(blurred.tolist())


def test_blurring_stops_when_stable() -> None:
    """Blurring repeats until no value changes by more than the tolerance."""
    cells = np.repeat([0.0, 1.0, 0.0], 50)
    once = blur(cells, radius=5, max_blurs=1)
    assert np.array_equal(once, blur(cells, radius=5, tolerance=1.0))
    stable = blur(cells, radius=5, tolerance=0.01)
    assert 0.01 >= np.abs(blur(stable, radius=5, max_blurs=1) - stable).max()
    assert 0.01 < np.abs(blur(once, radius=5, max_blurs=1) - once).max()


def test_blurred_values_stay_within_limits_when_at_the_ends() -> None:
    """A vector that consists of text stays 1 up to both ends."""
    assert [1.0] * 7 == pytest.approx(blur(np.ones(7), radius=30).tolist())
