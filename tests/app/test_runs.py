"""Background runs with state in files."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest

from tests.labelling.test_decisions import make_store
from thresher.app.runs import EVENTS, CommandRun, RunFolder, format_command
from thresher.errors import UsageError
from thresher.labelling.export import write_corpus


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
    assert "thresher eval 'my pages'" == format_command(("eval", "my pages"))
