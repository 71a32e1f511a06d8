"""Addresses of pages in the app, which hold the address that a page was fetched from.

So a link can be shared, and works after a restart or when the page is no longer cached.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.app.context import context_of
from thresher.app.opened_pages import PageSource

_HAS_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)

__all__ = [
    "complete_address",
    "list_path",
    "list_query",
    "list_steps",
    "open_again",
    "opened_page",
    "path_of",
    "shared_query",
]


def complete_address(typed: str) -> str:
    """Add the default scheme to an address typed without one."""
    return typed if _HAS_SCHEME.match(typed) else f"https://{typed}"


def path_of(view: str, name: str, source: PageSource) -> str:
    """Return the path of a cached page in a view, such as ``read``."""
    query = shared_query(source)
    return f"/{view}/{quote(name)}" + (f"?{query}" if query else "")


def shared_query(source: PageSource) -> str:
    """Return the query that the address of a page has in every view; empty if it has none.

    A pasted or uploaded page is not what its address leads to, so it is not shared.
    """
    return urlencode({"url": source.url}) if source.is_fetched and source.url else ""


def list_query(request: Request, names: Sequence[str], **more: object) -> str:
    """Return the values of a list's query that have these names, with other values than asked."""
    asked = {name: request.query_params.get(name) for name in names} | more
    return urlencode({name: value for name, value in asked.items() if value})


def list_steps(
    request: Request, names: Sequence[str], *, start: int, n_shown: int, n_found: int
) -> dict[str, Any]:
    """Return the queries of a list's ``earlier`` and ``later`` part; None where there is none."""
    later = start + n_shown
    return {
        "earlier": list_query(request, names, start=max(start - n_shown, 0)) if start else None,
        "later": list_query(request, names, start=later) if later < n_found else None,
    }


def list_path(path: str, query: str, fragment: str = "") -> str:
    """Return the path of a list with its query, and of a place on it."""
    return path + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")


async def open_again(request: Request) -> Response | None:
    """Fetch the page of a request if it is no longer cached; None if it is, or has no address.

    Returns a redirect to the same view of it. Raises FetchError and LimitError.
    """
    context, url = context_of(request), request.query_params.get("url", "")
    name = str(request.path_params["page"])
    if not url or context.page_cache.get(name) is not None:
        return None
    fresh = context.page_cache.put(await context.fetch(url))
    path = request.url.path.replace(f"/{name}", f"/{fresh}", 1)
    return RedirectResponse(f"{path}?{request.url.query}", 303)


async def opened_page(request: Request) -> tuple[str, PageSource]:
    """Return the name and source of the page of a request, fetched anew if no longer cached.

    Raises FetchError and LimitError; HTTPException with 404 for such a page without an address.
    """
    context, url = context_of(request), request.query_params.get("url", "")
    name = str(request.path_params["page"])
    source = context.page_cache.get(name)
    if source is None and url:
        source = await context.fetch(url)
        return context.page_cache.put(source), source
    return name, context.page(name)
