"""Saved page: the list of saved pages, with shelves, search, tags and changes of many at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Final, NamedTuple, TypeVar

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.app.context import AppContext, context_of, form_of, path_with, render
from thresher.app.engine import PageSource, number_in, read_method_query, read_number
from thresher.app.pages.opening import list_query, list_steps, opened_page, path_of
from thresher.app.reading import write
from thresher.app.saved import SAVED_FILE, SHELVES, SORTS, SavedList, SavedPage
from thresher.app.saved_changes import (
    CHANGES,
    SavedHighlight,
    TagConflictError,
    add_tags,
    change_pages,
    list_highlights,
    list_tags,
    parse_tags,
    set_progress,
)
from thresher.app.saved_changes import set_tags as store_tags
from thresher.errors import StorageError, ThresherError, UsageError
from thresher.serving.pages import status_of
from thresher.support.hosts import host_of, readable_host

_T = TypeVar("_T")
MAX_CHAPTERS: Final = 200
"""Pages of a book of saved pages, at some 50 ms each."""
_N_SHOWN: Final = 50
"""Pages shown at a time."""
_ASKED: Final = ("shelf", "q", "tag", "sort", "start")
"""Names of the query's values that stay while pages of the list are changed."""
_query: Final = partial(list_query, names=_ASKED)


class Kept(NamedTuple):
    """What the list knows of a page that is read."""

    page: SavedPage | None = None
    """Its entry; None if it is not in the list."""
    highlights: tuple[SavedHighlight, ...] = ()


async def find_saved(context: AppContext, source: PageSource) -> Kept:
    """Return what the list knows of a page.

    A list that cannot be read does not keep a page from being read.
    """
    if not (context.settings.data_dir / SAVED_FILE).exists():
        return Kept()

    def find(saved: SavedList) -> Kept:
        page = saved.find(source)
        return Kept(page, list_highlights(saved, page.id)) if page else Kept()

    try:
        return await ask_list(context, find)
    except ThresherError:
        return Kept()


async def save_page(request: Request) -> Response:
    """Save an opened page with its text, and return to it."""
    name, source = await opened_page(request)
    await save_opened(request, source)
    return RedirectResponse(path_with(f"/read/{name}", request.url.query), 303)


async def save_opened(request: Request, source: PageSource) -> int:
    """Save an opened page with its text; return its number in the list."""
    context, query = context_of(request), request.query_params
    task = context.task(source, read_method_query(query).select_request())
    title, text = titled(source, *await context.work(write, task, "text"))
    number = await ask_list(context, lambda saved: saved.save(source, title, text))
    if query.get("images") == "on":  # who sees the pictures keeps them
        await ask_list(context, lambda saved: change_pages(saved, [number], "keep"))
        wake(request)
    return number


def titled(source: PageSource, title: str, text: bytes) -> tuple[str, str]:
    """Return the title and text that a page is saved with."""
    named = " ".join(title.split()) or host_of(source.url) or source.name or "Untitled page"
    return named, text.decode()


def wake(request: Request) -> None:
    """Have what is to be fetched be fetched now."""
    request.app.state.gatherer.wake()


async def saved_source(request: Request) -> PageSource:
    """Return the source of the saved page in a request's path; 404 if it is not in the list."""
    number = request.path_params["page"]
    source = await ask_list(context_of(request), lambda saved: saved.source(number))
    if source is None:
        raise HTTPException(404, "this page is not in the saved list")
    return source


async def open_page(request: Request) -> Response:
    """Open a saved page in Read, as it was when it was saved."""
    context, number = context_of(request), request.path_params["page"]
    source = await saved_source(request)
    if not source.body and source.url and source.is_fetched:
        source = await context.fetch(source.url)
        title, text = titled(source, *await context.work(write, context.task(source), "text"))
        await ask_list(context, lambda saved: saved.fill(number, source, title, text))
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
        return await show_list(request, (number, typed, f"{problem} replace them."), 409)
    except (UsageError, StorageError) as error:
        return await show_list(request, (number, typed, f"Not set: {error}."), status_of(error))
    return _back(request, f"page-{number}")


async def change(request: Request) -> Response:
    """Make the change ``do`` to each ``page`` of a form, and offer to take it back."""
    form = form_of(request)
    pages = [number for value in form.getlist("page") if (number := read_number(str(value)))]
    name, typed = str(form.get("do", "")), str(form.get("tags", ""))
    if not pages:
        raise UsageError("no page is selected")
    if name == "tag":
        tags = parse_tags(typed)
        await ask_list(context_of(request), lambda saved: add_tags(saved, pages, tags))
        return _back(request)
    changed = await ask_list(context_of(request), lambda saved: change_pages(saved, pages, name))
    if name == "keep":
        wake(request)
    has_undo = changed and CHANGES[name].undo
    fragment = "" if has_undo else f"page-{pages[0]}"
    return _back(request, fragment, did=name, pages=",".join(map(str, changed)))


async def note_progress(request: Request) -> Response:
    """Note how far a page was read, as its script says."""
    number, typed = request.path_params["page"], str(form_of(request).get("progress", ""))
    try:
        progress = float(typed)
    except ValueError:
        raise UsageError("the progress must be a number from 0 to 1") from None
    await ask_list(context_of(request), lambda saved: set_progress(saved, number, progress))
    return Response(status_code=204)


async def ask_list(context: AppContext, question: Callable[[SavedList], _T]) -> _T:
    """Use the list in a thread, as it may have to wait for another writer."""
    path = context.settings.data_dir / SAVED_FILE
    return await anyio.to_thread.run_sync(lambda: question(SavedList(path)))


async def show_list(
    request: Request, failed: tuple[int, str, str] | None = None, status: int = 200
) -> Response:
    """Show the pages of ``?shelf=`` that hold the words ``?q=`` and have the tag ``?tag=``.

    ``failed`` are the tags of one page as they were typed, and why they were not set.
    """
    query = request.query_params
    words, tag = query.get("q", ""), query.get("tag", "")
    shelf, sort = query.get("shelf", "list"), query.get("sort", "newest")
    start = number_in(query, "start") or 0
    (n_found, pages), counts, tags = await ask_list(
        context_of(request),
        lambda saved: (
            saved.search(words, tag, shelf=shelf, sort=sort, start=start, limit=_N_SHOWN),
            saved.count(),
            list_tags(saved),
        ),
    )
    changed = [number for number in query.get("pages", "").split(",") if read_number(number)]
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
        shelf=shelf,
        sort=sort,
        shelves={
            name: (label, counts[name], _query(request, shelf=name, start=None))
            for name, (label, _) in SHELVES.items()
        },
        sorts={name: label for name, (label, _) in SORTS.items()},
        changes=CHANGES,
        did=CHANGES.get(query.get("did", "")) if changed else None,
        added={name: number_in(query, name) for name in ("new", "known", "left_out")},
        changed=changed,
        here_query=_query(request),
        feed_query=_query(request, shelf=shelf, start=None),
        n_shown=_N_SHOWN,
        max_in_book=MAX_CHAPTERS,
        **list_steps(request, _ASKED, start=start, n_shown=_N_SHOWN, n_found=n_found),
        readable=readable_host,
        day_of=format_day,
    )


def _back(request: Request, fragment: str = "", **more: str) -> Response:
    return RedirectResponse(path_with("/saved", _query(request, **more), fragment), 303)


def format_day(moment: float) -> str:
    """Format the day of a moment for display."""
    day = datetime.fromtimestamp(moment, UTC)
    return f"{day.day} {day:%B %Y}"
