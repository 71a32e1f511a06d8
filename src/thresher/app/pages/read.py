"""Read page: the main content of a page, its images, its highlights and its downloads.

Images are proxied, so that sites do not learn about readers: only those that the app itself put on
a page are fetched, from addresses that the fetcher allows, and only responses that are images by
their first bytes are passed on. Highlights are added by a script; noted, removed and put back by
forms.
"""

from __future__ import annotations

import hmac
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from types import SimpleNamespace
from typing import Final
from urllib.parse import quote, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.app.context import AppContext, context_of, form_of, map_all, path_with, render
from thresher.app.engine import PageSource, Task, number_in, read_method_query
from thresher.app.epub import PICTURE_SUFFIXES, Picture
from thresher.app.pages.opening import opened_page
from thresher.app.pages.saved import ask_list, find_saved, save_opened
from thresher.app.reading import DOWNLOADS, list_pictures, read, sign_image, write
from thresher.app.saved import SavedList, SavedPage
from thresher.app.saved_changes import (
    CHANGES,
    NewHighlight,
    add_highlight,
    load_pictures,
    note_highlight,
    remove_highlight,
    restore_highlight,
)
from thresher.errors import ThresherError, UsageError
from thresher.fetching.model import Fetched
from thresher.roles import SCOPES
from thresher.serving.pages import YEAR_S

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


async def show_article(request: Request) -> Response:
    """Show a cached page."""
    context, name = context_of(request), request.path_params["page"]
    source = context.page(name)
    chosen = request.query_params.get("images")
    kept = await find_saved(context, source)
    remembered = "on" if kept.page and kept.page.n_picture else request.cookies.get(_IMAGES_COOKIE)
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
        format_moment=partial(_format_date, with_time=True),
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


async def _read(context: AppContext, task: Task, image_base: str | None) -> SimpleNamespace:
    try:
        view = await context.work(read, task, image_base, context.key)
    except (ThresherError, HTTPException) as error:
        context.metrics.pages[type(error).__name__] += 1
        raise
    context.metrics.pages[view.verdict] += 1
    return view


def _format_date(stated: str | None, *, with_time: bool = False) -> str | None:
    """Format the day of an ISO date for display, with its time of day if it states one."""
    try:
        moment = datetime.fromisoformat(stated or "")
    except ValueError:
        return stated
    time_of_day = f"{moment:, %H:%M}" if with_time and "T" in (stated or "") else ""
    return f"{moment.day} {moment:%B %Y}{time_of_day}"


_LOG: Final = logging.getLogger(__name__)
_MAX_IMAGE_BYTES: Final = 8 * 2**20
_MAX_PICTURES: Final = 200
"""Pictures of a book."""
_MAX_BOOK_BYTES: Final = 64 * 2**20
"""Bytes of all pictures of a book."""
_IMAGE_S: Final = 15.0
_IMAGE_HEADERS: Final = {
    # An SVG image can contain scripts, and could run them if opened as a page.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cache-Control": "private, max-age=3600",
}
_SVG: Final = re.compile(rb"<svg[\s>]", re.IGNORECASE)
_SVG_START: Final = re.compile(rb"\s*<(?:\?xml|!--|!doctype|svg[\s>])", re.IGNORECASE)
_SNIFFED_BYTES: Final = 1000


async def fetch_pictures(
    context: AppContext, source: PageSource, urls: Sequence[str]
) -> dict[str, Picture]:
    """Fetch the pictures of a page, to be kept; those that cannot be had are left out."""
    left_bytes = _MAX_BOOK_BYTES

    async def fetch(url: str) -> Picture | None:
        nonlocal left_bytes
        try:
            body = (await _get_image(context, source, url)).body
        except ThresherError as error:
            _LOG.info("a picture is left out: %s", error)
            return None
        kind = media_type_of(body)
        if kind not in PICTURE_SUFFIXES or len(body) > left_bytes:
            return None
        left_bytes -= len(body)
        return Picture(kind, body)

    wanted = urls[:_MAX_PICTURES]
    pictures = zip(wanted, await map_all(fetch, wanted), strict=True)
    return {url: picture for url, picture in pictures if picture}


