"""Management of pages to label: adding, listing with labels and agreement, deleting, export."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import anyio
import anyio.to_thread
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.app.context import (
    AppContext,
    context_of,
    describe,
    form_of,
    map_all,
    path_with,
    render,
)
from thresher.app.engine import PageSource, number_in
from thresher.app.labels import (
    ORDERS,
    STATES,
    PageChoice,
    choose_pages,
    read_ahead,
    shown_of,
    store_of,
)
from thresher.app.pages.opening import list_query, list_steps
from thresher.app.pages.visitors import labeller_of
from thresher.batch.model import Item
from thresher.batch.sources.base import ReadOptions
from thresher.errors import FetchError, LimitError, StorageError, ThresherError, UsageError
from thresher.labelling.decisions import (
    agree_in_pairs,
    find_decision,
    list_decisions,
    make_task,
    pair_up,
    write_corpus,
)
from thresher.labelling.model import Label, NewPage
from thresher.labelling.queues import count_undealt, list_assignments, list_queues
from thresher.labelling.reading import page_of, read_pages
from thresher.labelling.store import LabelStore
from thresher.labelling.store import delete_page as delete_from_store
from thresher.labelling.store import restore_page as restore_to_store
from thresher.serving.pages import status_of
from thresher.support.hosts import host_of, readable_host
from thresher.support.quoting import quote

_MAX_URLS: Final = 200
_N_FETCH: Final = 8
"""Maximum number of concurrent fetches."""
_N_SHOWN: Final = 100
"""Pages shown at a time."""
_ASKED: Final = ("a", "b", "q", "site", "state", "order", "start")
"""Names of the query's values that stay while pages of the list are changed."""
_MAX_SHOWN_REASONS: Final = 5
_LABEL_STUDIO: Final = "label-studio"
_EXPORTS: Final[Mapping[str, tuple[str, str]]] = {
    "xz": ("labels.jsonl.xz", "application/x-xz"),
    "jsonl": ("labels.jsonl", "application/jsonl"),
    _LABEL_STUDIO: ("labels-label-studio.json", "application/json"),
}
"""Format of an export → its file and media type."""


async def add_pages(request: Request) -> Response:
    """Add the submitted files and addresses; those that cannot be added stay in the form."""
    context, form = context_of(request), form_of(request)
    store = store_of(context)
    skipped: Counter[str] = Counter()
    urls = list(dict.fromkeys(str(form.get("urls", "")).split()))
    try:
        if len(urls) > _MAX_URLS:
            raise LimitError("addresses at a time", limit=_MAX_URLS, value=len(urls))
        of_files = await _add_files(store, form, skipped, context.settings.max_bytes)
        fetched = await _fetch_all(context, urls, skipped)
        of_urls = await anyio.to_thread.run_sync(store.add, list(fetched.values()))
    except (LimitError, StorageError) as error:
        problem = str(describe(error)["message"])
        return await show_pages(request, problem=problem, urls=urls, status=status_of(error))
    n_new, n_known = map(sum, zip(of_files, of_urls, strict=True))
    left_out = skipped.most_common(_MAX_SHOWN_REASONS)
    return await show_pages(
        request,
        added={"n_new": n_new, "n_known": n_known, "left_out": left_out},
        urls=[url for url in urls if url not in fetched],
    )


async def export(request: Request) -> Response:
    """Send the labels in a format of `_EXPORTS`: as a corpus, or as tasks of Label Studio."""
    context = context_of(request)
    store = store_of(context)
    who, format = request.query_params.get("who") or None, request.query_params.get("format", "xz")
    if format not in _EXPORTS:
        raise UsageError(f"unknown format {quote(format)}; one of {', '.join(_EXPORTS)}")
    name, media_type = _EXPORTS[format]
    if format == _LABEL_STUDIO:
        body = await _write_tasks(context, store, who)
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            await anyio.to_thread.run_sync(write_corpus, store, path, who)
            body = path.read_bytes()
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(body, media_type=media_type, headers=headers)


async def _write_tasks(context: AppContext, store: LabelStore, who: str | None) -> bytes:
    """Return the labelled pages as tasks, each with the labels of all, or of one labeller."""
    pages = await anyio.to_thread.run_sync(store.pages)
    labels = await anyio.to_thread.run_sync(store.labels, who)
    tasks = []
    for number, own in _by_page(labels).items():
        shown = await shown_of(context, store, number)
        if shown is not None and number in pages:
            tasks.append(make_task(pages[number], shown, own))
    return json.dumps(tasks).encode()  # in ASCII: a page may hold lone surrogates


def _by_page(labels: Iterable[Label]) -> dict[int, list[Label]]:
    of_page: dict[int, list[Label]] = {}
    for label in labels:
        of_page.setdefault(label.page, []).append(label)
    return of_page


async def inspect_page(request: Request) -> Response:
    """Open a page of the queue in Inspect."""
    context, number = context_of(request), request.path_params["page"]
    store = store_of(context)
    page = await anyio.to_thread.run_sync(store.page, number)
    if page is None:
        raise HTTPException(404, "there is no such page")
    text = await anyio.to_thread.run_sync(_label_for, store, number, labeller_of(request))
    kept = context.page_cache.put(PageSource(page.html, page.url, name=page.name, label=text))
    return RedirectResponse(f"/inspect/{kept}", 303)


def _label_for(store: LabelStore, page: int, who: str) -> str | None:
    """Return the text of a labeller's own label, else what was decided; none of other people."""
    label = store.label(page, who) or find_decision(store, page)
    return label.text if label else None


