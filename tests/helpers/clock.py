"""A clock that stands still unless it is advanced, for tests of deadlines."""

from __future__ import annotations

from typing import Final

import pytest

_START_S: Final = 1000.0


class Clock:
    """Replaces the module `time` where deadlines are checked."""

    def __init__(self) -> None:
        self.now_s = _START_S

    def monotonic(self) -> float:
        """Return the time on the clock."""
        return self.now_s

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now_s += seconds


def stop_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Put a stopped clock into `thresher.deadline` for the rest of the test."""
    clock = Clock()
    monkeypatch.setattr("thresher.deadline.time", clock)
    return clock
