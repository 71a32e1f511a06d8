"""Scores of peers are computed once, and times compared page by page."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from thresher.errors import ThresherError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.evaluate import PageResult, Plan, evaluate
from thresher.evaluation.leaderboard import board
from thresher.evaluation.leaderboard.board import ROUNDS, Speed, draw_pages, measure, score_all
from thresher.evaluation.leaderboard.peer_runs import Entrant, Outputs, Process, ask_all

PAGES = [
    LabelledPage("mine", "rye", "<h1>Rye</h1> <p>a good year</p>", text="a good year", title="Rye"),
    LabelledPage(
        "mine", "bad", "<p>raise", text="raise", page_type="post", url="https://a.example"
    ),
]
PLAN = Plan((), ("word", "lcstring"))
MANY_PAGES = [LabelledPage("mine", str(n), f"<p>{n}", text="rye") for n in range(40)]


@pytest.fixture
def peers(entrants: dict[Entrant, Process]) -> tuple[Entrant, ...]:
    """Two peers that were called for every page."""
    with Outputs(next(iter(entrants)).outputs) as outputs:
        ask_all(entrants, PAGES, outputs)
    return tuple(entrants)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages whose scores were computed, in order."""
    ids: list[str] = []

    def note(pages: Iterable[LabelledPage], plan: Plan, **options: Any) -> Iterable[PageResult]:
        for page in pages:
            ids.append(page.id)
            yield from evaluate([page], plan, **options)

    monkeypatch.setattr(board, "evaluate", note)
    return ids


def run(peers: tuple[Entrant, ...], pages: list[LabelledPage], plan: Plan) -> list[PageResult]:
    return list(score_all(peers, lambda: pages, plan, peers[0].outputs))


def test_scores_are_cached(peers: tuple[Entrant, ...], computed: list[str], tmp_path: Path) -> None:
    """Cached scores equal computed ones, including errors and page types; no peers, no cache."""
    assert [] == list(score_all((), lambda: PAGES, PLAN, tmp_path / "none"))
    assert not (tmp_path / "none").exists()
    first = run(peers, PAGES, PLAN)
    assert first == list(evaluate(PAGES, dataclasses.replace(PLAN, contenders=peers)))
    assert ["rye", "bad"] == computed
    assert first == run(peers, PAGES, PLAN)
    assert ["rye", "bad"] == computed


def test_metrics_recalled_in_the_order_asked_for(peers: tuple[Entrant, ...]) -> None:
    """Metrics are in the order of the plan, which does not cause another computation."""
    run(peers, PAGES, PLAN)
    turned = run(peers, PAGES, dataclasses.replace(PLAN, metrics=("lcstring", "word")))
    assert [["lcstring", "word"]] * 4 == [list(result.scores) for result in turned]


@pytest.mark.parametrize(
    ("page", "plan"),
    [
        ({"text": "a bad year"}, {}),
        ({"title": "Oats"}, {}),
        ({}, {"metrics": ("word",)}),
        ({}, {"without_title": True}),
    ],
)
def test_scores_of_another_label_or_task(
    peers: tuple[Entrant, ...], computed: list[str], page: dict[str, Any], plan: dict[str, Any]
) -> None:
    """A changed label or metric is scored again; unchanged pages are not."""
    run(peers, PAGES, PLAN)
    changed = [dataclasses.replace(PAGES[0], **page), PAGES[1]]
    results = run(peers, changed, dataclasses.replace(PLAN, **plan))
    assert (["rye"] if page else ["rye", "bad"]) == computed[2:]
    assert {(each.page, each.method) for each in results} == {
        (each.id, peer.name) for each in changed for peer in peers
    }


def test_changed_metric_clears_the_cache(
    peers: tuple[Entrant, ...], computed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scores of another version of the metrics are not reused."""
    run(peers, PAGES, PLAN)
    monkeypatch.setattr(board, "_source_digest", lambda: "other")
    run(peers, PAGES, PLAN)
    assert ["rye", "bad"] * 2 == computed


def test_ratios_of_the_fastest_rounds() -> None:
    """A round that was slowed down does not affect the ratio."""
    disturbed = itertools.cycle([9.0, 2.0, 5.0])
    seconds = {"0": 1.0, "1": 4.0, "2": 1.0}
    times = {"base": lambda page: seconds[page.id], "twice": lambda page: next(disturbed)}
    assert 3 == ROUNDS
    assert [Speed("base", 3, 1.0, 1.0), Speed("twice", 3, 2.0, 1.0)] == measure(
        MANY_PAGES[:3], times, "base"
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
        MANY_PAGES[:3], times, "base"
    )


def test_pages_drawn_are_the_same_in_any_order() -> None:
    """The sample depends only on the pages, and is not just the first pages."""
    drawn = draw_pages(MANY_PAGES, 8)
    assert drawn == draw_pages(reversed(MANY_PAGES), 8)
    assert 8 == len({page.id for page in drawn})
    assert MANY_PAGES[:8] != drawn
    assert [] == draw_pages(MANY_PAGES, 0)
