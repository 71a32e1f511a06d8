"""The saved list from and to other programs: imports, RSS, OPDS, books, bookmarks, archives."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import mkstemp
from typing import Any, Final
from urllib.parse import urlencode

from starlette.background import BackgroundTask
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from thresher.app.context import AppContext, context_of, form_of, map_all
from thresher.app.engine import number_in
from thresher.app.epub import Chapter, say_missing, write_collection
from thresher.app.imports import read_imports
from thresher.app.pages.feeds import ask_feeds
from thresher.app.pages.read import book_pictures, send_file
from thresher.app.pages.saved import MAX_CHAPTERS, ask_list, find_saved, saved_source, wake
from thresher.app.reading import write, write_chapter
from thresher.app.saved import SavedList, SavedPage
from thresher.app.saved_changes import list_highlights, write_highlights
from thresher.app.saved_files import (
    CATALOG_TYPE,
    add_pages,
    write_archive,
    write_bookmarks,
    write_catalog,
    write_feed,
)
from thresher.errors import ThresherError, UsageError

_N_IN_FEED: Final = 500
"""Pages in a feed, or in a part of a catalog: some 300 kB."""
_N_AT_ONCE: Final = 4
"""Pages of a book that are read at a time, so that other requests are answered meanwhile."""


async def show_feed(request: Request) -> Response:
    """Send the pages of a search as an RSS feed, the latest only."""
    _, pages = await _search(request, _N_IN_FEED)
    home = str(request.url_for("saved"))
    return Response(write_feed(pages, home), media_type="application/rss+xml")


async def show_catalog(request: Request) -> Response:
    """Send the pages of a search as an OPDS catalog, in parts."""
    start = number_in(request.query_params, "start") or 0
    n_found, pages = await _search(request, _N_IN_FEED, start)
    further = None
    if start + _N_IN_FEED < n_found:
        further = str(request.url.include_query_params(start=start + _N_IN_FEED))
    text = write_catalog(pages, str(request.url_for("saved")), str(request.url), further)
    return Response(text, media_type=CATALOG_TYPE)


async def download_book(request: Request) -> Response:
    """Send a saved page as a book."""
    context, source = context_of(request), await saved_source(request)
    task, page = context.task(source), (await find_saved(context, source)).page
    pictures = None
    if page and page.n_picture:
        pictures = await book_pictures(context, source, task, page)
    title, data = await context.work(write, task, "epub", pictures)
    return send_file(data, title, "epub")


async def download_collection(request: Request) -> Response:
    """Send the pages of a search as one book, the latest only."""
    context = context_of(request)
    _, pages = await _search(request, MAX_CHAPTERS)
    if not pages:
        raise HTTPException(404, "no saved page is found, so there is nothing to put into a book")
    tag = request.query_params.get("tag", "")
    title = f"Saved pages: {tag}" if tag else "Saved pages"
    chapters = await map_all(partial(_read_chapter, context), pages, _N_AT_ONCE)
    changed = datetime.fromtimestamp(max(page.saved_at for page in pages), UTC)
    return send_file(write_collection(title, chapters, changed), title, "epub")


async def download_bookmarks(request: Request) -> Response:
    """Send the pages of a search as browsers write their bookmarks."""
    _, pages = await _search(request, -1)
    headers = {"Content-Disposition": 'attachment; filename="bookmarks.html"'}
    return Response("".join(write_bookmarks(pages)), media_type="text/html", headers=headers)


async def download_all(request: Request) -> Response:
    """Send the whole list as an archive, written to a file first: it can be large."""
    descriptor, name = mkstemp(suffix=".zip")
    path = Path(name)

    def write_file(saved: SavedList) -> None:
        with os.fdopen(descriptor, "wb") as file:
            write_archive(saved, file)

    try:
        await ask_list(context_of(request), write_file)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return FileResponse(
        path,
        media_type="application/zip",
        filename="saved.zip",
        background=BackgroundTask(path.unlink, missing_ok=True),
    )


async def import_pages(request: Request) -> Response:
    """Add the pages of an uploaded file, and its feeds; say what was added."""
    context, form = context_of(request), form_of(request)
    file = form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        raise UsageError("choose a file to import")
    imported = await context.work(read_imports, await file.read())
    is_wanted = form.get("keep") == "on"
    n_new, n_known = await ask_list(
        context, lambda saved: add_pages(saved, imported.pages, is_wanted=is_wanted)
    )
    if is_wanted:
        wake(request)
    if imported.feeds:
        n_feed, n_known_feed = await ask_feeds(context, lambda feeds: feeds.add(imported.feeds))
        wake(request)
        if not imported.pages:
            return RedirectResponse(f"/feeds?new={n_feed}&known={n_known_feed}", 303)
    said = {"shelf": "all", "new": n_new, "known": n_known, "left_out": imported.n_left_out}
    return RedirectResponse(f"/saved?{urlencode(said)}", 303)


async def download_highlights(request: Request) -> Response:
    """Send the highlights of a search, or of the page of ``?page=``, as Markdown."""
    only = number_in(request.query_params, "page")

    def find(saved: SavedList) -> str:
        _, pages = saved.search(**_asked(request))
        return write_highlights(
            (page, list_highlights(saved, page.id))
            for page in pages
            if only is None or page.id == only
        )

    headers = {"Content-Disposition": 'attachment; filename="highlights.md"'}
    text = await ask_list(context_of(request), find)
    return Response(text, media_type="text/markdown", headers=headers)


async def _search(
    request: Request, limit: int, start: int = 0
) -> tuple[int, tuple[SavedPage, ...]]:
    asked = _asked(request)
    return await ask_list(
        context_of(request), lambda saved: saved.search(**asked, start=start, limit=limit)
    )


def _asked(request: Request) -> dict[str, Any]:
    """Return the words, tag, shelf and order of a request for pages; all pages without any."""
    query = request.query_params
    names = {"q": "words", "tag": "tag", "shelf": "shelf", "sort": "sort"}
    return {name: query[given] for given, name in names.items() if given in query}


async def _read_chapter(context: AppContext, page: SavedPage) -> Chapter:
    """Read a saved page; one that cannot be read is not left out in silence."""
    try:
        source = await ask_list(context, lambda saved: saved.source(page.id))
        if source is None:
            return say_missing(page.title, "it was deleted meanwhile")
        if page.is_link:
            return say_missing(page.title, "it has not been fetched")
        return await context.wait_and_work(write_chapter, context.task(source))
    except ThresherError as error:
        return say_missing(page.title, str(error))
