"""Label page: mark the content blocks of one page after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import anyio.to_thread
import numpy as np
import numpy.typing as npt
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.app.context import Context, context_of, form_of, render
from thresher.app.labels import read_ahead, shown_of, store_of
from thresher.app.models import current_model
from thresher.app.pages.labeller import labeller_of, order_of
from thresher.app.problems import is_for_programs
from thresher.labelling.model import Label
from thresher.labelling.reading import ShownPage, text_of
from thresher.labelling.store import LabelStore

__all__ = ["save_label", "show_label", "show_sheet", "undo_label"]

_N_AHEAD: Final = 5
"""Number of upcoming pages sent along, so that the script can preload them."""
_MAX_SECONDS: Final = 365 * 24 * 3600
"""Maximum duration that a browser may report for a label."""
_NO_PAGE: Final = "there is no such page, or it cannot be read"


async def show_label(request: Request) -> Response:
    """Show a page to label: ``?page=``, or the next in the queue."""
    context = context_of(request)
    store = await anyio.to_thread.run_sync(store_of, context)
    who, order = labeller_of(request), order_of(request)
    wanted = request.query_params.get("page", "")
    queue = await anyio.to_thread.run_sync(_queue, context, store, who, order)
    numbers = [int(wanted)] if wanted.isdecimal() else queue
    sheet: dict[str, Any] | None = None
    for number in numbers:
        sheet = await _sheet(context, store, number, who)
        if sheet is not None:
            break
        if wanted:
            raise HTTPException(404, _NO_PAGE)
        await _skip(store, number, who)
    read_ahead(context, store, queue[:_N_AHEAD])
    pace = await anyio.to_thread.run_sync(store.pace, who)
    here = sheet["page"].id if sheet else None
    return render(
        request,
        "label.html",
        sheet=sheet,
        pace=pace,
        who=who,
        order=order,
        ahead=[number for number in queue if number != here][:_N_AHEAD],
        page_types=PAGE_TYPES,
        model=current_model(context.settings),
    )


async def show_sheet(request: Request) -> Response:
    """Return the blocks of one page as an HTML fragment, for preloading."""
    context = context_of(request)
    store = store_of(context)
    sheet = await _sheet(context, store, request.path_params["page"], labeller_of(request))
    if sheet is None:
        raise HTTPException(404, _NO_PAGE)
    return render(request, "label_sheet.html", sheet=sheet, page_types=PAGE_TYPES)


async def save_label(request: Request) -> Response:
    """Save a label, or that the page was skipped; then go to the next page."""
    context = context_of(request)
    form, number, who = form_of(request), int(request.path_params["page"]), labeller_of(request)
    store = store_of(context)
    keep: npt.NDArray[np.bool_] | None = None
    text: str | None = None
    if form.get("do") != "pass":
        shown = await shown_of(context, store, number)
        if shown is None:
            raise HTTPException(404, _NO_PAGE)
        given = form.get("keep")
        chosen = str(given).split(",") if given is not None else map(str, form.getlist("b"))
        keep = _read_mask(list(chosen), len(shown.blocks))
        text = text_of(shown, keep)
    kind = str(form.get("page_type", ""))
    label = Label(
        number,
        who,
        keep,
        text,
        _read_seconds(str(form.get("seconds", ""))),
        kind if kind in PAGE_TYPES else None,
    )
    await anyio.to_thread.run_sync(store.save, label)
    if not is_for_programs(request):
        return RedirectResponse("/label", 303)
    return await _answer(request, context, store, who)


async def undo_label(request: Request) -> Response:
    """Undo the last label, and show its page again."""
    context = context_of(request)
    store, who = store_of(context), labeller_of(request)
    number = await anyio.to_thread.run_sync(store.undo, who)
    if is_for_programs(request):
        return await _answer(request, context, store, who, page=number)
    return RedirectResponse(f"/label?page={number}" if number else "/label", 303)


async def _sheet(
    context: Context, store: LabelStore, number: int, who: str
) -> dict[str, Any] | None:
    """Return the template values of one page; None if it cannot be read."""
    page = await anyio.to_thread.run_sync(store.page, number)
    if page is None:
        return None
    shown = await shown_of(context, store, number)
    if shown is None:
        return None
    label = await anyio.to_thread.run_sync(store.label, number, who)
    return {
        "page": page,
        "shown": shown,
        "keep": _first_mask(shown, label).tolist(),
        "is_labelled": label is not None and label.keep is not None,
        "page_type": (label and label.page_type) or "",
        "n_hidden": sum(block.is_hidden for block in shown.blocks),
    }


def _first_mask(shown: ShownPage, label: Label | None) -> npt.NDArray[np.bool_]:
    """Return the saved label if it fits the blocks, else the model's suggestion."""
    if label is not None and label.keep is not None and label.keep.size == len(shown.blocks):
        return label.keep
    return shown.suggest()


async def _answer(
    request: Request, context: Context, store: LabelStore, who: str, *, page: int | None = None
) -> Response:
    """Return the progress and the upcoming pages, for the script."""
    queue = await anyio.to_thread.run_sync(_queue, context, store, who, order_of(request))
    pace = await anyio.to_thread.run_sync(store.pace, who)
    return JSONResponse(
        {
            "page": page,
            "ahead": queue[: _N_AHEAD + 1],
            "n_page": pace.n_page,
            "n_done": pace.n_labelled + pace.n_passed,
            "pages_per_hour": pace.pages_per_hour,
        }
    )


def _queue(context: Context, store: LabelStore, who: str, order: str) -> list[int]:
    model = current_model(context.settings)
    return store.waiting(who, order=order, model=model, limit=_N_AHEAD * 4)


async def _skip(store: LabelStore, number: int, who: str) -> None:
    """Skip a page that cannot be read."""
    await anyio.to_thread.run_sync(store.save, Label(number, who, None, None))


def _read_mask(chosen: Sequence[str], n_block: int) -> npt.NDArray[np.bool_]:
    """Parse the numbers of the kept blocks; 400 if one is invalid."""
    keep = np.zeros(n_block, np.bool_)
    for name in chosen:
        if not name:
            continue
        if not (name.isdecimal() and len(name) < 9 and int(name) < n_block):
            raise HTTPException(400, "there is no such block; reload the page")
        keep[int(name)] = True
    return keep


def _read_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return seconds if 0 <= seconds < _MAX_SECONDS else 0.0
