"""Background runs, and what they found."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.labelling.test_decisions import make_store
from thresher.app.pages.leaderboard import build_standings, list_worst
from thresher.app.pages.train import describe_training, outcome_of
from thresher.app.runs import EVENTS, CommandRun, RunFolder
from thresher.errors import UsageError
from thresher.labelling.decisions import write_corpus


async def follow(runs: RunFolder, *command: str, cancel: bool = False) -> CommandRun:
    """Start a command, with FOLDER replaced by the run's folder, and wait for its end."""
    name, folder = runs.plan("measure", {})
    here = [word.replace("FOLDER", str(folder)) for word in command]
    if cancel:
        os.mkfifo(folder / "pipe")  # nobody ever writes into it
    run = await runs.start(name, "measure", here, {"asked": 1})
    if cancel:
        assert runs.state(name).is_running
        runs.cancel(name)
    for _ in range(600):
        if not runs.state(name).is_running:
            return run
        await asyncio.sleep(0.1)
    raise TimeoutError


def test_run_that_comes_to_its_end(tmp_path: Path) -> None:
    """The output, the run and its state are available from files."""
    runs = RunFolder(tmp_path / "runs")
    corpus = tmp_path / "labels.jsonl.xz"
    write_corpus(make_store(tmp_path), corpus)
    command = ("eval", str(corpus), "-m", "bte", "--metric", "word")
    run = asyncio.run(
        follow(runs, *command, "--report", f"FOLDER/{EVENTS}", "--json", "FOLDER/results.json")
    )
    results = json.loads(runs.file(run.id, "results.json").read_text())["results"]
    assert 4 == len(results)
    assert {"stage": "measuring", "done": 2}.items() <= (runs.state(run.id).progress or {}).items()
    again = RunFolder(tmp_path / "runs")
    assert [run] == again.find("measure") == again.find()
    assert [] == again.find("train")
    assert run == again.run(run.id)
    assert {"asked": 1} == run.about


def test_run_that_fails(tmp_path: Path) -> None:
    """The last log line explains the failure."""
    runs = RunFolder(tmp_path)
    run = asyncio.run(follow(runs, "eval", "FOLDER/absent.jsonl.xz"))
    state = runs.state(run.id)
    assert (False, None) == (state.is_running, state.result)
    assert "is neither a" in str(state.problem)


def test_run_that_is_cancelled(tmp_path: Path) -> None:
    """A cancelled run is not reported as failed."""
    runs = RunFolder(tmp_path)
    run = asyncio.run(follow(runs, "extract", "FOLDER/pipe", cancel=True))
    state = runs.state(run.id)
    assert (False, True, None) == (state.is_running, state.is_cancelled, state.problem)


def test_one_run_at_a_time(tmp_path: Path) -> None:
    """A second run is rejected until the first has ended."""
    runs = RunFolder(tmp_path)

    async def start_two() -> None:
        name, folder = runs.plan("measure", {})
        os.mkfifo(folder / "pipe")
        await runs.start(name, "measure", ["extract", str(folder / "pipe")], {})
        with pytest.raises(UsageError, match="another run is active"):
            runs.plan("measure", {})
        runs.cancel(name)
        while runs.state(name).is_running:
            await asyncio.sleep(0.05)
        assert runs.plan("train", {})

    asyncio.run(start_two())


def test_state_of_events(tmp_path: Path) -> None:
    """The state has the latest progress and all messages."""
    runs = RunFolder(tmp_path)
    name, folder = runs.plan("train", {})
    lines = [
        {"event": "progress", "done": 1},
        {"event": "said", "text": "few"},
        {"event": "progress", "done": 2},
        {"event": "result", "gain": 0.1},
    ]
    (folder / EVENTS).write_text("".join(json.dumps(line) + "\n" for line in lines))
    state = runs.state(name)
    assert ({"event": "progress", "done": 2}, ["few"]) == (state.progress, state.said)
    assert state.result is not None
    assert state.problem is None


@pytest.mark.parametrize("name", ["", "..", "../labels", "absent"])
def test_no_such_run(tmp_path: Path, name: str) -> None:
    """Invalid names yield no run."""
    assert RunFolder(tmp_path / "runs").run(name) is None


def test_command_formatted() -> None:
    """A command is quoted for a shell."""
    assert (
        "thresher eval 'my pages'"
        == CommandRun("", "measure", ("eval", "my pages"), "").command_line
    )


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
