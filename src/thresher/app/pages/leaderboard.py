"""Leaderboard page: all methods on labelled pages, by accuracy, speed and page type."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import fmean
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import anyio.to_thread
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.app.charts import Dot, draw_scatter
from thresher.app.context import AppContext, context_of, current_model, form_of, render
from thresher.app.engine import PageSource, number_in
from thresher.app.labels import names_of, store_of
from thresher.app.runs import (
    EVENTS,
    CommandRun,
    State,
    cancel_run,
    describe_progress,
    follow_run,
    format_amount,
    run_of,
    runs_of,
)
from thresher.errors import UsageError
from thresher.evaluation.corpora import Corpus, LabelledPage, find_corpora
from thresher.evaluation.metrics import standard_error
from thresher.labelling.decisions import write_corpus
from thresher.support.quoting import quote

KIND: Final = "measure"
_OWN: Final = "labels"
"""Name of the corpus of the user's own labels."""
_CORPUS: Final = f"{_OWN}.jsonl.xz"
_RESULTS: Final = "results.json"
_PAGES: Final = 100
"""Default number of pages: some ten seconds for all methods."""
_MAX_PAGES: Final = 5000


async def start_board(request: Request) -> Response:
    """Start an evaluation as configured in the form, and redirect to its page."""
    context, form = context_of(request), form_of(request)
    try:
        run = await _start(context, _read_form(form))
    except UsageError as error:
        return await show_leaderboard(request, problem=str(error), status=400)
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
    rows = standings.rows if standings else ()
    methods = [row.method for row in rows] or [""]
    asked = request.query_params.get("method", DEFAULT_METHOD)
    method = asked if asked in methods else methods[0]
    dots = [Dot(row.method, row.ms_per_page, row.f1, row.method == method) for row in rows]
    return render(
        request,
        "leaderboard_run.html",
        run=run,
        state=state,
        progress=_describe_progress(state),
        command=run.command_line,
        standings=standings,
        chart=draw_scatter(dots) if standings else None,
        method=method,
        worst=list_worst(results, method),
        names=await anyio.to_thread.run_sync(names_of, context)
        if run.about["corpus"] == _OWN
        else {},
    )


async def inspect_board_page(request: Request) -> Response:
    """Open an evaluated page in Inspect, with the current method."""
    context, run, query = context_of(request), run_of(request, KIND), request.query_params
    own = runs_of(context).file(run.id, _CORPUS)
    corpora = find_corpora([own if run.about["corpus"] == _OWN else Path(run.about["path"])])
    wanted = query.get("corpus", ""), query.get("page", "")
    page = await anyio.to_thread.run_sync(_find_page, corpora, wanted, run.about["n_page"])
    if page is None:
        raise HTTPException(404, "the corpus no longer has this page")
    kept = context.page_cache.put(PageSource(page.html, page.url, name=page.id, label=page.text))
    method = query.get("method", "")
    method_query = f"?method={method}" if method in ALGORITHMS else ""
    return RedirectResponse(f"/inspect/{kept}{method_query}", 303)


async def _start(context: AppContext, about: dict[str, Any]) -> CommandRun:
    runs = runs_of(context)
    folder = runs.plan(KIND)
    if about["corpus"] == _OWN:
        path = folder / _CORPUS
        if not await anyio.to_thread.run_sync(write_corpus, store_of(context), path):
            shutil.rmtree(folder)
            raise UsageError("label some pages first, or start the app with --corpora FOLDER")
    else:
        paths = {corpus.name: corpus.path for corpus in _list_corpora(context)}
        if about["corpus"] not in paths:
            folder.rmdir()
            raise UsageError(f"there is no corpus {quote(about['corpus'])}")
        path = paths[about["corpus"]]
    model, methods = current_model(context.settings), about["methods"]
    uses_model = model and (not methods or DEFAULT_METHOD in methods)
    command = [
        *("eval", str(path), "--metric", "word", "--pages", str(about["n_page"])),
        *(["-m", ",".join(methods)] if methods else []),
        *(["-p", f"learned.model={model}"] if uses_model else []),
        *("--json", str(folder / _RESULTS), "--report", str(folder / EVENTS)),
    ]
    return await runs.start(folder, command, about | {"path": str(path), "model": model})


def _read_form(form: FormData) -> dict[str, Any]:
    n_page = number_in(form, "n_page") if "n_page" in form else _PAGES
    if n_page is None or not 1 <= n_page <= _MAX_PAGES:
        raise UsageError(f"the number of pages must be an integer from 1 to {_MAX_PAGES}")
    methods = [str(name) for name in form.getlist("methods") if str(name) in ALGORITHMS]
    return {
        "corpus": str(form.get("corpus", _OWN)),
        "n_page": n_page,
        "methods": [] if len(methods) == len(ALGORITHMS) else methods,
    }


