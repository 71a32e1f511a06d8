"""Opening of pages in Read, Inspect and Compare: by address, as a file, as HTML, or a sample.

Opened pages are cached by id, so that other views do not fetch them again. Their addresses in the
app hold the address that a page was fetched from, so a link can be shared, and works after a
restart or when the page is no longer cached.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

import anyio.to_thread
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from thresher.app.context import context_of, form_of, is_for_programs, path_with, render
from thresher.app.engine import PageSource
from thresher.errors import InputError, LimitError, ThresherError
from thresher.serving.pages import status_of

_HAS_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def complete_address(typed: str) -> str:
    """Add the default scheme to an address typed without one."""
    return typed if _HAS_SCHEME.match(typed) else f"https://{typed}"


def path_of(view: str, name: str, source: PageSource) -> str:
    """Return the path of a cached page in a view, such as ``read``."""
    return path_with(f"/{view}/{quote(name)}", shared_query(source))


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


Handler = Callable[[Request], Awaitable[Response]]

_LEADS: Final[Mapping[str, str]] = {
    "read": "Thresher extracts the main content of a web page and removes the rest.",
    "inspect": (
        "See which blocks of a page were kept or dropped, and why. Add rules to correct the result"
        " for a whole site."
    ),
    "compare": "See what two methods keep of a page, and what only one of them keeps.",
}
"""View → what it is for."""
_SAMPLE: Final = Path(__file__).parents[1] / "sample.html"


async def open_address(request: Request) -> Response:
    """Fetch the page at ``?url=`` and show it; for the bookmarklet and for links."""
    url = request.query_params.get("url", "").strip()
    if url:
        return await _open(request, await_url=url)
    return RedirectResponse("/", 303) if _view_of(request) == "read" else await show_form(request)


async def open_form(request: Request) -> Response:
    """Open the input of the form: HTML, else a file, else an address.

    The script of the form gets the path of the page as JSON, or the reason why there is none.
    """
    form = form_of(request)
    url = str(form.get("url", "")).strip()
    try:
        source = await _read_form(form)
    except InputError as error:
        return await show_form(request, url, str(error), status_of(error))
    if source is None and not url:
        return await show_form(request, url, "Enter an address, choose a file or paste HTML.", 400)
    return await _open(request, source, await_url=url)


async def open_sample(request: Request) -> Response:
    """Open a page that is made to show what is kept and what is not."""
    view = str(request.path_params["view"])
    source = PageSource(_SAMPLE.read_bytes(), name="sample.html")
    name = context_of(request).page_cache.put(source)
    return RedirectResponse(path_of(view if view in _LEADS else "read", name, source), 303)


def opening_again(show: Handler) -> Handler:
    """Wrap a view of cached pages: one that has expired is fetched again, if it has an address.

    Where a page cannot be read, the form that it came from is shown, with the address and the HTML
    that were typed. Other errors pass.
    """

    async def show_or_offer(request: Request) -> Response:
        try:
            return await _open_again(request) or await show(request)
        except (InputError, LimitError) as error:
            source = context_of(request).page_cache.get(str(request.path_params["page"]))
            if source is None:
                raise
            pasted = source.body if isinstance(source.body, str) else ""
            again = f" Choose {source.name} again, or another file." if source.name else ""
            problem, url = f"{error}.{again}", source.url or ""
            return await show_form(request, url, problem, status_of(error), html=pasted)

    return show_or_offer


async def _open_again(request: Request) -> Response | None:
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


async def show_form(
    request: Request,
    url: str = "",
    problem: str | None = None,
    status: int = 200,
    *,
    html: str = "",
) -> Response:
    """Show the form of a view with the submitted address and HTML, and an error message."""
    if problem and is_for_programs(request):
        error = {"type": "Problem", "message": problem, "status": status}
        return JSONResponse({"error": error}, status)
    target = request.url_for("open_address")
    view = _view_of(request)
    return render(
        request,
        "start.html" if view == "read" else "open.html",
        status=status,
        lead=_LEADS[view],
        action=f"/{view}",
        verb=view.capitalize(),
        url=url,
        html=html,
        problem=problem,
        bookmarklet=f"javascript:location.href='{target}?url='+encodeURIComponent(location.href)",
    )


async def _open(
    request: Request, source: PageSource | None = None, *, await_url: str = ""
) -> Response:
    """Cache a page, fetching it first if only its address is known, and redirect to it."""
    context = context_of(request)
    try:
        if source is None:
            source = await context.fetch(complete_address(await_url))
    except ThresherError as error:
        context.metrics.pages[type(error).__name__] += 1
        return await show_form(request, await_url, f"{error}.", status_of(error))
    name = context.page_cache.put(source)
    path = path_of(_view_of(request), name, source)
    if is_for_programs(request):
        return JSONResponse({"path": path})
    return RedirectResponse(path, 303)


async def _read_form(form: FormData) -> PageSource | None:
    url, html, file = str(form.get("url", "")).strip(), form.get("html"), form.get("file")
    base = complete_address(url) if url else None
    if isinstance(html, str) and html.strip():
        return PageSource(html, base)
    if isinstance(file, UploadFile) and file.filename:
        body = await file.read()
        return await anyio.to_thread.run_sync(PageSource.of_file, body, base, file.filename)
    return None


def _view_of(request: Request) -> str:
    """Return the view that a form opens pages in, with which its path begins."""
    return request.url.path.strip("/").partition("/")[0] or "read"
