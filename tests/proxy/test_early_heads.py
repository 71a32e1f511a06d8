"""Pages whose head can be sent early."""

from __future__ import annotations

from dataclasses import replace

import pytest

from thresher.filters.settings import NO_FILTERS, Filters
from thresher.proxy.memory import EarlyHeads, leaves_heads


def test_a_misfit_is_remembered() -> None:
    """After one page that its head did not fit, a host is buffered for good; others are not."""
    heads = EarlyHeads()
    assert heads.fits("mill.example")
    heads.note_misfit("mill.example")
    assert not heads.fits("mill.example")
    assert heads.fits("weir.example")


def test_it_is_bounded() -> None:
    """The number of hosts is bounded."""
    heads = EarlyHeads()
    for number in range(10_001):
        heads.note_misfit(f"{number}.example")
    assert heads.fits("0.example")
    assert not heads.fits("1.example")


@pytest.mark.parametrize(
    ("filters", "stops_requests", "expected"),
    [
        (Filters(), True, True),
        (Filters(), False, False),
        (Filters(ads=False), False, False),
        (NO_FILTERS, False, True),
        (replace(Filters(), external_styles=True), True, False),
        (replace(Filters(), backgrounds=True), True, False),
        (replace(Filters(), images=True), True, True),
    ],
)
def test_heads_that_stay(filters: Filters, stops_requests: bool, expected: bool) -> None:
    """They stay if what the filters would remove is stopped when it is asked for."""
    assert expected == leaves_heads(filters, stops_requests=stops_requests)
