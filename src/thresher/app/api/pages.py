"""Pages that a program sends to be read, saved, highlighted or labelled: the browser extension."""

from __future__ import annotations

from typing import Any, Final

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from thresher.app.api.requests import is_json, load_json, take_pages
from thresher.app.context import context_of
from thresher.app.labels import store_of
from thresher.app.opened_pages import PageSource
from thresher.app.pages.addresses import path_of
from thresher.app.pages.saved import ask_list, save_opened
from thresher.app.saved_highlights import NewHighlight, add_highlight
from thresher.batch.model import Item
from thresher.errors import UsageError
from thresher.labelling.reading import page_of
from thresher.labelling.store import LabelStore

__all__ = ["put_page"]

_FIELDS: Final = {"html": str, "url": str, "save": bool, "quote": str, "label": bool}
"""Field of a request → its type; all but ``html`` may be missing."""


async def put_page(request: Request) -> Response:
    """Take a page as a browser shows it; answer with its paths in the app.

    ``save`` puts it into the saved list, ``quote`` highlights a passage of it there, and ``label``
    adds it to the pages to label.
    """
    if not is_json(request.headers):
        raise HTTPException(415, "send application/json")
    context = context_of(request)
    values = _check(await load_json(context, await request.body()))
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


def _check(values: object) -> dict[str, Any]:
    """Return the fields of a request; UsageError if it is invalid."""
    if not isinstance(values, dict):
        raise UsageError("a request must be a JSON object")
    for name, value in values.items():
        if name not in _FIELDS:
            raise UsageError(f"there is no field {name}; one of {', '.join(_FIELDS)}")
        if not isinstance(value, _FIELDS[name]):
            raise UsageError(f"{name} must be a {_FIELDS[name].__name__}")
    if not values.get("html"):
        raise UsageError("html is required")
    return values


def _add_to_labels(store: LabelStore, source: PageSource, max_bytes: int) -> int | None:
    """Add a page to those to label, or find it there; return its number."""
    body = str(source.body).encode("utf-8", "replace")
    page = page_of(Item(source.url or "page", body, source.url, "utf-8"), max_bytes)
    store.add([page])
    return store.number_of(page)
