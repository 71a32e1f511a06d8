"""Read page: open a page by address, as a file or as HTML, and show its main content.

Opened pages are cached by id, so that other views do not fetch them again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final
from urllib.parse import quote, urlencode

import anyio.to_thread
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import NoMatchFound

from thresher.algorithms.learned import SCOPES
from thresher.app.context import AppContext, context_of, form_of, render
from thresher.app.engine import Task
from thresher.app.method_form import read_method_query
from thresher.app.opened_pages import PageSource
from thresher.app.pages.addresses import open_again, path_of
from thresher.app.pages.images import fetch_pictures
from thresher.app.pages.start import show_start_again
from thresher.app.problems import status_of
from thresher.app.reading import DOWNLOADS, View, list_pictures, read, write
from thresher.errors import InputError, ThresherError, UsageError

__all__ = ["download", "open_address", "open_form", "show_page"]

_UNSAFE: Final = re.compile(r"[^\w.-]+")
_MAX_STEM_CHARS: Final = 80
_HAS_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_SCOPE_NAMES: Final[Mapping[str, str]] = {
    "auto": "Automatic",
    "article": "Article only",
    "thread": "With comments and replies",
    "page": "Whole page",
}


async def open_address(request: Request) -> Response:
    """Fetch the page at ``?url=`` and show it; for the bookmarklet and for links."""
    url = request.query_params.get("url", "").strip()
    if not url:
        return RedirectResponse("/", 303)
    return await _open(request, await_url=url)


async def open_form(request: Request) -> Response:
    """Open the input of the start form: HTML, else a file, else an address."""
    form = form_of(request)
    url = str(form.get("url", "")).strip()
    try:
        source = await _read_form(form)
    except InputError as error:
        return show_start_again(request, url, str(error), status_of(error))
    if source is None and not url:
        return show_start_again(request, url, "Enter an address, choose a file or paste HTML.", 400)
    return await _open(request, source, await_url=url)


async def show_page(request: Request) -> Response:
    """Show a cached page; fetch it again if it has expired."""
    if (again := await open_again(request)) is not None:
        return again
    context, name = context_of(request), request.path_params["page"]
    source = context.page(name)
    shows_images = context.settings.images and request.query_params.get("images") == "on"
    task = context.task(source, read_method_query(request.query_params).select_request())
    view = await _read(context, task, f"/read/{name}/image" if shows_images else None)
    asked = {key: value for key, value in request.query_params.items() if value}
    return render(
        request,
        "read.html",
        page=name,
        read=view,
        source=source,
        asked=asked,
        scopes={name: _SCOPE_NAMES[name] for name in SCOPES},
        downloads=DOWNLOADS,
        query=urlencode(asked),
        can_show_images=context.settings.images and view.n_image > 0,
        shows_images=shows_images,
        published=_format_date(view.published),
        modified=_format_date(view.modified),
        format_moment=_format_moment,
        inspect=_inspect_path(request, name),
    )


async def download(request: Request) -> Response:
    """Send the article as a file in ``?format=``."""
    context, format = context_of(request), request.query_params.get("format", "markdown")
    if format not in DOWNLOADS:
        raise UsageError(f"unknown format {quote(format)}; one of {', '.join(DOWNLOADS)}")
    source = context.page(request.path_params["page"])
    task = context.task(source, read_method_query(request.query_params).select_request())
    pictures = None
    with_images = context.settings.images and request.query_params.get("images") == "on"
    if format == "epub" and with_images:
        urls = await context.work(list_pictures, task)
        pictures = await fetch_pictures(context, source, urls)
    title, data = await context.work(write, task, format, pictures)
    kind = DOWNLOADS[format]
    stem = _UNSAFE.sub("-", title).strip("-.")[:_MAX_STEM_CHARS].rstrip("-.") or "article"
    plain = stem.encode("ascii", "ignore").decode().strip("-.") or "article"
    disposition = f'attachment; filename="{plain}{kind.suffix}"'
    disposition += f"; filename*=UTF-8''{quote(stem + kind.suffix)}"
    # If a browser opens the file anyway, nothing in it may run or load.
    headers = {
        "Content-Type": kind.media_type,
        "Content-Disposition": disposition,
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return Response(data, headers=headers)


async def _open(
    request: Request, source: PageSource | None = None, *, await_url: str = ""
) -> Response:
    """Cache a page, fetching it first if only its address is known, and redirect to it."""
    context = context_of(request)
    try:
        if source is None:
            source = await context.fetch(_complete_address(await_url))
    except ThresherError as error:
        context.metrics.pages[type(error).__name__] += 1
        return show_start_again(request, await_url, f"{error}.", status_of(error))
    return RedirectResponse(path_of("read", context.page_cache.put(source), source), 303)


async def _read_form(form: FormData) -> PageSource | None:
    """Return the page that a form contains; None if it has an address at most."""
    url, html, file = str(form.get("url", "")).strip(), form.get("html"), form.get("file")
    base = _complete_address(url) if url else None
    if isinstance(html, str) and html.strip():
        return PageSource(html, base)
    if isinstance(file, UploadFile) and file.filename:
        body = await file.read()
        return await anyio.to_thread.run_sync(PageSource.of_file, body, base, file.filename)
    return None


async def _read(context: AppContext, task: Task, image_base: str | None) -> View:
    """Read a page in a worker process, and count the outcome."""
    try:
        view = await context.work(read, task, image_base, context.key)
    except (ThresherError, HTTPException) as error:
        context.metrics.pages[type(error).__name__] += 1
        raise
    context.metrics.pages[view.verdict] += 1
    return view


def _complete_address(typed: str) -> str:
    """Add the default scheme to an address typed without one."""
    return typed if _HAS_SCHEME.match(typed) else f"https://{typed}"


def _format_date(stated: str | None) -> str | None:
    """Format the day of an ISO date for display."""
    if stated is None:
        return None
    try:
        day = datetime.fromisoformat(stated)
    except ValueError:
        return stated
    return f"{day.day} {day:%B %Y}"


def _format_moment(iso: str) -> str:
    """Format an ISO date, with its time of day if it states one."""
    try:
        moment = datetime.fromisoformat(iso)
    except ValueError:
        return iso
    return f"{moment.day} {moment:%B %Y, %H:%M}" if "T" in iso else f"{moment.day} {moment:%B %Y}"


def _inspect_path(request: Request, name: str) -> str | None:
    """Return the path of the Inspect page, if there is one."""
    try:
        return str(request.app.url_path_for("inspect", page=name))
    except NoMatchFound:
        return None
