"""The benchmark of compiled steps measures each stage with them and without."""

from __future__ import annotations

import pytest

from bench import native
from bench.native import measure, measure_calls
from tests.helpers.compiled_steps import needs_steps, without_compiled_steps
from tests.helpers.trees import PLAIN_PAGE
from thresher.native import kernels


@needs_steps
def test_steps_are_left_out_and_come_back() -> None:
    """Kernels are replaced by their definitions only inside the context."""
    with without_compiled_steps():
        assert kernels.steps is None
    assert kernels.steps is not None


def test_calls_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kernel has the time of one call."""
    monkeypatch.setattr(native, "_N_CALL", 2)
    assert all(duration > 0 for duration in measure_calls().values())


def test_every_stage_is_measured_twice() -> None:
    """Each stage is measured with and without compiled steps, the parser first."""
    stages = measure([PLAIN_PAGE], 1)
    assert "bare parse" == stages[0].name
    assert all(stage.with_steps > 0 and stage.without > 0 for stage in stages)
    assert {"columns (scan)", "view: hidden", "HTML to Markdown"} <= {s.name for s in stages}
