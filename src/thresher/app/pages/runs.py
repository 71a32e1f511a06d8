"""What the pages of runs share: which one is asked for, earlier ones, and how far one is."""

from __future__ import annotations

from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request

from thresher.app.context import Context, context_of
from thresher.app.runs import Run, Runs, State

__all__ = ["describe_progress", "list_earlier", "run_of", "runs_of"]

_MAX_EARLIER: Final = 20


def runs_of(context: Context) -> Runs:
    """Return the runs of this server."""
    return Runs(context.settings.data_dir / "runs")


def run_of(request: Request, kind: str) -> Run:
    """Return the run that a path names; 404 where there is none of this kind."""
    run = runs_of(context_of(request)).run(str(request.path_params["run"]))
    if run is None or run.kind != kind:
        raise HTTPException(404, "there is no such run")
    return run


def list_earlier(runs: Runs, kind: str) -> list[tuple[Run, State]]:
    """Return the last runs of a kind, the latest first, each with how far it is."""
    return [(run, runs.state(run.id)) for run in runs.find(kind)[:_MAX_EARLIER]]


def describe_progress(state: State, stage: str, chart: str = "") -> dict[str, Any]:
    """Say how far a run is, as its page and the script of that show it."""
    progress = state.progress or {}
    return {
        "stage": stage,
        "done": progress.get("done", 0),
        "total": progress.get("total", 0),
        "chart": chart,
        "said": state.said,
        "is_running": state.is_running,
    }
