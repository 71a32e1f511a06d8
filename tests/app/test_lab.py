"""Pages to label, read ahead and chosen, and background runs with what they found."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.app.conftest import OpenApp
from thresher.app.labels import PageChoice, choose_pages
from thresher.app.pages.leaderboard import build_standings, list_worst
from thresher.app.pages.train import describe_training, outcome_of
from thresher.app.runs import EVENTS, CommandRun, RunFolder
from thresher.labelling.model import Label, ListedPage, NewPage
from thresher.labelling.store import LABELS_FILE, LabelStore

SAYS = "The ferryman counted the sacks twice while the others waited at the bridge. "


def test_pages_are_read_ahead(open_app: OpenApp, tmp_path: Path) -> None:
    """Opening Label starts reading, so that pages can be sorted; unreadable ones are skipped."""
    store = LabelStore(tmp_path / LABELS_FILE)
    pages = ["<b>" * 200, *(f"<h1>Rye {n}</h1>" + f"<p>{SAYS}" * n for n in range(1, 5))]
    store.add(NewPage(str(n), html) for n, html in enumerate(pages))
    with open_app(max_nodes=100) as client:
        assert [1, 2, 3, 4, 5] == store.unread("")
        assert 'data-page="2"' in client.get("/label").text
        assert 404 == client.get("/label/1/sheet").status_code
        until_s = time.monotonic() + 60
        while store.unread("") and time.monotonic() < until_s:
            time.sleep(0.05)
    assert [] == store.unread("")
    assert {2, 3, 4, 5} <= set(store.waiting("me", order="uncertain", model=""))


PAGES = {
    1: ListedPage("rye.html", "https://mill.example/rye", "Zwieback"),
    2: ListedPage("oats.html", "https://barn.example/oats"),
    3: ListedPage("notes.html", None),
    4: ListedPage("wheat.html", "https://mill.example/Wheat"),
}
KEEP = np.ones(2, np.bool_)
LABELS = {
    1: [Label(1, "Ada", KEEP, "Rye."), Label(1, "Bo", ~KEEP, "")],
    2: [Label(2, "Ada", None, None)],
    4: [Label(4, "Ada", KEEP, "Wheat.")],
}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, [1, 2, 3, 4]),
        ({"q": "MILL wheat"}, [4]),
        ({"q": "notes"}, [3]),
        ({"q": "zwie"}, [1]),
        ({"site": "mill.example"}, [1, 4]),
        ({"state": "labelled", "order": "latest"}, [4, 1]),
        ({"state": "skipped"}, [2]),
        ({"state": "unlabelled"}, [3]),
        ({"state": "differing"}, [1]),
        ({"site": "mill.example", "state": "skipped"}, []),
        ({"order": "name"}, [2, 1, 4, 3]),
        ({"order": "title"}, [2, 4, 3, 1]),
        ({"order": "none", "state": "none"}, [1, 2, 3, 4]),
    ],
)
def test_pages_are_chosen(query: dict[str, str], expected: list[int]) -> None:
    """Words, site and state are combined; what is unknown is ignored."""
    assert expected == choose_pages(PAGES, LABELS, {1}, PageChoice.of_query(query))


def test_run_that_fails(tmp_path: Path) -> None:
    """A run is found again; the last log line of one that failed explains it."""
    runs = RunFolder(tmp_path)

    async def follow() -> CommandRun:
        folder = runs.plan("measure")
        run = await runs.start(folder, ["eval", str(folder / "absent.jsonl.xz")], {"asked": 1})
        for _ in range(600):
            if not runs.state(run.id).is_running:
                return run
            await asyncio.sleep(0.1)
        raise TimeoutError

    run = asyncio.run(follow())
    state = runs.state(run.id)
    assert (False, None) == (state.is_running, state.result)
    assert "is neither a" in str(state.problem)
    again = RunFolder(tmp_path)
    assert [run] == again.find("measure") == again.find()
    assert [] == again.find("train")
    assert (run, {"asked": 1}) == (again.run(run.id), run.about)
    for name in ("", "..", "../labels", "absent"):
        assert again.run(name) is None
    run = CommandRun("", "measure", ("eval", "my pages"), "")
    assert "thresher eval 'my pages'" == run.command_line


def test_state_of_events(tmp_path: Path) -> None:
    """The state has the latest progress and all messages."""
    runs = RunFolder(tmp_path)
    folder = runs.plan("train")
    lines = [
        {"event": "progress", "done": 1},
        {"event": "said", "text": "few"},
        {"event": "progress", "done": 2},
        {"event": "result", "gain": 0.1},
    ]
    (folder / EVENTS).write_text("".join(json.dumps(line) + "\n" for line in lines))
    state = runs.state(folder.name)
    assert ({"event": "progress", "done": 2}, ["few"]) == (state.progress, state.said)
    assert state.result is not None
    assert state.problem is None


def result(
    method: str, page: str, f1: float, kind: str | None = None, **more: Any
) -> dict[str, Any]:
    score = {"precision": f1, "recall": 1.0, "f1": f1}
    return {
        **{"corpus": "c", "page": page, "method": method, "scores": {"word": score}},
        **{"n_byte": 1000, "cpu_s": 0.002, "is_empty": False, "error": None},
        **{"page_type": kind, "url": None, **more},
    }


RESULTS = [
    result("low", "1", 0.2, "forum", url="https://a.example/", error="broken"),
    result("high", "1", 0.8, "forum"),
    result("low", "2", 0.6, is_empty=True),
    result("high", "2", 0.4, cpu_s=0.006),
    result("low", "3", 0.4, "forum"),
    result("high", "3", 0.9, "forum"),
]


def test_standings() -> None:
    """Methods are sorted by F1, with means over pages."""
    found = build_standings(RESULTS)
    assert ["high", "low"] == [row.method for row in found.rows]
    high, low = found.rows
    assert pytest.approx((0.7, 10 / 3, 0.3)) == (high.f1, high.ms_per_page, high.mb_per_s)
    assert (1, 1) == (low.n_empty, low.n_error)
    assert (("forum", "unknown"), 3) == (found.types, found.n_page)
    assert {"forum": 2, "unknown": 1} == found.n_of_type
    assert pytest.approx(0.85) == found.f1_of_type["high", "forum"]
    assert () == build_standings(RESULTS[:2]).types  # pages of one type need no table


def test_worst_pages() -> None:
    """The worst pages are listed first, each with its best method."""
    first, second, third = list_worst(RESULTS, "low")
    assert ("https://a.example/", 0.2, "broken") == (first.name, first.f1, first.error)
    assert ("high", 0.8) == (first.best_method, first.best_f1)
    assert [("3", "high"), ("2", "low")] == [(p.name, p.best_method) for p in (second, third)]


@pytest.mark.parametrize(
    ("gain", "is_sure", "kind", "text"),
    [
        (0.021, True, "gain", "better than the shipped weights by 2.1 points of F1 (± 0.5)"),
        (-0.021, True, "loss", "worse than the shipped weights by 2.1 points of F1 (± 0.5)"),
        (-0.004, False, "unclear", "differs by −0.4 points of F1 (± 0.5), which can be chance"),
    ],
)
def test_an_outcome_is_called_what_it_is(gain: float, is_sure: bool, kind: str, text: str) -> None:
    """A significant difference is a gain or a loss, any other is unclear."""
    found = outcome_of({"gain": gain, "gain_error": 0.005, "is_sure": is_sure})
    assert kind == found.kind
    assert text in found.text


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (None, "Starting"),
        (
            {"stage": "training", "done": 3, "total": 11},
            "Step 2 of 3, training the models: 3 of 11 models done",
        ),
        (
            {"stage": "measuring", "done": 1200, "total": 0},
            "Step 3 of 3, evaluating on unseen sites: 1,200 pages done",
        ),
    ],
)
def test_progress_is_said_in_words(progress: dict[str, object] | None, words: str) -> None:
    """Progress has its step and what is counted, also without a total."""
    assert words == describe_training(progress)
