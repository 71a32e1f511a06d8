"""Long compiled steps look at the clock while they work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

import pytest

from tests.helpers.compiled_steps import needs_steps
from thresher.algorithms.learned import select
from thresher.errors import LimitError
from thresher.features import compute_features
from thresher.page import Page
from thresher.page.parse import parse

pytestmark = needs_steps

N_BLOCK: Final = 20_000
"""A fiftieth of what a page can have."""
MOST_BLOCKS: Final = 10_000
"""Blocks that a step may describe between two looks at the clock: some 50 ms of work."""
PLACES: Final = {
    "measure_blocks": "thresher.features.by_compiled.check_deadline",
    "describe_context": "thresher.algorithms.learned.context.check_deadline",
}
"""Where the callers of the steps have the function that looks at the clock."""


@pytest.fixture(scope="module")
def page() -> Page:
    return parse("<p>w" * N_BLOCK)


class _Looks:
    """Counts looks at the clock, and says at the last of them that the time is up."""

    def __init__(self, n_left: int = sys.maxsize) -> None:
        self.n_look = 0
        self.n_left = n_left

    def __call__(self) -> None:
        self.n_look += 1
        if self.n_look >= self.n_left:
            raise LimitError("seconds of work", limit=1)


long_steps = pytest.mark.parametrize(
    ("place", "run"),
    [(PLACES["measure_blocks"], compute_features), (PLACES["describe_context"], select)],
    ids=PLACES,
)


@long_steps
def test_a_step_looks_at_the_clock_every_few_thousand_blocks(
    page: Page, place: str, run: Callable[[Page], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However fast the machine is: what counts is the work between two looks."""
    looks = _Looks()
    monkeypatch.setattr(place, looks)
    run(page)
    assert looks.n_look >= N_BLOCK // MOST_BLOCKS


@long_steps
def test_a_step_stops_once_the_time_is_up(
    page: Page, place: str, run: Callable[[Page], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It raises what the clock raised, at once, and its kernel does not begin again in numpy."""
    looks = _Looks(n_left=2)
    monkeypatch.setattr(place, looks)
    with pytest.raises(LimitError):
        run(page)
    assert 2 == looks.n_look


def test_a_short_page_costs_no_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks are counted by the work."""
    looks = _Looks()
    for place in PLACES.values():
        monkeypatch.setattr(place, looks)
    select(parse("<p>A few words." * 20))
    assert 0 == looks.n_look
