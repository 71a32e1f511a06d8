"""The harness of compiled steps measures each stage with them and without."""

from __future__ import annotations

import pytest

from bench.native import measure
from tests.helpers.compiled_steps import without_compiled_steps
from tests.helpers.trees import PLAIN_PAGE
from thresher import native
from thresher.page import scan


@pytest.mark.skipif(native.compiled is None, reason="the steps are not compiled")
def test_steps_are_left_out_and_come_back() -> None:
    """Only inside the context no module has them."""
    with without_compiled_steps():
        assert vars(scan)["compiled"] is None
    assert vars(scan)["compiled"] is native.compiled is not None


def test_every_stage_is_measured_twice() -> None:
    """Each stage has its time with and without, the parser's first."""
    stages = measure([PLAIN_PAGE], 1)
    assert "bare parse" == stages[0].name
    assert all(stage.with_steps > 0 and stage.without > 0 for stage in stages)
    assert {"columns (scan)", "view: hidden", "HTML to Markdown"} <= {s.name for s in stages}
