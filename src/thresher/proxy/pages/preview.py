"""Preview page: one page before and after, with unsaved settings of a form."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final
from urllib.parse import urlsplit

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from thresher.errors import ThresherError, UsageError
from thresher.proxy.list_updates import fetch_as_proxy
from thresher.proxy.pages.before_after import FRAME_POLICY, Preview, preview
from thresher.proxy.pages.context import (
    PreviewPage,
    ProxyContext,
    Visitor,
    context_of,
    form_of,
    render,
    visitor_of,
)
from thresher.proxy.pages.fields import Form
from thresher.proxy.pages.filters import make_profile_form, profile_from, read_profile
from thresher.proxy.rewrite_model import ReceivedPage, RewriteOptions
from thresher.sites.rulebook import HostRules

_HTML: Final = "text/html; charset=utf-8"
_PASTED: Final = "http://pasted.invalid/"
"""Address of pasted HTML (RFC 2606, section 2: reserved)."""
_FETCH_S: Final = 20.0


async def show(request: Request) -> Response:
    """Show the form with the current settings."""
    context, visitor = context_of(request), visitor_of(request)
    asked = request.query_params
    user = asked.get("user", "") if visitor.is_admin else visitor.user
    form = make_profile_form(context.state.settings.current.profile_of(user))
    return _answer(request, form, {"url": asked.get("url", ""), "user": user or ""})


async def run(request: Request) -> Response:
    """Show a page before and after rewriting with the settings of the form."""
    context, visitor, sent = context_of(request), visitor_of(request), form_of(request)
    form = read_profile(dict(sent))
    if not form.is_right:
        return _answer(request, form, sent, status=422)
    try:
        name, page = await _page_of(sent, context, visitor)
        settings = context.state.settings.current
        rules = HostRules(context.state.rules_of(visitor.user, page.page.url).rules)
        shown = await context.pool.run(
            preview,
            page.page,
            profile_from(form),
            rules,
            context.state.list_file,
            RewriteOptions(deadline_s=settings.deadline_s, sites=settings.site_folder),
        )
    except ThresherError as error:
        return _answer(request, form, sent, error=str(error), status=422)
    keep = partial(_keep, context, visitor, page.page.url)
    frames = (keep(shown.before), keep(shown.after))
    return _answer(request, form, {**sent, "page": name}, shown=shown, frames=frames)


async def send_page(request: Request) -> Response:
    """Send a page for its frame."""
    context, visitor = context_of(request), visitor_of(request)
    page = context.preview_cache.get(request.path_params["name"], visitor.user or "")
    if page is None:
        raise HTTPException(404, "this preview has expired; show it again")
    headers = {
        "Content-Security-Policy": FRAME_POLICY,
        "Referrer-Policy": "no-referrer",
        "X-Frame-Options": "SAMEORIGIN",
    }
    return Response(page.page.body, media_type=page.page.content_type, headers=headers)


async def _page_of(
    sent: Mapping[str, str], context: ProxyContext, visitor: Visitor
) -> tuple[str, PreviewPage]:
    """Return the page of a form and its cached name; reuse a page fetched for the same address."""
    url, html = sent.get("url", "").strip(), sent.get("html", "")
    owner = visitor.user or ""
    if html.strip():
        page = ReceivedPage(html.encode("utf-8", "replace"), _HTML, url or _PASTED)
        return "", PreviewPage(owner, page)
    if not url:
        raise UsageError("enter the address of a page, or paste its HTML")
    url = url if "://" in url else f"https://{url}"
    if urlsplit(url).scheme not in ("http", "https"):
        raise UsageError("the address must start with http:// or https://")
    known = context.preview_cache.get(sent.get("page", ""), owner)
    if known and known.requested_url == url:
        return sent["page"], known
    page = await _fetch(url, context, visitor)
    return context.preview_cache.put(page), page


async def _fetch(url: str, context: ProxyContext, visitor: Visitor) -> PreviewPage:
    call = partial(
        fetch_as_proxy,
        context.state,
        url,
        timeout_s=_FETCH_S,
        max_bytes=context.state.settings.current.max_bytes,
        # Users must not reach the private network of the proxy.
        allow_private=visitor.is_admin,
    )
    fetched = await anyio.to_thread.run_sync(call, limiter=context.fetches)
    charset = f"; charset={fetched.http_charset}" if fetched.http_charset else ""
    page = ReceivedPage(fetched.body, f"text/html{charset}", fetched.url)
    return PreviewPage(visitor.user or "", page, url)


def _keep(context: ProxyContext, visitor: Visitor, url: str, body: bytes) -> str:
    return context.preview_cache.put(
        PreviewPage(visitor.user or "", ReceivedPage(body, _HTML, url))
    )


def _answer(
    request: Request,
    form: Form,
    sent: Mapping[str, str],
    *,
    shown: Preview | None = None,
    frames: tuple[str, str] = ("", ""),
    error: str = "",
    status: int = 200,
) -> Response:
    removed = sorted(shown.removed.items(), key=lambda item: -item[1]) if shown else ()
    return render(
        request,
        "preview.html",
        status=status,
        form=form,
        user=sent.get("user", ""),
        url=sent.get("url", ""),
        html=sent.get("html", ""),
        page=sent.get("page", ""),
        shown=shown,
        frames=frames,
        removed=removed,
        error=error,
    )
