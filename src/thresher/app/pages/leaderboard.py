"""Leaderboard page: all methods on labelled pages, by accuracy, speed and page type."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import anyio.to_thread
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.app.charts import draw_scatter
from thresher.app.context import AppContext, context_of, form_of, render
from thresher.app.events import follow
from thresher.app.labels import names_of, store_of
from thresher.app.models import current_model
from thresher.app.numbers import read_number
from thresher.app.opened_pages import PageSource
from thresher.app.pages.runs import describe_progress, list_earlier, run_of, runs_of
from thresher.app.runs import EVENTS, CommandRun, State, format_command
from thresher.app.standings import build_standings, list_worst
from thresher.errors import UsageError
from thresher.evaluation.corpora import Corpus, LabelledPage, find_corpora
from thresher.labelling.export import write_corpus
from thresher.support.quoting import quote

__all__ = [
    "cancel_board",
    "follow_board",
    "inspect_board_page",
    "show_board",
    "show_leaderboard",
    "start_board",
]

KIND: Final = "measure"
_OWN: Final = "labels"
"""Name of the corpus of the user's own labels."""
_CORPUS: Final = f"{_OWN}.jsonl.xz"
_RESULTS: Final = "results.json"
_PAGES: Final = 100
"""Default number of pages: some ten seconds for all methods."""
_MAX_PAGES: Final = 5000


async def show_leaderboard(request: Request) -> Response:
    """Show the form and earlier runs."""
    return await _show_form(request)


async def start_board(request: Request) -> Response:
    """Start an evaluation as configured in the form, and redirect to its page."""
    context, form = context_of(request), form_of(request)
    try:
        run = await _start(context, _read_form(form))
    except UsageError as error:
        return await _show_form(request, problem=str(error), status=400)
    return RedirectResponse(f"/leaderboard/{run.id}", 303)


async def show_board(request: Request) -> Response:
    """Show the results of a run, or its progress."""
    context, run = context_of(request), run_of(request, KIND)
    runs = runs_of(context)
    state = await anyio.to_thread.run_sync(runs.state, run.id)
    results: list[dict[str, Any]] = []
    path = runs.file(run.id, _RESULTS)
    if not state.is_running and path.is_file():
        results = await anyio.to_thread.run_sync(_read_results, path)
        state.problem = None
    standings = build_standings(results) if results else None
    methods = [row.method for row in standings.rows] if standings else []
    asked = request.query_params.get("method", DEFAULT_METHOD)
    method = asked if asked in methods else (methods[0] if methods else "")
    return render(
        request,
        "leaderboard_run.html",
        run=run,
        state=state,
        progress=_describe_progress(state),
        command=format_command(run.command),
        standings=standings,
        chart=draw_scatter(standings.dots(method)) if standings else None,
        method=method,
        worst=list_worst(results, method),
        names=await anyio.to_thread.run_sync(names_of, context)
        if run.about["corpus"] == _OWN
        else {},
    )


async def follow_board(request: Request) -> Response:
    """Stream the progress of a run."""
    return follow(runs_of(context_of(request)), run_of(request, KIND).id, _describe_progress)


async def cancel_board(request: Request) -> Response:
    """Cancel a run."""
    run = run_of(request, KIND)
    runs_of(context_of(request)).cancel(run.id)
    return RedirectResponse(f"/leaderboard/{run.id}", 303)


async def inspect_board_page(request: Request) -> Response:
    """Open an evaluated page in Inspect, with the current method."""
    context, run, query = context_of(request), run_of(request, KIND), request.query_params
    corpora = _corpora_of(run, runs_of(context).file(run.id, _CORPUS))
    wanted = query.get("corpus", ""), query.get("page", "")
    page = await anyio.to_thread.run_sync(_find_page, corpora, wanted, run.about["n_page"])
    if page is None:
        raise HTTPException(404, "the corpus no longer has this page")
    kept = context.page_cache.put(PageSource(page.html, page.url, name=page.id, label=page.text))
    method = query.get("method", "")
    known = f"?method={method}" if method in ALGORITHMS else ""
    return RedirectResponse(f"/inspect/{kept}{known}", 303)


