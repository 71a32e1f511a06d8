"""Image proxy of the reading page, so that sites do not learn about readers.

Only images that the app itself put on a page are fetched, from addresses that the fetcher allows,
and only responses that are images by their first bytes are passed on.
"""

from __future__ import annotations

import hmac
import logging
import re
from collections.abc import Sequence
from typing import Final

import anyio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from thresher.app.context import AppContext, context_of
from thresher.app.engine import Task
from thresher.app.epub import PICTURE_SUFFIXES, Picture
from thresher.app.opened_pages import PageSource
from thresher.app.pages.saved import ask_list, find_saved
from thresher.app.reading import list_pictures, sign_image
from thresher.app.saved import SavedPage
from thresher.app.saved_offline import load_pictures
from thresher.errors import ThresherError
from thresher.fetching.model import Fetched

__all__ = ["book_pictures", "fetch_pictures", "media_type_of", "show_image"]

_LOG: Final = logging.getLogger(__name__)
_MAX_BYTES: Final = 8 * 2**20
_MAX_PICTURES: Final = 200
"""Pictures of a book."""
_MAX_BOOK_BYTES: Final = 64 * 2**20
"""Bytes of all pictures of a book."""
_TIMEOUT_S: Final = 15.0
_HEADERS: Final = {
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
    found: dict[str, Picture] = {}
    left_bytes = _MAX_BOOK_BYTES

    async def fetch(url: str) -> None:
        nonlocal left_bytes
        try:
            body = (await _get(context, source, url)).body
        except ThresherError as error:
            _LOG.info("a picture is left out: %s", error)
            return
        kind = media_type_of(body)
        if kind in PICTURE_SUFFIXES and len(body) <= left_bytes:
            left_bytes -= len(body)
            found[url] = Picture(kind, body)

    async with anyio.create_task_group() as group:
        for url in urls[:_MAX_PICTURES]:
            group.start_soon(fetch, url)
    return {url: found[url] for url in urls if url in found}


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
        body = (await _get(context, source, url)).body
    kind = media_type_of(body)
    if kind is None:
        raise HTTPException(415, "this is not an image")
    return Response(body, media_type=kind, headers=_HEADERS)


async def _load_saved(context: AppContext, page: int, url: str | None = None) -> dict[str, bytes]:
    """Return the pictures that are kept with a saved page, or one of them."""
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


async def _get(context: AppContext, source: PageSource, url: str) -> Fetched:
    return await context.get(
        url,
        # A web page must not make the app access its private network.
        allow_private=not source.is_public,
        max_bytes=_MAX_BYTES,
        timeout_s=_TIMEOUT_S,
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
