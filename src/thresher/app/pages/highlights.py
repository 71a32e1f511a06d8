"""Highlights of a page in Read: added by a script; noted, removed and put back by forms."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.app.context import context_of, form_of, render
from thresher.app.numbers import read_number
from thresher.app.pages.addresses import list_path, opened_page
from thresher.app.pages.saved import ask_list, find_saved, save_opened
from thresher.app.saved import SavedList
from thresher.app.saved_highlights import (
    NewHighlight,
    add_highlight,
    note_highlight,
    remove_highlight,
    restore_highlight,
)

__all__ = ["add", "note", "put_back", "remove"]


async def add(request: Request) -> Response:
    """Store a passage, saving the page first if it is not saved; return the list for the script."""
    context, form = context_of(request), form_of(request)
    name, source = await opened_page(request)
    known = (await find_saved(context, source)).page
    number = known.id if known else await save_opened(request, source)
    quote, before, after = (str(form.get(part, "")) for part in ("quote", "before", "after"))
    new = NewHighlight(quote, before, after, read_number(str(form.get("start", ""))) or 0)
    await ask_list(context, lambda saved: add_highlight(saved, number, new))
    kept = await find_saved(context, source)
    return render(
        request,
        "read_highlights.html",
        page=name,
        query=request.url.query,
        kept=kept,
        removed=None,
    )


async def note(request: Request) -> Response:
    """Store the note of a highlight."""
    text = str(form_of(request).get("note", ""))
    return await _change(request, lambda saved, number: note_highlight(saved, number, text), {})


async def remove(request: Request) -> Response:
    """Remove a highlight, and offer to put it back."""
    number = request.path_params["highlight"]
    return await _change(request, remove_highlight, {"removed": str(number)})


async def put_back(request: Request) -> Response:
    """Put a removed highlight back."""
    return await _change(request, restore_highlight, {})


async def _change(
    request: Request, change: Callable[[SavedList, int], None], more: dict[str, str]
) -> Response:
    """Change a highlight and return to the list."""
    number = request.path_params["highlight"]
    await ask_list(context_of(request), lambda saved: change(saved, number))
    query = str(request.url.remove_query_params("removed").include_query_params(**more).query)
    path = list_path(f"/read/{request.path_params['page']}", query, "highlights")
    return RedirectResponse(path, 303)
