"""Read page: the main content of a page, and its downloads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final
from urllib.parse import quote, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import NoMatchFound

from thresher.app.context import AppContext, context_of, render
from thresher.app.engine import Task
from thresher.app.method_form import read_method_query
from thresher.app.pages.addresses import open_again
from thresher.app.pages.images import book_pictures
from thresher.app.pages.preferences import YEAR_S
from thresher.app.pages.saved import find_saved
from thresher.app.reading import DOWNLOADS, View, read, write
from thresher.app.saved_changes import CHANGES
from thresher.errors import ThresherError, UsageError
from thresher.roles import SCOPES

__all__ = ["download", "send_file", "show_page"]

_IMAGES_COOKIE: Final = "thresher_images"
_IMAGES: Final = ("on", "off")
_OWN: Final = "same-origin"
"""The value of Sec-Fetch-Site where a form of the app was sent."""
_UNSAFE: Final = re.compile(r"[^\w.-]+")
_MAX_STEM_CHARS: Final = 80
_SCOPE_NAMES: Final[Mapping[str, str]] = {
    "auto": "Automatic",
    "article": "Article only",
    "thread": "With comments and replies",
    "page": "Whole page",
}


async def show_page(request: Request) -> Response:
    """Show a cached page; fetch it again if it has expired."""
    if (again := await open_again(request)) is not None:
        return again
    context, name = context_of(request), request.path_params["page"]
    source = context.page(name)
    chosen = request.query_params.get("images")
    kept = await find_saved(context, source)
    remembered = "on" if kept.page and kept.page.n_picture else _remembered_images(request)
    shows_images = context.settings.images and (chosen or remembered) == "on"
    task = context.task(source, read_method_query(request.query_params).select_request())
    view = await _read(context, task, f"/read/{name}/image" if shows_images else None)
    given = request.query_params
    asked = {key: value for key, value in given.items() if value and key != "removed"}
    if shows_images:
        asked["images"] = "on"  # for downloads, too
    response = render(
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
        changes=CHANGES,
        kept=kept,
        removed=given.get("removed"),
    )
    # A link from elsewhere, which may hold ?images=on, is no choice of the reader.
    if chosen in _IMAGES and request.headers.get("sec-fetch-site", _OWN) == _OWN:
        response.set_cookie(_IMAGES_COOKIE, chosen, max_age=YEAR_S, samesite="lax", httponly=True)
    return response


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
        page = (await find_saved(context, source)).page
        pictures = await book_pictures(context, source, task, page)
    title, data = await context.work(write, task, format, pictures)
    return send_file(data, title, format)


def send_file(data: bytes, title: str, format: str) -> Response:
    """Send a file in a format of `DOWNLOADS`, named after its title."""
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


async def _read(context: AppContext, task: Task, image_base: str | None) -> View:
    """Read a page in a worker process, and count the outcome."""
    try:
        view = await context.work(read, task, image_base, context.key)
    except (ThresherError, HTTPException) as error:
        context.metrics.pages[type(error).__name__] += 1
        raise
    context.metrics.pages[view.verdict] += 1
    return view


def _remembered_images(request: Request) -> str | None:
    """Return what the reader chose last, None if nothing."""
    return request.cookies.get(_IMAGES_COOKIE)


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