async def show_leaderboard(
    request: Request, *, problem: str | None = None, status: int = 200
) -> Response:
    """Show the form and earlier runs, with what is wrong with a form that was sent."""
    context = context_of(request)
    runs = runs_of(context)

    def gather() -> dict[str, Any]:
        return {
            "n_labelled": sum(label.keep is not None for label in store_of(context).labels()),
            "corpora": _list_corpora(context),
            "earlier": runs.earlier(KIND),
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


def _find_page(
    corpora: tuple[Corpus, ...], wanted: tuple[str, str], n_page: int
) -> LabelledPage | None:
    pages = chain.from_iterable(corpus.labelled(n_page) for corpus in corpora)
    return next((page for page in pages if (page.corpus, page.id) == wanted), None)


def _read_results(path: Path) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["results"]
    return results


def _describe_progress(state: State) -> dict[str, Any]:
    if not state.progress:
        return describe_progress(state, "Starting")
    amount = format_amount(state.progress, "pages")
    return describe_progress(state, f"Measuring all methods: {amount} done")


follow_board: Final = partial(follow_run, kind=KIND, describe=_describe_progress)
cancel_board: Final = partial(cancel_run, kind=KIND)

_METRIC: Final = "word"
_MS_PER_S: Final = 1000
_BYTES_PER_MB: Final = 1e6
_NO_TYPE: Final = "unknown"
_N_WORST: Final = 25


class Standing(NamedTuple):
    """Results of one method."""

    method: str
    precision: float
    recall: float
    f1: float
    error: float
    """Standard error of F1."""
    ms_per_page: float
    """Mean CPU time per page."""
    mb_per_s: float
    n_empty: int
    n_error: int


def build_standings(results: Sequence[dict[str, Any]]) -> SimpleNamespace:
    """Compute the standings from the results of `thresher eval --json`.

    Methods are best first; page types, of which there are none if there are fewer than two, the
    most frequent first; ``f1_of_type`` has the mean F1 by method and type.
    """
    by_method: dict[str, list[dict[str, Any]]] = {}
    by_type: dict[tuple[str, str], list[float]] = {}
    pages: dict[tuple[str, str], str] = {}
    for result in results:
        by_method.setdefault(result["method"], []).append(result)
        kind = result["page_type"] or _NO_TYPE
        by_type.setdefault((result["method"], kind), []).append(_f1(result))
        pages[result["corpus"], result["page"]] = kind
    n_of_type = Counter(sorted(pages.values()))
    types = tuple(kind for kind, _ in n_of_type.most_common())
    rows = sorted((_stand(*item) for item in by_method.items()), key=lambda row: -row.f1)
    return SimpleNamespace(
        rows=rows,
        types=types if len(types) > 1 else (),
        n_of_type=n_of_type,
        f1_of_type={key: fmean(values) for key, values in by_type.items()},
        n_page=len(pages),
    )


def list_worst(results: Sequence[dict[str, Any]], method: str) -> list[SimpleNamespace]:
    """Return the pages with the lowest scores of a method, each with its best method."""
    best: dict[tuple[str, str], dict[str, Any]] = {}
    for result in results:
        key = result["corpus"], result["page"]
        if key not in best or _f1(result) > _f1(best[key]):
            best[key] = result
    worst = sorted((result for result in results if result["method"] == method), key=_f1)[:_N_WORST]
    bests = [best[result["corpus"], result["page"]] for result in worst]
    return [
        SimpleNamespace(
            corpus=result["corpus"],
            page=result["page"],
            name=result["url"] or result["page"],
            f1=_f1(result),
            best_method=other["method"],
            best_f1=_f1(other),
            error=result["error"],
        )
        for result, other in zip(worst, bests, strict=True)
    ]


def _stand(method: str, results: Sequence[dict[str, Any]]) -> Standing:
    scores = [result["scores"][_METRIC] for result in results]
    f1 = [_f1(result) for result in results]
    seconds = sum(result["cpu_s"] for result in results)
    return Standing(
        method,
        fmean(score["precision"] for score in scores),
        fmean(score["recall"] for score in scores),
        fmean(f1),
        standard_error(f1),
        seconds / len(results) * _MS_PER_S,
        sum(result["n_byte"] for result in results) / _BYTES_PER_MB / max(seconds, 1e-9),
        sum(result["is_empty"] for result in results),
        sum(result["error"] is not None for result in results),
    )


def _f1(result: dict[str, Any]) -> float:
    return float(result["scores"][_METRIC]["f1"])