async def _start(context: AppContext, about: dict[str, Any]) -> CommandRun:
    runs = runs_of(context)
    name, folder = runs.plan(KIND, about)
    if about["corpus"] == _OWN:
        path = folder / _CORPUS
        if not await anyio.to_thread.run_sync(write_corpus, store_of(context), path):
            path.unlink()
            folder.rmdir()
            raise UsageError("label some pages first, or start the app with --corpora FOLDER")
    else:
        found = {corpus.name: corpus.path for corpus in _list_corpora(context)}
        if about["corpus"] not in found:
            folder.rmdir()
            raise UsageError(f"there is no corpus {quote(about['corpus'])}")
        path = found[about["corpus"]]
    model = current_model(context.settings)
    command = [
        *("eval", str(path), "--metric", "word", "--pages", str(about["n_page"])),
        *(["-m", ",".join(about["methods"])] if about["methods"] else []),
        *(["-p", f"learned.model={model}"] if model and _runs_learned(about["methods"]) else []),
        *("--json", str(folder / _RESULTS), "--report", str(folder / EVENTS)),
    ]
    return await runs.start(name, KIND, command, about | {"path": str(path), "model": model})


def _runs_learned(methods: list[str]) -> bool:
    return not methods or DEFAULT_METHOD in methods


def _read_form(form: FormData) -> dict[str, Any]:
    """Parse the form; UsageError for invalid values."""
    n_page = read_number(str(form.get("n_page", _PAGES)))
    if n_page is None or not 1 <= n_page <= _MAX_PAGES:
        raise UsageError(f"the number of pages must be an integer from 1 to {_MAX_PAGES}")
    methods = [str(name) for name in form.getlist("methods") if str(name) in ALGORITHMS]
    return {
        "corpus": str(form.get("corpus", _OWN)),
        "n_page": n_page,
        "methods": [] if len(methods) == len(ALGORITHMS) else methods,
    }


async def _show_form(
    request: Request, *, problem: str | None = None, status: int = 200
) -> Response:
    context = context_of(request)
    runs = runs_of(context)

    def gather() -> dict[str, Any]:
        return {
            "n_labelled": sum(label.keep is not None for label in store_of(context).labels()),
            "corpora": _list_corpora(context),
            "earlier": list_earlier(runs, KIND),
        }

    return render(
        request,
        "leaderboard.html",
        status=status,
        problem=problem,
        methods=ALGORITHMS,
        own=_OWN,
        n_page=_PAGES,
        model=current_model(context.settings),
        **await anyio.to_thread.run_sync(gather),
    )


def _list_corpora(context: AppContext) -> tuple[Corpus, ...]:
    """Return the corpora that the app was started with, if any."""
    folder = context.settings.corpora
    if folder is None:
        return ()
    try:
        return find_corpora([folder])
    except UsageError:
        return ()


def _corpora_of(run: CommandRun, own: Path) -> tuple[Corpus, ...]:
    """Return the corpora of a run."""
    return find_corpora([own if run.about["corpus"] == _OWN else Path(run.about["path"])])


def _find_page(
    corpora: tuple[Corpus, ...], wanted: tuple[str, str], n_page: int
) -> LabelledPage | None:
    for corpus in corpora:
        for page in corpus.labelled(n_page):
            if (page.corpus, page.id) == wanted:
                return page
    return None


def _read_results(path: Path) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["results"]
    return results


def _describe_progress(state: State) -> dict[str, Any]:
    progress = state.progress or {}
    done, total = progress.get("done", 0), progress.get("total", 0)
    amount = f"{done:,} of {total:,} pages" if total else f"{done:,} pages"
    words = f"Measuring all methods: {amount} done" if progress else "Starting"
    return describe_progress(state, words)
