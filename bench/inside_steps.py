"""Time that a contender spends inside compiled steps; the rest of it is Python and numpy."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from thresher.native import kernels

__all__ = ["InsideSteps"]


class InsideSteps:
    """A contender of which only the compiled steps are timed."""

    def __init__(self, run: Callable[[str], object]) -> None:
        self._run = run

    def __call__(self, html: str) -> object:
        """Run it."""
        return self._run(html)

    def time(self, html: str) -> float:
        """Return the CPU seconds of all steps of one run; 0 if there are no compiled steps."""
        if kernels.steps is None:
            return 0.0
        clock = _Clock(kernels.steps)
        with patch.object(kernels, "steps", clock):
            self._run(html)
        return clock.spent_ns / 1e9


class _Clock:
    """Compiled steps that add up the time spent in them."""

    def __init__(self, steps: object) -> None:
        self._steps = steps
        self.spent_ns = 0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        step = getattr(self._steps, name)

        def run(*args: Any) -> Any:
            start = time.process_time_ns()
            result = step(*args)
            self.spent_ns += time.process_time_ns() - start
            return result

        setattr(self, name, run)
        return run
