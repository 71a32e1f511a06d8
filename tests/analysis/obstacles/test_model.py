"""Properties of an obstacle."""

from __future__ import annotations

import dataclasses

import pytest

from thresher.analysis.obstacles import Obstacle, ObstacleKind

OBSTACLE = Obstacle(ObstacleKind.BLOCKED, "A login.", 0.9)


def test_obstacle_written_as_verdict_and_evidence() -> None:
    """Its string is the message for users."""
    assert "blocked or error page: A login." == str(OBSTACLE)


def test_obstacle_does_not_change() -> None:
    """An obstacle is immutable."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        OBSTACLE.confidence = 0.1  # type: ignore[misc]