async def delete_page(request: Request) -> Response:
    """Take a page from the list with its labels, and offer to put it back."""
    number = request.path_params["page"]
    await anyio.to_thread.run_sync(delete_from_store, store_of(context_of(request)), number)
    return _back(request, "all", deleted=str(number))


async def restore_page(request: Request) -> Response:
    """Put a deleted page back."""
    number = request.path_params["page"]
    await anyio.to_thread.run_sync(restore_to_store, store_of(context_of(request)), number)
    return _back(request, f"page-{number}")


def _back(request: Request, fragment: str, **more: str) -> Response:
    query = list_query(request, _ASKED, **more)
    return RedirectResponse(path_with("/label/pages", query, fragment), 303)


async def show_pages(
    request: Request,
    *,
    added: Mapping[str, Any] | None = None,
    problem: str | None = None,
    urls: Sequence[str] = (),
    status: int = 200,
) -> Response:
    """Show all pages with their labels, the agreement of two labellers, and the add form."""
    context = context_of(request)
    store = store_of(context)
    read_ahead(context, store)  # titles are read, too
    who, start = labeller_of(request), number_in(request.query_params, "start") or 0
    values = await anyio.to_thread.run_sync(_list_pages, store, dict(request.query_params), start)
    n_chosen = values["n_chosen"]
    return render(
        request,
        "label_pages.html",
        status=status,
        added=added,
        problem=problem,
        urls="\n".join(urls),
        pace=await anyio.to_thread.run_sync(store.pace, who),
        deleted=request.query_params.get("deleted"),
        first=start + 1,
        here_query=list_query(request, _ASKED),
        **list_steps(request, _ASKED, start=start, n_shown=_N_SHOWN, n_found=n_chosen),
        **values,
    )


def _list_pages(store: LabelStore, query: Mapping[str, str], start: int) -> dict[str, Any]:
    """Return the template values of the list of pages from a place on."""
    pages, labels, labellers = store.pages(), store.labels(), store.labellers()
    of_page = _by_page(labels)
    agreements = agree_in_pairs(labels)
    together = agreements.pop((), None)
    pair = [query.get("a", ""), query.get("b", "")]
    if not set(pair) <= set(labellers) or pair[0] == pair[1]:
        pair = list(next(iter(sorted(agreements)), labellers[:2]))
    differing = pair_up(labels, *pair) if len(pair) == 2 else {}
    choice = PageChoice.of_query(query)
    chosen = choose_pages(pages, of_page, differing, choice)
    return {
        "pages": {number: pages[number] for number in chosen[start : start + _N_SHOWN]},
        "n_chosen": len(chosen),
        "choice": choice,
        "states": STATES,
        "orders": ORDERS,
        "sites": sorted({host_of(page.url) for page in pages.values()} - {""}),
        "readable": readable_host,
        "n_page": len(pages),
        "of_page": of_page,
        "labellers": labellers,
        "n_labelled": len({label.page for label in labels if label.keep is not None}),
        "pair": pair,
        "agreement": agreements.get(tuple(sorted(pair))),
        "agreements": agreements,
        "together": together,
        "queues": list_queues(store),
        "n_undealt": count_undealt(store),
        "waiting_for": _waiting_for(store, of_page),
        "differing": differing,
        "decisions": list_decisions(store),
        "all_pages": pages,
    }


def _waiting_for(store: LabelStore, of_page: Mapping[int, Sequence[Label]]) -> dict[int, list[str]]:
    """Return the labellers to whom each page was dealt and who have not been through it."""
    return {
        page: [
            name
            for name in names
            if name not in {label.labeller for label in of_page.get(page, ())}
        ]
        for page, names in list_assignments(store).items()
    }


async def _add_files(
    store: LabelStore, form: FormData, skipped: Counter[str], max_bytes: int
) -> tuple[int, int]:
    files = [value for value in form.getlist("files") if isinstance(value, UploadFile)]
    n_new = n_known = 0
    with tempfile.TemporaryDirectory() as folder:
        for place, file in enumerate(upload for upload in files if upload.filename):
            # Its name identifies the format, but must not determine the path.
            below = Path(folder) / str(place)
            below.mkdir()
            path = below / (Path(str(file.filename)).name or "page.html")
            path.write_bytes(await file.read())
            try:
                new, old = await anyio.to_thread.run_sync(
                    _add_file, store, path, skipped, max_bytes
                )
            except ThresherError as error:
                reason = str(error).replace(folder, "").lstrip("/")
                skipped[f"{path.name}: {reason}"] += 1
                continue
            n_new, n_known = n_new + new, n_known + old
    return n_new, n_known


def _add_file(
    store: LabelStore, path: Path, skipped: Counter[str], max_bytes: int
) -> tuple[int, int]:
    pages = (
        NewPage(page.name.rpartition("/")[2] or page.name, page.html, page.url)
        for page in read_pages([str(path)], skipped, ReadOptions(max_bytes=max_bytes))
    )
    return store.add(pages)


async def _fetch_all(
    context: AppContext, urls: Sequence[str], skipped: Counter[str]
) -> dict[str, NewPage]:
    async def fetch(url: str) -> NewPage | None:
        try:
            source = await context.fetch(url)
            item = Item(url, source.body, source.url or url, source.http_charset)
            return page_of(item, context.settings.max_bytes)
        except FetchError as error:
            skipped[str(error)] += 1
        except ThresherError as error:
            skipped[f"{url}: {error}"] += 1
        return None

    pages = zip(urls, await map_all(fetch, urls, _N_FETCH), strict=True)
    return {url: page for url, page in pages if page is not None}
