"""Label page: mark the content blocks of one page after another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, Final

import anyio.to_thread
import numpy as np
import numpy.typing as npt
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.app.annotated import draw_page
from thresher.app.context import (
    AppContext,
    context_of,
    current_model,
    describe,
    form_of,
    is_for_programs,
    render,
)
from thresher.app.engine import number_in, read_number
from thresher.app.labels import fits, read_ahead, shown_of, store_of
from thresher.app.pages.visitors import labeller_in, labeller_of, order_of
from thresher.errors import StorageError, UsageError
from thresher.labelling.model import (
    Label,
    RoleCodes,
    format_given_roles,
    is_equal,
    parse_given_roles,
)
from thresher.labelling.queues import Queue, count_undealt, list_queues
from thresher.labelling.reading import ShownPage, text_of
from thresher.labelling.store import LabelConflictError, LabelStore, OtherQueueError
from thresher.roles import NO_ROLE, ROLES

_N_AHEAD: Final = 5
"""Number of upcoming pages sent along, so that the script can preload them."""
_MAX_SECONDS: Final = 365 * 24 * 3600
"""Maximum duration that a browser may report for a label."""
_MAX_NOTE_CHARS: Final = 200
"""Characters of a note on a label, a sentence or two."""
_ROLE_KEYS: Final = dict(zip(ROLES, "1234567890lao", strict=True))
"""Role → its key on the desk."""
_NO_PAGE: Final = "there is no such page, or it cannot be read"


async def show_label(request: Request) -> Response:
    """Show a page to label: ``?page=``, or the next in the queue."""
    context = context_of(request)
    store = await anyio.to_thread.run_sync(store_of, context)
    who, order = labeller_of(request), order_of(request)
    wanted = request.query_params.get("page", "")
    queue = await anyio.to_thread.run_sync(_queue, context, store, who, order)
    number = read_number(wanted)
    numbers = queue if number is None else [number]
    sheet: dict[str, Any] | None = None
    for number in numbers:
        sheet = await _sheet(context, store, number, who)
        if sheet is not None:
            break
        if wanted:
            raise HTTPException(404, _NO_PAGE)
        unreadable = Label(number, who, None, None, note="cannot be read")
        await anyio.to_thread.run_sync(store.save, unreadable)
    read_ahead(context, store, queue[:_N_AHEAD])
    return await _show(request, sheet, queue)


async def show_sheet(request: Request) -> Response:
    """Return the blocks of one page as an HTML fragment, for preloading."""
    context = context_of(request)
    store = store_of(context)
    sheet = await _sheet(context, store, request.path_params["page"], labeller_of(request))
    if sheet is None:
        raise HTTPException(404, _NO_PAGE)
    return render(
        request, "label_sheet.html", sheet=sheet, page_types=PAGE_TYPES, role_keys=_ROLE_KEYS
    )


async def show_drawn(request: Request) -> Response:
    """Return a page as a browser would lay it out, around the block ``?block=``, as a fragment."""
    context = context_of(request)
    store = store_of(context)
    stored = await anyio.to_thread.run_sync(store.page, request.path_params["page"])
    if stored is None:
        raise HTTPException(404, _NO_PAGE)
    block = number_in(request.query_params, "block") or 0
    limits = context.settings.limits
    drawn = await context.work(draw_page, stored.html, stored.url, block, limits)
    return render(request, "label_drawn.html", drawn=drawn)


async def save_label(request: Request) -> Response:
    """Save a label, or that the page was skipped; then go to the next page.

    The form has the version of the label that it was built from, and a digest of the blocks: 409
    if either has changed, or if the page is in the queue of others, unless ``too`` says that it is
    to be labelled too. It is saved for the labeller that it was built for.
    """
    context = context_of(request)
    form, number = form_of(request), int(request.path_params["page"])
    who = labeller_in(form) or labeller_of(request)
    store = store_of(context)
    keep: npt.NDArray[np.bool_] | None = None
    text: str | None = None
    roles: RoleCodes | None = None
    if form.get("do") != "pass":
        shown = await shown_of(context, store, number)
        if shown is None:
            raise HTTPException(404, _NO_PAGE)
        if form.get("blocks", shown.digest()) != shown.digest():
            return await _refuse_blocks(request, context, store, number, who)
        given = form.get("keep")
        chosen = str(given).split(",") if given is not None else map(str, form.getlist("b"))
        keep = _read_mask(list(chosen), len(shown.blocks))
        text = text_of(shown, keep)
        roles = _read_roles(str(form.get("roles", "")), len(shown.blocks))
    kind = str(form.get("page_type", ""))
    label = Label(
        number,
        who,
        keep,
        text,
        _read_seconds(str(form.get("seconds", ""))),
        kind if kind in PAGE_TYPES else None,
        roles=roles,
        note=" ".join(str(form.get("note", "")).split())[:_MAX_NOTE_CHARS],
    )
    save = partial(
        store.save,
        label,
        version=number_in(form, "version"),
        only_own_queue=keep is not None and not form.get("too"),
    )
    try:
        version = await anyio.to_thread.run_sync(save)
    except (LabelConflictError, OtherQueueError, StorageError) as error:
        return await _refuse(request, context, store, label, error)
    if not is_for_programs(request):
        return RedirectResponse("/label", 303)
    return await _answer(request, context, store, who, version=version)


async def undo_label(request: Request) -> Response:
    """Undo the last label, and show its page again."""
    context = context_of(request)
    store, who = store_of(context), labeller_of(request)
    number = await anyio.to_thread.run_sync(store.undo, who)
    if is_for_programs(request):
        return await _answer(request, context, store, who, page=number)
    return RedirectResponse(f"/label?page={number}" if number else "/label", 303)


async def _show(
    request: Request,
    sheet: dict[str, Any] | None,
    queue: Sequence[int],
    *,
    status: int = 200,
    problem: str | None = None,
) -> Response:
    context = context_of(request)
    who, order = labeller_of(request), order_of(request)
    store = store_of(context)
    pace = await anyio.to_thread.run_sync(store.pace, who)
    queues = await anyio.to_thread.run_sync(list_queues, store)
    here = sheet["page"].id if sheet else None
    return render(
        request,
        "label.html",
        status=status,
        problem=problem,
        is_conflict=status == HTTPStatus.CONFLICT,
        sheet=sheet,
        pace=pace,
        queues=queues,
        team=_add_up(queues),
        n_undealt=await anyio.to_thread.run_sync(count_undealt, store),
        who=who,
        order=order,
        ahead=[number for number in queue if number != here][:_N_AHEAD],
        page_types=PAGE_TYPES,
        role_keys=_ROLE_KEYS,
        model=current_model(context.settings),
    )


async def _refuse(
    request: Request,
    context: AppContext,
    store: LabelStore,
    mine: Label,
    error: LabelConflictError | OtherQueueError | StorageError,
) -> Response:
    """Report that a label was not saved, and why; a browser without scripts gets its form again."""
    status = HTTPStatus.CONFLICT
    if isinstance(error, LabelConflictError):
        message, theirs = _describe_conflict(mine, error.latest), error.latest
        if is_for_programs(request):
            return _conflict("label", message, version=theirs.id if theirs else 0)
    elif isinstance(error, OtherQueueError):
        message = str(error)
        if is_for_programs(request):
            return _conflict("queue", message)
    elif is_for_programs(request):
        raise error
    else:
        message, status = str(describe(error)["message"]), HTTPStatus.INSUFFICIENT_STORAGE
    sheet = await _sheet(context, store, mine.page, mine.labeller, mine=mine)
    if sheet is not None:
        sheet["may_label_too"] = isinstance(error, OtherQueueError)
    problem = f"Not saved: {message}."
    return await _show(request, sheet, [], status=status, problem=problem)


async def _refuse_blocks(
    request: Request, context: AppContext, store: LabelStore, number: int, who: str
) -> Response:
    """Report that the blocks of a page have changed: a new version may split it differently."""
    message = "the blocks of this page have changed since it was opened"
    if is_for_programs(request):
        return _conflict("blocks", message)
    sheet = await _sheet(context, store, number, who)
    problem = f"Not saved: {message}. Please mark them again."
    return await _show(request, sheet, [], status=HTTPStatus.CONFLICT, problem=problem)


def _conflict(reason: str, message: str, **more: int) -> JSONResponse:
    error = {"type": "Conflict", "reason": reason, "message": message, "status": 409}
    return JSONResponse({"error": error, **more}, HTTPStatus.CONFLICT)


def _describe_conflict(mine: Label, theirs: Label | None) -> str:
    if theirs is None:
        return "the label of this page was undone elsewhere in the meantime"
    if theirs.keep is None:
        return "this page was skipped elsewhere in the meantime"
    message = "this page was labelled elsewhere in the meantime"
    if mine.keep is not None and mine.keep.size == theirs.keep.size:
        n = int((mine.keep != theirs.keep).sum())
        if n == 0 and not is_equal(mine.roles, theirs.roles):
            return f"{message}, with other roles"
        message += f"; {n} {'block differs' if n == 1 else 'blocks differ'}"
    return message


async def _sheet(
    context: AppContext, store: LabelStore, number: int, who: str, *, mine: Label | None = None
) -> dict[str, Any] | None:
    """Return the template values of one page; None if it cannot be read.

    ``mine`` is a label that could not be saved, to be shown instead of the saved one.
    """
    page = await anyio.to_thread.run_sync(store.page, number)
    if page is None:
        return None
    shown = await shown_of(context, store, number)
    if shown is None:
        return None
    label = await anyio.to_thread.run_sync(store.label, number, who)
    others = await anyio.to_thread.run_sync(store.others_with, number, who)
    shown_label = mine or label
    given = shown_label.roles if shown_label and fits(shown_label, shown) else None
    return {
        "page": page,
        "shown": shown,
        "keep": _first_mask(shown, shown_label).tolist(),
        "who": who,
        "version": label.id if label else 0,
        "digest": shown.digest(),
        "roles": format_given_roles(given),
        "role_names": _name_roles(given, len(shown.blocks)),
        "is_labelled": label is not None and label.keep is not None,
        "page_type": (shown_label and shown_label.page_type) or "",
        "n_hidden": sum(block.is_hidden for block in shown.blocks),
        "note": shown_label.note if shown_label else "",
        "others": others,
        "may_label_too": False,
    }


def _first_mask(shown: ShownPage, label: Label | None) -> npt.NDArray[np.bool_]:
    """Return the saved label if it fits the blocks, else the model's suggestion."""
    if label is not None and label.keep is not None and fits(label, shown):
        return label.keep
    return shown.suggest()


