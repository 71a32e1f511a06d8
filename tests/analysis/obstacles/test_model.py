"""An obstacle says what it is."""

from __future__ import annotations

import dataclasses

import pytest

from thresher.analysis.obstacles import Obstacle, ObstacleKind

OBSTACLE = Obstacle(ObstacleKind.BLOCKED, "A login.", 0.9)


def test_obstacle_written_as_verdict_and_evidence() -> None:
    """As text it is what a user is told."""
    assert "blocked or error page: A login." == str(OBSTACLE)


def test_obstacle_does_not_change() -> None:
    """What was found stays so."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        OBSTACLE.confidence = 0.1  # type: ignore[misc]
