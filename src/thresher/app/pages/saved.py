"""Saved page: the list of saved pages, with search and tags."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, TypeVar

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.app.context import AppContext, context_of, form_of, render
from thresher.app.method_form import read_method_query
from thresher.app.numbers import read_number
from thresher.app.opened_pages import PageSource
from thresher.app.pages.addresses import list_path, list_query, opened_page, path_of
from thresher.app.problems import status_of
from thresher.app.reading import write
from thresher.app.saved import SavedList
from thresher.app.saved_database import SAVED_FILE
from thresher.app.saved_highlights import SavedHighlight, list_highlights
from thresher.app.saved_tags import TagConflictError, list_tags, parse_tags
from thresher.app.saved_tags import set_tags as store_tags
from thresher.errors import StorageError, ThresherError, UsageError
from thresher.support.hosts import host_of, readable_host

__all__ = [
    "MAX_CHAPTERS",
    "ask_list",
    "delete_page",
    "find_saved",
    "open_page",
    "restore_page",
    "save_opened",
    "save_page",
    "set_tags",
    "show_list",
]

_T = TypeVar("_T")
MAX_CHAPTERS: Final = 200
"""Pages of a book of saved pages, at some 50 ms each."""
_N_SHOWN: Final = 50
"""Pages shown at a time."""


async def find_saved(
    context: AppContext, source: PageSource
) -> tuple[int | None, tuple[SavedHighlight, ...]]:
    """Return the number of a page in the list, None if it is not in it, and its highlights.

    A list that cannot be read does not keep a page from being read.
    """
    if not (context.settings.data_dir / SAVED_FILE).exists():
        return None, ()

    def find(saved: SavedList) -> tuple[int | None, tuple[SavedHighlight, ...]]:
        number = saved.number_of(source)
        return number, () if number is None else list_highlights(saved, number)

    try:
        return await ask_list(context, find)
    except ThresherError:
        return None, ()


async def save_page(request: Request) -> Response:
    """Save an opened page with its text, and return to it."""
    name, source = await opened_page(request)
    await save_opened(request, source)
    return RedirectResponse(list_path(f"/read/{name}", request.url.query), 303)


async def save_opened(request: Request, source: PageSource) -> int:
    """Save an opened page with its text; return its number in the list."""
    context = context_of(request)
    task = context.task(source, read_method_query(request.query_params).select_request())
    title, text = await context.work(write, task, "text")
    title = " ".join(title.split()) or host_of(source.url) or source.name or "Untitled page"
    return await ask_list(context, lambda saved: saved.save(source, title, text.decode()))


async def show_list(request: Request) -> Response:
    """Show the pages that hold the words of ``?q=`` and have the tag of ``?tag=``."""
    return await _show(request)


async def open_page(request: Request) -> Response:
    """Open a saved page in Read, as it was when it was saved."""
    context, number = context_of(request), request.path_params["page"]
    source = await ask_list(context, lambda saved: saved.source(number))
    if source is None:
        raise HTTPException(404, "this page is not in the saved list")
    return RedirectResponse(path_of("read", context.page_cache.put(source), source), 303)


async def set_tags(request: Request) -> Response:
    """Replace the tags of a page; what cannot be stored stays in its field, with the reason."""
    context, form, number = context_of(request), form_of(request), request.path_params["page"]
    typed, was = str(form.get("tags", "")), str(form.get("was", ""))
    try:
        tags = parse_tags(typed)
        await ask_list(context, lambda saved: store_tags(saved, number, tags, was=parse_tags(was)))
    except TagConflictError as error:
        stored = ", ".join(error.stored) or "none"
        problem = f"The tags were changed elsewhere meanwhile, to: {stored}. Set yours again to"
        return await _show(request, (number, typed, f"{problem} replace them."), 409)
    except (UsageError, StorageError) as error:
        return await _show(request, (number, typed, f"Not set: {error}."), status_of(error))
    return _back(request, f"page-{number}")


async def delete_page(request: Request) -> Response:
    """Take a page from the list, and offer to put it back."""
    number = request.path_params["page"]
    await ask_list(context_of(request), lambda saved: saved.delete(number))
    return _back(request, deleted=str(number))


async def restore_page(request: Request) -> Response:
    """Put a deleted page back."""
    number = request.path_params["page"]
    await ask_list(context_of(request), lambda saved: saved.restore(number))
    return _back(request, f"page-{number}")


async def ask_list(context: AppContext, question: Callable[[SavedList], _T]) -> _T:
    """Use the list in a thread, as it may have to wait for another writer."""
    path = context.settings.data_dir / SAVED_FILE
    return await anyio.to_thread.run_sync(lambda: question(SavedList(path)))


async def _show(
    request: Request, failed: tuple[int, str, str] | None = None, status: int = 200
) -> Response:
    """Show the list, with the tags of one page as they were typed and why they were not set."""
    query = request.query_params
    words, tag = query.get("q", ""), query.get("tag", "")
    start = read_number(query.get("start", "")) or 0
    (n_found, pages), tags = await ask_list(
        context_of(request),
        lambda saved: (saved.search(words, tag, start=start, limit=_N_SHOWN), list_tags(saved)),
    )
    return render(
        request,
        "saved.html",
        status=status,
        q=words,
        tag=tag,
        tags=tags,
        pages=pages,
        n_found=n_found,
        failed=failed,
        deleted=query.get("deleted"),
        here_query=_query(request),
        feed_query=_query(request, start=None),
        max_in_book=MAX_CHAPTERS,
        earlier=_query(request, start=max(start - _N_SHOWN, 0)) if start else None,
        later=_query(request, start=start + _N_SHOWN) if start + _N_SHOWN < n_found else None,
        readable=readable_host,
        day_of=_format_day,
    )


def _back(request: Request, fragment: str = "", **more: str) -> Response:
    return RedirectResponse(list_path("/saved", _query(request, **more), fragment), 303)


def _query(request: Request, **more: object) -> str:
    """Return the query of the list that a request came from, with other values."""
    return list_query(request, ("q", "tag", "start"), **more)


def _format_day(moment: float) -> str:
    day = datetime.fromtimestamp(moment, UTC)
    return f"{day.day} {day:%B %Y}"