def _name_roles(roles: RoleCodes | None, n_block: int) -> list[str]:
    """Return the role of each block, empty where none was given."""
    if roles is None:
        return [""] * n_block
    return ["" if code == NO_ROLE else ROLES[code] for code in roles.tolist()]


async def _answer(
    request: Request,
    context: AppContext,
    store: LabelStore,
    who: str,
    *,
    page: int | None = None,
    version: int | None = None,
) -> Response:
    queue = await anyio.to_thread.run_sync(_queue, context, store, who, order_of(request))
    pace = await anyio.to_thread.run_sync(store.pace, who)
    team = _add_up(await anyio.to_thread.run_sync(list_queues, store))
    return JSONResponse(
        {
            "page": page,
            "version": version,
            "ahead": queue[: _N_AHEAD + 1],
            "n_page": pace.n_page,
            "n_done": pace.n_labelled + pace.n_passed,
            "pages_per_hour": pace.pages_per_hour,
            **({"team": team} if team else {}),
        }
    )


def _add_up(queues: Sequence[Queue]) -> str:
    """Return how far all labellers are together; empty without queues."""
    if not queues:
        return ""
    done, dealt = sum(queue.n_done for queue in queues), sum(queue.n_dealt for queue in queues)
    return f"all labellers: {done} of {dealt}"


def _queue(context: AppContext, store: LabelStore, who: str, order: str) -> list[int]:
    model = current_model(context.settings)
    return store.waiting(who, order=order, model=model, limit=_N_AHEAD * 4)


def _read_mask(chosen: Sequence[str], n_block: int) -> npt.NDArray[np.bool_]:
    """Parse the numbers of the kept blocks; 400 if one is invalid."""
    keep = np.zeros(n_block, np.bool_)
    for name in chosen:
        if not name:
            continue
        number = read_number(name)
        if number is None or number >= n_block:
            raise HTTPException(400, "there is no such block; reload the page")
        keep[number] = True
    return keep


def _read_roles(text: str, n_block: int) -> RoleCodes | None:
    """Parse the roles given to blocks; 400 if one is invalid."""
    try:
        return parse_given_roles(text, n_block)
    except UsageError as error:
        raise HTTPException(400, str(error)) from error


def _read_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return seconds if 0 <= seconds < _MAX_SECONDS else 0.0
