"""TEDS measures what is missing from a table, and how its texts differ."""

from __future__ import annotations

import pytest

from thresher.evaluation.fidelity.score import score_teds
from thresher.evaluation.fidelity.structure import Grid

GOLD: Grid = (("a", "bcde"), ("f", "g"))


def test_the_same_table_scores_one() -> None:
    """A table compared with itself needs no changes and scores 1."""
    assert 1.0 == score_teds(GOLD, GOLD)


@pytest.mark.parametrize(
    ("found", "all", "structure"),
    [
        ((("a", "bcdx"), ("f", "g")), 1 - 0.25 / 7, 1.0),  # one letter of four in one node of seven
        ((("a", "bcde"),), 1 - 3 / 7, 1 - 3 / 7),  # a row with two cells is missing
        ((("a",), ("f",)), 1 - 2 / 7, 1 - 2 / 7),  # a column is missing
    ],
)
def test_changes_count_by_the_definition(found: Grid, all: float, structure: float) -> None:
    """A node costs 1, a text its distance; the sum is divided by the larger number of nodes."""
    assert all == pytest.approx(score_teds(found, GOLD))
    assert structure == pytest.approx(score_teds(found, GOLD, structure_only=True))
