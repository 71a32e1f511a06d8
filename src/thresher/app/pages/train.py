"""Train page: train weights on the user's labels, with live progress and an evaluation."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import urlsplit

import anyio.to_thread
from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from thresher.app.charts import CurvePoint, draw_curve
from thresher.app.context import (
    AppContext,
    context_of,
    current_model,
    forget_model,
    form_of,
    render,
    use_model,
)
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
from thresher.labelling.decisions import list_labels, write_corpus
from thresher.labelling.store import LabelStore
from thresher.support.quoting import quote
from thresher.training.adapter.fit import Recipe
from thresher.training.adapter.recipe import N_FOLD, advise

KIND: Final = "train"
KINDS: Final = {
    "perceptron": "Perceptron: one neuron over 174 features. From 20 pages; takes seconds.",
    "mlp": "Multi-layer perceptron: 16 hidden neurons. From 50 pages; takes up to a minute.",
    "learned": "Full model: all weights. From 500 pages; takes many minutes.",
}
_WEIGHTS: Final = "weights.npz"
_CORPUS: Final = "labels.jsonl.xz"
_MAX_FOLDS: Final = 20
_GOOD_F1: Final = 0.99
_MAX_FAILING: Final = 10
"""Pages listed as failures: those below the F1 above, at most this many."""
_FULL: Final = "learned"
"""The kind that needs more packages, which follow."""
_FULL_NEEDS: Final = ("torch", "publicsuffixlist")


async def start_run(request: Request) -> Response:
    """Start training as configured in the form, and redirect to its page."""
    context, form = context_of(request), form_of(request)
    try:
        run = await _start(context, _read_form(form))
    except UsageError as error:
        return await show_train(request, problem=str(error), status=400)
    return RedirectResponse(f"/train/{run.id}", 303)


async def show_run(request: Request) -> Response:
    """Show the progress of a run, or its result."""
    context, run = context_of(request), run_of(request, KIND)
    runs = runs_of(context)
    state = await anyio.to_thread.run_sync(runs.state, run.id)
    weights = runs.file(run.id, _WEIGHTS)
    pages = state.result["pages"] if state.result else []
    return render(
        request,
        "train_run.html",
        run=run,
        state=state,
        progress=_describe_progress(state),
        failing=[page for page in pages if page["after"] < _GOOD_F1][:_MAX_FAILING],
        names=await anyio.to_thread.run_sync(names_of, context),
        command=run.command_line,
        weights=str(weights),
        has_weights=weights.is_file() and state.result is not None,
        is_used=current_model(context.settings) == str(weights),
        is_fixed=context.settings.model is not None,
        outcome=outcome_of(state.result) if state.result else None,
    )


async def use_weights(request: Request) -> Response:
    """Use the weights of a run throughout the app."""
    context, run = context_of(request), run_of(request, KIND)
    path = runs_of(context).file(run.id, _WEIGHTS)
    await anyio.to_thread.run_sync(use_model, context.settings, path)
    return RedirectResponse(f"/train/{run.id}", 303)


async def forget_weights(request: Request) -> Response:
    """Return to the shipped weights."""
    forget_model(context_of(request).settings)
    return RedirectResponse("/train", 303)


async def download_weights(request: Request) -> Response:
    """Send the weights of a run, or their model card."""
    run = run_of(request, KIND)
    file = request.path_params["file"]
    if file not in (_WEIGHTS, "weights.md"):
        raise HTTPException(404, "there is no such file")
    path = runs_of(context_of(request)).file(run.id, file)
    if not path.is_file():
        raise HTTPException(404, "this run has no weights yet")
    return FileResponse(path, filename=f"{run.id}{path.suffix}")


async def _start(context: AppContext, about: dict[str, Any]) -> CommandRun:
    runs, store = runs_of(context), store_of(context)
    folder = runs.plan(KIND)
    corpus = folder / _CORPUS
    n_page = await anyio.to_thread.run_sync(write_corpus, store, corpus, about["labeller"] or None)
    if n_page < 2:
        shutil.rmtree(folder)
        raise UsageError("label at least two pages first; 20 or more are recommended")
    command = [
        *("train", str(corpus), "--kind", about["kind"], "-o", str(folder / _WEIGHTS)),
        *("--report", str(folder / EVENTS), "--n-fold", str(about["n_fold"])),
        *("--false-positive-weight", f"{about['weight']:g}"),
        *(["--from-scratch"] if about["from_scratch"] else []),
    ]
    return await runs.start(folder, command, about | {"n_page": n_page})


def _read_form(form: FormData) -> dict[str, Any]:
    kind = str(form.get("kind", "perceptron"))
    if kind not in KINDS:
        raise UsageError(f"the model must be one of {', '.join(KINDS)}, not {quote(kind)}")
    if kind not in _offered_kinds():
        raise UsageError("the full model requires PyTorch: pip install 'thresher[train]'")
    weight = _read_number(str(form.get("weight", "1")), "the weight")
    Recipe(false_positive_weight=weight)
    n_fold = _read_number(str(form.get("n_fold", N_FOLD)), "the number of folds")
    if n_fold != int(n_fold) or not 2 <= n_fold <= _MAX_FOLDS:
        raise UsageError(f"the number of folds must be an integer from 2 to {_MAX_FOLDS}")
    return {
        "kind": kind,
        "weight": weight,
        "n_fold": int(n_fold),
        "from_scratch": kind != "learned" and form.get("from_scratch") == "yes",
        "labeller": str(form.get("labeller", "")),
    }


def _offered_kinds() -> dict[str, str]:
    has_all = all(map(find_spec, _FULL_NEEDS))
    return {name: about for name, about in KINDS.items() if has_all or name != _FULL}


def _read_number(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{name} must be a number, not {quote(text)}") from None


async def show_train(
    request: Request, *, problem: str | None = None, status: int = 200
) -> Response:
    """Show the form and earlier runs, with what is wrong with a form that was sent."""
    context = context_of(request)
    store = store_of(context)
    values = await anyio.to_thread.run_sync(_gather, store)
    form = form_of(request)
    return render(
        request,
        "train.html",
        status=status,
        problem=problem,
        kinds=_offered_kinds(),
        outcome_of=outcome_of,
        chosen={
            "kind": str(form.get("kind", "perceptron")),
            "weight": str(form.get("weight", "1")),
            "n_fold": str(form.get("n_fold", N_FOLD)),
        },
        model=current_model(context.settings),
        is_fixed=context.settings.model is not None,
        earlier=await anyio.to_thread.run_sync(runs_of(context).earlier, KIND),
        **values,
    )


def _gather(store: LabelStore) -> dict[str, Any]:
    labels, pages = list_labels(store), store.pages()
    # Approximates the sites of `thresher.evaluation.sites`, which suffices for advice.
    hosts = (urlsplit(pages[label.page].url or "").hostname for label in labels)
    n_host = len({host or label.page for host, label in zip(hosts, labels, strict=True)})
    return {
        "n_labelled": len(labels),
        "n_host": n_host,
        "advice": advise("perceptron", len(labels), n_host) if labels else [],
        "labellers": store.labellers(),
    }


def _describe_progress(state: State) -> dict[str, Any]:
    """Return the progress of a run, with its learning curve so far."""
    progress = state.progress or {}
    points = (state.result or progress).get("curve", [])
    chart: Markup = draw_curve([CurvePoint(**point) for point in points])
    return describe_progress(state, describe_training(state.progress), str(chart))


follow_training: Final = partial(follow_run, kind=KIND, describe=_describe_progress)
cancel_training: Final = partial(cancel_run, kind=KIND)

_STAGES: Final[Mapping[str, tuple[int, str, str]]] = {
    "reading": (1, "reading the pages", "pages"),
    "training": (2, "training the models", "models"),
    "measuring": (3, "evaluating on unseen sites", "pages"),
}
"""Stage → its number, what is done, and what is counted."""


@dataclass(frozen=True, slots=True)
class TrainingOutcome:
    """Comparison of trained weights with the shipped ones."""

    kind: str
    """``gain``, ``loss``, or ``unclear`` for a difference that is not significant."""
    short: str
    """For tables."""
    title: str
    text: str


def outcome_of(result: Mapping[str, Any]) -> TrainingOutcome:
    """Return the outcome of a run from its result event."""
    gain, error = 100 * result["gain"], 100 * result["gain_error"]
    points = f"{abs(gain):.1f} points of F1 (± {error:.1f})"
    if not result["is_sure"]:
        signed = f"{gain:+.1f} points of F1 (± {error:.1f})".replace("-", "−")
        return TrainingOutcome(
            "unclear",
            "no clear difference",
            "No clear difference",
            f"On unseen sites, your model differs by {signed}, which can be chance. Label more"
            " pages to find out.",
        )
    kind, is_now = ("gain", "better") if gain > 0 else ("loss", "worse")
    text = f"On unseen sites, your model is {is_now} than the shipped weights by {points}."
    if kind == "loss":
        text += " Keep the shipped weights, or label more pages and train again."
    return TrainingOutcome(kind, f"{kind} of {abs(gain):.1f}", f"A {kind}", text)


def describe_training(progress: Mapping[str, Any] | None) -> str:
    """Return how far a run is, in words; ``progress`` is None before its first event."""
    if not progress or progress.get("stage") not in _STAGES:
        return "Starting"
    number, doing, counted = _STAGES[progress["stage"]]
    amount = format_amount(progress, counted)
    return f"Step {number} of {len(_STAGES)}, {doing}: {amount} done"