async def show_image(request: Request) -> Response:
    """Fetch the image at ``?url=``, if ``?proof=`` is its signature."""
    context = context_of(request)
    source = context.page(request.path_params["page"])
    url = request.query_params.get("url", "")
    proof = request.query_params.get("proof", "")
    if not context.settings.images or not hmac.compare_digest(
        proof.encode(), sign_image(url, context.key).encode()
    ):
        raise HTTPException(403, "this image is not on the page")
    # A page that is kept with its pictures asks its site for nothing.
    page = (await find_saved(context, source)).page
    if page and page.n_picture:
        body = (await _load_saved(context, page.id, url)).get(url)
        if body is None:
            raise HTTPException(404, "this image is not kept with the page")
    else:
        body = (await _get_image(context, source, url)).body
    kind = media_type_of(body)
    if kind is None:
        raise HTTPException(415, "this is not an image")
    return Response(body, media_type=kind, headers=_IMAGE_HEADERS)


async def _load_saved(context: AppContext, page: int, url: str | None = None) -> dict[str, bytes]:
    return await ask_list(context, lambda saved: load_pictures(saved, page, url))


async def book_pictures(
    context: AppContext, source: PageSource, task: Task, page: SavedPage | None
) -> dict[str, Picture]:
    """Return the pictures of a book: those that are kept with the page, else of its site."""
    if page is None or not page.n_picture:
        return await fetch_pictures(context, source, await context.work(list_pictures, task))
    kept = await _load_saved(context, page.id)
    kinds = {url: media_type_of(body) for url, body in kept.items()}
    return {
        url: Picture(kind, kept[url]) for url, kind in kinds.items() if kind in PICTURE_SUFFIXES
    }


async def _get_image(context: AppContext, source: PageSource, url: str) -> Fetched:
    return await context.get(
        url,
        # A web page must not make the app access its private network.
        allow_private=not source.is_public,
        max_bytes=_MAX_IMAGE_BYTES,
        timeout_s=_IMAGE_S,
        limiter=context.images,
    )


def media_type_of(body: bytes) -> str | None:
    """Detect the media type of an image by its first bytes (MIME Sniffing, 6.1); else None."""
    match body[:4]:
        case b"\x89PNG":
            return "image/png"
        case b"GIF8":
            return "image/gif"
        case b"RIFF" if body[8:12] == b"WEBP":
            return "image/webp"
    if body.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if body[4:12] in (b"ftypavif", b"ftypavis"):
        return "image/avif"
    head = body[:_SNIFFED_BYTES]
    return "image/svg+xml" if _SVG_START.match(head) and _SVG.search(head) else None


async def highlight_passage(request: Request) -> Response:
    """Store a passage, saving the page first if it is not saved; return the list for the script."""
    context, form = context_of(request), form_of(request)
    name, source = await opened_page(request)
    page = (await find_saved(context, source)).page
    number = page.id if page else await save_opened(request, source)
    quote, before, after = (str(form.get(part, "")) for part in ("quote", "before", "after"))
    new = NewHighlight(quote, before, after, number_in(form, "start") or 0)
    await ask_list(context, lambda saved: add_highlight(saved, number, new))
    kept = await find_saved(context, source)
    return render(
        request, "read_highlights.html", page=name, query=request.url.query, kept=kept, removed=None
    )


async def note_passage(request: Request) -> Response:
    """Store the note of a highlight."""
    text = str(form_of(request).get("note", ""))
    return await _change_highlight(
        request, lambda saved, number: note_highlight(saved, number, text), {}
    )


async def remove_passage(request: Request) -> Response:
    """Remove a highlight, and offer to put it back."""
    number = request.path_params["highlight"]
    return await _change_highlight(request, remove_highlight, {"removed": str(number)})


async def restore_passage(request: Request) -> Response:
    """Put a removed highlight back."""
    return await _change_highlight(request, restore_highlight, {})


async def _change_highlight(
    request: Request, change: Callable[[SavedList, int], None], more: dict[str, str]
) -> Response:
    number = request.path_params["highlight"]
    await ask_list(context_of(request), lambda saved: change(saved, number))
    query = str(request.url.remove_query_params("removed").include_query_params(**more).query)
    path = path_with(f"/read/{request.path_params['page']}", query, "highlights")
    return RedirectResponse(path, 303)
