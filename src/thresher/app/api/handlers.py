"""Handlers of the API, of pages that the browser extension sends, and of what watches a server."""

from __future__ import annotations

import json
from typing import Any, Final

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from thresher import __version__
from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD, Algorithm
from thresher.app.api.batches import BatchResponse, answer_list
from thresher.app.api.openapi import describe_api, name_type
from thresher.app.api.requests import is_json, load_json, read_body, take_pages, task_of
from thresher.app.context import context_of, render
from thresher.app.engine import PageSource, label_record, write_record
from thresher.app.labels import store_of
from thresher.app.logs import CONTENT_TYPE
from thresher.app.pages.opening import path_of
from thresher.app.pages.saved import ask_list, save_opened
from thresher.app.saved_changes import NewHighlight, add_highlight
from thresher.batch.model import Item
from thresher.errors import ThresherError, UsageError
from thresher.labelling.reading import page_of
from thresher.labelling.store import LabelStore


async def extract(request: Request) -> Response:
    """Extract one page."""
    context = context_of(request)
    try:
        parsed = await read_body(
            context, await request.body(), request.headers, request.query_params
        )
        await take_pages(request)
        task = await task_of(context, parsed)
        verdict, record = await context.work(write_record, task, parsed.formats, parsed.options)
    except ThresherError as error:
        context.metrics.pages[type(error).__name__] += 1
        raise
    context.metrics.pages[verdict] += 1
    return Response(label_record(parsed.label, record), media_type="application/json")


async def batch(request: Request) -> Response:
    """Extract one page per line, as the lines arrive; or the pages of one object."""
    context = context_of(request)
    if is_json(request.headers):
        return await answer_list(context, request)
    return BatchResponse(context)


async def list_methods(request: Request) -> Response:
    """List the methods with their parameters."""
    return JSONResponse([_describe(name, algorithm) for name, algorithm in ALGORITHMS.items()])


async def show_openapi(request: Request) -> Response:
    """Return the OpenAPI document."""
    return JSONResponse(describe_api(context_of(request).settings))


async def show_api(request: Request) -> Response:
    """Show the API documentation."""
    document = describe_api(context_of(request).settings)
    schemas = document["components"]["schemas"]
    return render(
        request,
        "api.html",
        api=document,
        request_fields=schemas["Request"]["properties"],
        tables={
            name: schema["properties"] for name, schema in schemas.items() if "properties" in schema
        },
        name_type=name_type,
        base=str(request.base_url).rstrip("/"),
        example=json.dumps({"url": "https://example.org/story", "formats": ["markdown"]}),
    )


def _describe(name: str, algorithm: Algorithm) -> dict[str, Any]:
    parameters = [
        {
            "name": parameter.name,
            "default": parameter.display(parameter.default),
            "help": parameter.help,
            "minimum": parameter.low,
            "maximum": parameter.high,
        }
        for parameter in algorithm.parameters()
    ]
    return {
        "name": name,
        "summary": algorithm.summary,
        "source": algorithm.source,
        "is_default": name == DEFAULT_METHOD,
        "parameters": parameters,
    }


_PAGE_FIELDS: Final = {"html": str, "url": str, "save": bool, "quote": str, "label": bool}
"""Field of a request → its type; all but ``html`` may be missing."""


async def put_page(request: Request) -> Response:
    """Take a page as a browser shows it; answer with its paths in the app.

    ``save`` puts it into the saved list, ``quote`` highlights a passage of it there, and ``label``
    adds it to the pages to label.
    """
    if not is_json(request.headers):
        raise HTTPException(415, "send application/json")
    context = context_of(request)
    values = _check_page(await load_json(context, await request.body()))
    await take_pages(request)
    source = PageSource(values["html"], values.get("url") or None)
    saved = label = None
    if values.get("save") or values.get("quote"):
        saved = await save_opened(request, source)  # one that is in the list stays as it is
    if quote := values.get("quote"):
        number, new = saved or 0, NewHighlight(quote, "", "", 0)
        await ask_list(context, lambda pages: add_highlight(pages, number, new))
    if values.get("label"):
        store, max_bytes = store_of(context), context.settings.max_bytes
        label = await anyio.to_thread.run_sync(_add_to_labels, store, source, max_bytes)
    name = context.page_cache.put(source)
    return JSONResponse(
        {
            "read": path_of("read", name, source),
            "inspect": path_of("inspect", name, source),
            "saved": saved,
            "label": None if label is None else f"/label?page={label}",
        }
    )


def _check_page(values: object) -> dict[str, Any]:
    """Return the fields of a request; UsageError if it is invalid."""
    if not isinstance(values, dict):
        raise UsageError("a request must be a JSON object")
    for name, value in values.items():
        if name not in _PAGE_FIELDS:
            raise UsageError(f"there is no field {name}; one of {', '.join(_PAGE_FIELDS)}")
        if not isinstance(value, _PAGE_FIELDS[name]):
            raise UsageError(f"{name} must be a {_PAGE_FIELDS[name].__name__}")
    if not values.get("html"):
        raise UsageError("html is required")
    return values


def _add_to_labels(store: LabelStore, source: PageSource, max_bytes: int) -> int | None:
    body = str(source.body).encode("utf-8", "replace")
    page = page_of(Item(source.url or "page", body, source.url, "utf-8"), max_bytes)
    store.add([page])
    return store.number_of(page)


async def show_health(request: Request) -> Response:
    """Report that the server is running."""
    return JSONResponse({"status": "ok", "version": __version__})


async def show_metrics(request: Request) -> Response:
    """Return the metrics for Prometheus."""
    context = context_of(request)
    gauges = {
        "thresher_calls_waiting": context.pool.n_waiting,
        "thresher_kept_bytes": context.page_cache.n_bytes,
        "thresher_kept_pages": len(context.page_cache),
        "thresher_workers": context.pool.n_worker,
    }
    return Response(context.metrics.write(gauges), headers={"Content-Type": CONTENT_TYPE})
