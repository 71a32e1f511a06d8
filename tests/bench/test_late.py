"""The benchmark of deadlines measures every stage, and detects those that end late."""

from __future__ import annotations

import math
import time
from functools import partial

import pytest

import thresher
from bench import late
from bench.late import STAGES, Late, measure_shape
from tests.bench.conftest import Run
from thresher.deadline import check_deadline


@pytest.mark.slow
@pytest.mark.usefixtures("frozen_heap")
def test_every_stage_is_measured() -> None:
    """The extraction, each method and each output has a row, and none failed."""
    rows = list(measure_shape("paragraphs", divide=10_000))
    assert len(rows) == 1 + len(thresher.ALGORITHMS) + len(STAGES)
    assert [] == [row for row in rows if row.error or not 0 <= row.late_s < math.inf]


@pytest.mark.usefixtures("frozen_heap")
def test_who_does_not_look_at_the_clock_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stage is as late as its longest stretch of work between two looks at the clock."""

    def work(page: thresher.Page, method: str) -> None:
        for seconds in (0.005, 0.02):
            check_deadline()
            start = time.thread_time()
            while time.thread_time() - start < seconds:
                pass

    monkeypatch.setattr(thresher, "select", work)
    monkeypatch.setattr(late, "STAGES", {})
    rows = list(measure_shape("paragraphs", divide=10_000, deadline_s=9))
    assert all(row.late_s >= 0.02 for row in rows if row.stage.startswith("select"))


def test_large_shapes_are_made_smaller() -> None:
    """A page has at most the bytes that are asked for, and nearly as many."""
    html = late._build("one word", 1_000_000, 10_000)
    assert 9_000 < len(html) <= 10_000


@pytest.mark.usefixtures("frozen_heap")
def test_shape_beyond_the_limits_is_followed_by_what_they_accept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At the limits a page that is refused is measured, and then one that is extracted."""
    monkeypatch.setattr(late, "MAX_BYTES", 60_000)
    monkeypatch.setattr(thresher, "read_page", partial(thresher.read_page, max_bytes=40_000))
    rows = list(measure_shape("paragraphs", divide=1000, at_limit=True, stages=["extract"]))
    assert ["extract", "extract"] == [row.stage for row in rows]


def test_main_exits_with_one_when_something_is_late(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stage that ends later than allowed is printed, and gives status 1."""
    rows = [Late(0.1, "paragraphs", "extract", None), Late(2.5, "paragraphs", "metadata", None)]
    monkeypatch.setattr(late, "measure_shape", lambda *_, **__: iter(rows))
    assert "FAILED paragraphs | metadata | 2.50 s late" in run(
        late, "--shape", "paragraphs", status=1
    )
