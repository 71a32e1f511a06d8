"""Label: page after page, block by block, what is content; and what came of it so far."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

import anyio
import anyio.to_thread
import numpy as np
import numpy.typing as npt
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.app.context import Context, context_of, form_of, render
from thresher.app.kept import Source
from thresher.app.labels import read_ahead, shown_of, store_of
from thresher.app.models import current_model
from thresher.app.problems import is_for_programs
from thresher.batch.model import Item
from thresher.batch.sources.base import Reading
from thresher.errors import FetchError, LimitError, ThresherError
from thresher.labelling.agreement import agree
from thresher.labelling.export import list_labels, write_corpus
from thresher.labelling.queue import Account, page_of, read_pages
from thresher.labelling.reading import Shown, text_of
from thresher.labelling.store import ORDERS, Label, LabelStore, NewPage

__all__ = [
    "add_pages",
    "export",
    "inspect_page",
    "save_label",
    "set_labeller",
    "show_label",
    "show_pages",
    "show_sheet",
    "undo_label",
]

_LABELLER: Final = "thresher_labeller"
_ORDER: Final = "thresher_order"
"""Cookies: who labels, and in which order."""
_ME: Final = "me"
"""Who labels, where nobody gave a name."""
_MAX_NAME_CHARS: Final = 40
_YEAR_S: Final = 365 * 24 * 3600
_N_AHEAD: Final = 5
"""Pages whose numbers are sent along, so that the next one can be loaded while one is labelled."""
_MAX_URLS: Final = 200
_N_FETCH: Final = 8
"""Pages fetched at a time."""
_MAX_LISTED: Final = 500
_MAX_SHOWN_REASONS: Final = 5


async def show_label(request: Request) -> Response:
    """Show a page to label: that of ``?page=``, else the next in the queue."""
    context = context_of(request)
    store = await anyio.to_thread.run_sync(store_of, context)
    who, order = _who(request), _order(request)
    wanted = request.query_params.get("page", "")
    queue = await anyio.to_thread.run_sync(_queue, context, store, who, order)
    numbers = [int(wanted)] if wanted.isdecimal() else queue
    sheet: dict[str, Any] | None = None
    for number in numbers:
        sheet = await _sheet(context, store, number, who)
        if sheet is not None:
            break
        if wanted:
            raise HTTPException(404, "there is no such page, or it cannot be read")
        await _pass_over(store, number, who)
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
    """Show the blocks of one page alone, for the script that has the next page at once."""
    context = context_of(request)
    store = store_of(context)
    sheet = await _sheet(context, store, request.path_params["page"], _who(request))
    if sheet is None:
        raise HTTPException(404, "there is no such page, or it cannot be read")
    return render(request, "label_sheet.html", sheet=sheet, page_types=PAGE_TYPES)


async def save_label(request: Request) -> Response:
    """Take a label, or note that the page was passed over; then the next page."""
    context = context_of(request)
    form, number, who = form_of(request), int(request.path_params["page"]), _who(request)
    store = store_of(context)
    keep: npt.NDArray[np.bool_] | None = None
    text: str | None = None
    if form.get("do") != "pass":
        shown = await shown_of(context, store, number)
        if shown is None:
            raise HTTPException(404, "there is no such page, or it cannot be read")
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
    """Take back the last label, and show its page again."""
    context = context_of(request)
    store, who = store_of(context), _who(request)
    number = await anyio.to_thread.run_sync(store.undo, who)
    if is_for_programs(request):
        return await _answer(request, context, store, who, page=number)
    return RedirectResponse(f"/label?page={number}" if number else "/label", 303)


async def set_labeller(request: Request) -> Response:
    """Say who labels, and in which order."""
    form = form_of(request)
    name = " ".join(str(form.get("who", "")).split())[:_MAX_NAME_CHARS] or _ME
    order = str(form.get("order", ""))
    response = RedirectResponse("/label", 303)
    for cookie, value in ((_LABELLER, quote(name)), (_ORDER, order if order in ORDERS else "")):
        response.set_cookie(cookie, value, _YEAR_S, httponly=True, samesite="lax")
    return response


async def show_pages(request: Request) -> Response:
    """Show all pages with their labels, how far two labellers agree, and how to add pages."""
    return await _show_pages(request)


async def add_pages(request: Request) -> Response:
    """Add the files and addresses of the form."""
    context, form = context_of(request), form_of(request)
    store = store_of(context)
    account = Account()
    files = [each for each in form.getlist("files") if isinstance(each, UploadFile)]
    n_new = n_known = 0
    with tempfile.TemporaryDirectory() as folder:
        for place, file in enumerate(each for each in files if each.filename):
            # Its name tells what it is, and must not tell where it goes.
            below = Path(folder) / str(place)
            below.mkdir()
            path = below / (Path(str(file.filename)).name or "page.html")
            path.write_bytes(await file.read())
            try:
                new, known = await anyio.to_thread.run_sync(
                    _add_file, store, path, account, context.settings.max_bytes
                )
            except ThresherError as error:
                account.left_out[f"{path.name}: {_short(error, folder)}"] += 1
                continue
            n_new, n_known = n_new + new, n_known + known
    urls = list(dict.fromkeys(str(form.get("urls", "")).split()))
    if len(urls) > _MAX_URLS:
        raise LimitError("addresses at a time", limit=_MAX_URLS, value=len(urls))
    fetched = await _fetch_all(context, urls, account)
    new, known = await anyio.to_thread.run_sync(store.add, fetched)
    read_ahead(context, store)
    added = {
        "n_new": n_new + new,
        "n_known": n_known + known,
        "left_out": account.left_out.most_common(_MAX_SHOWN_REASONS),
    }
    return await _show_pages(request, added=added)


async def export(request: Request) -> Response:
    """Send the labels as a packed corpus."""
    context = context_of(request)
    store = store_of(context)
    who = request.query_params.get("who") or None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.jsonl.xz"
        await anyio.to_thread.run_sync(write_corpus, store, path, who)
        body = path.read_bytes()
    headers = {"Content-Disposition": 'attachment; filename="labels.jsonl.xz"'}
    return Response(body, media_type="application/x-xz", headers=headers)


async def inspect_page(request: Request) -> Response:
    """Open a page of the queue in Inspect."""
    context = context_of(request)
    page = await anyio.to_thread.run_sync(store_of(context).page, request.path_params["page"])
    if page is None:
        raise HTTPException(404, "there is no such page")
    kept = context.kept.put(Source(page.html, page.url, name=page.name))
    return RedirectResponse(f"/inspect/{kept}", 303)


async def _show_pages(request: Request, *, added: Mapping[str, Any] | None = None) -> Response:
    context = context_of(request)
    store = store_of(context)
    values = await anyio.to_thread.run_sync(_list_pages, store, dict(request.query_params))
    return render(request, "label_pages.html", added=added, who=_who(request), **values)


def _list_pages(store: LabelStore, query: Mapping[str, str]) -> dict[str, Any]:
    """Gather what is shown of all pages."""
    names, labels, labellers = store.names(), store.labels(), store.labellers()
    of_page: dict[int, list[Label]] = {}
    for label in labels:
        of_page.setdefault(label.page, []).append(label)
    pairs = [query.get("a", ""), query.get("b", "")]
    if not set(pairs) <= set(labellers) or pairs[0] == pairs[1]:
        pairs = labellers[:2]
    agreement = None
    if len(pairs) == 2:
        mine, theirs = ([each for each in labels if each.labeller == who] for who in pairs)
        agreement = agree(mine, theirs)
    return {
        "names": dict(list(names.items())[:_MAX_LISTED]),
        "n_page": len(names),
        "of_page": of_page,
        "labellers": labellers,
        "n_labelled": len(list_labels(store)),
        "pair": pairs,
        "agreement": agreement,
        "all_names": names,
    }


async def _sheet(
    context: Context, store: LabelStore, number: int, who: str
) -> dict[str, Any] | None:
    """Return what is shown of one page; None where it cannot be."""
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


def _first_mask(shown: Shown, label: Label | None) -> npt.NDArray[np.bool_]:
    """Return the label, where there is one of these blocks; else what the model suggests."""
    if label is not None and label.keep is not None and label.keep.size == len(shown.blocks):
        return label.keep
    return shown.suggest()


async def _answer(
    request: Request, context: Context, store: LabelStore, who: str, *, page: int | None = None
) -> Response:
    """Tell the script how far the labeller is, and what comes next."""
    queue = await anyio.to_thread.run_sync(_queue, context, store, who, _order(request))
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


async def _pass_over(store: LabelStore, number: int, who: str) -> None:
    """Leave a page out that cannot be read, so that the queue goes on."""
    await anyio.to_thread.run_sync(store.save, Label(number, who, None, None))


def _add_file(store: LabelStore, path: Path, account: Account, max_bytes: int) -> tuple[int, int]:
    pages = (
        NewPage(page.name.rpartition("/")[2] or page.name, page.html, page.url)
        for page in read_pages([str(path)], account, Reading(max_bytes=max_bytes))
    )
    return store.add(pages)


async def _fetch_all(context: Context, urls: Sequence[str], account: Account) -> list[NewPage]:
    """Fetch addresses, a few at a time; why one failed goes into the account."""
    limit = anyio.CapacityLimiter(_N_FETCH)
    found: dict[str, NewPage] = {}

    async def fetch(url: str) -> None:
        async with limit:
            try:
                source = await context.fetch(url)
                item = Item(url, source.body, source.url or url, source.http_charset)
                found[url] = page_of(item, context.settings.max_bytes)
            except FetchError as error:
                account.left_out[str(error)] += 1
            except ThresherError as error:
                account.left_out[f"{url}: {error}"] += 1

    async with anyio.create_task_group() as group:
        for url in urls:
            group.start_soon(fetch, url)
    return [found[url] for url in urls if url in found]


def _read_mask(chosen: Sequence[str], n_block: int) -> npt.NDArray[np.bool_]:
    """Read the numbers of the blocks that are kept; 400 for what is none."""
    keep = np.zeros(n_block, np.bool_)
    for name in chosen:
        if not name:
            continue
        if not (name.isdecimal() and len(name) < 9 and int(name) < n_block):
            raise HTTPException(400, "no such block; load the page again")
        keep[int(name)] = True
    return keep


def _read_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return seconds if 0 <= seconds < _YEAR_S else 0.0


def _short(error: Exception, folder: str) -> str:
    """Say what went wrong without the name of a folder that nobody knows."""
    return str(error).replace(folder, "").lstrip("/")


def _who(request: Request) -> str:
    return unquote(request.cookies.get(_LABELLER, ""))[:_MAX_NAME_CHARS] or _ME


def _order(request: Request) -> str:
    order = request.cookies.get(_ORDER, "")
    return order if order in ORDERS else next(iter(ORDERS))
