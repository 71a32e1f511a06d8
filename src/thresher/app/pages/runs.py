"""Helpers of the pages of runs: lookup, earlier runs, and progress."""

from __future__ import annotations

from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request

from thresher.app.context import AppContext, context_of
from thresher.app.runs import CommandRun, RunFolder, State

__all__ = ["describe_progress", "list_earlier", "run_of", "runs_of"]

_MAX_EARLIER: Final = 20


def runs_of(context: AppContext) -> RunFolder:
    """Return the runs of this server."""
    return RunFolder(context.settings.data_dir / "runs")


def run_of(request: Request, kind: str) -> CommandRun:
    """Return the run in a request's path; 404 if there is none of this kind."""
    run = runs_of(context_of(request)).run(str(request.path_params["run"]))
    if run is None or run.kind != kind:
        raise HTTPException(404, "there is no such run")
    return run


def list_earlier(runs: RunFolder, kind: str) -> list[tuple[CommandRun, State]]:
    """Return the latest runs of a kind with their states, newest first."""
    return [(run, runs.state(run.id)) for run in runs.find(kind)[:_MAX_EARLIER]]


def describe_progress(state: State, words: str, chart: str = "") -> dict[str, Any]:
    """Return the progress of a run for its page and script."""
    progress = state.progress or {}
    return {
        "words": words,
        "done": progress.get("done", 0),
        "total": progress.get("total", 0),
        "chart": chart,
        "said": state.said,
        "is_running": state.is_running,
    }
