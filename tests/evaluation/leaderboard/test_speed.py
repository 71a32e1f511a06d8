"""Times are compared page by page, using the fastest of several rounds."""

from __future__ import annotations

import itertools

from thresher.errors import ThresherError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.leaderboard.scores import ROUNDS, Speed, draw_pages, measure

PAGES = [LabelledPage("mine", str(n), f"<p>{n}", text="rye") for n in range(40)]


def test_ratios_of_the_fastest_rounds() -> None:
    """A round that was slowed down does not affect the ratio."""
    disturbed = itertools.cycle([9.0, 2.0, 5.0])
    seconds = {"0": 1.0, "1": 4.0, "2": 1.0}
    times = {
        "base": lambda page: seconds[page.id],
        "twice": lambda page: next(disturbed),
    }
    assert 3 == ROUNDS
    assert [Speed("base", 3, 1.0, 1.0), Speed("twice", 3, 2.0, 1.0)] == measure(
        PAGES[:3], times, "base"
    )


def test_pages_with_failures_left_out() -> None:
    """A page counts if both contenders succeed; without any such page there is no speed."""

    def fail(page: LabelledPage) -> float:
        raise ThresherError("no")

    times = {
        "base": lambda page: None if page.id == "0" else 1.0,
        "half": lambda page: None if page.id == "1" else 3.0,
        "never": fail,
    }
    assert [Speed("base", 2, 1.0, 1.0), Speed("half", 1, 3.0, 3.0)] == measure(
        PAGES[:3], times, "base"
    )


def test_pages_drawn_are_the_same_in_any_order() -> None:
    """The sample depends only on the pages, and is not just the first pages."""
    drawn = draw_pages(PAGES, 8)
    assert drawn == draw_pages(reversed(PAGES), 8)
    assert 8 == len({page.id for page in drawn})
    assert PAGES[:8] != drawn
    assert [] == draw_pages(PAGES, 0)
