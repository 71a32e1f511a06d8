"""Preview page: one page before and after, with unsaved settings of a form."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from typing import Final
from urllib.parse import urlsplit

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from thresher.analysis.links import find_base
from thresher.errors import ThresherError, UsageError
from thresher.extraction import read_page
from thresher.fetching.model import read_content_type
from thresher.page.decode import decode
from thresher.proxy.list_updates import fetch_as_proxy
from thresher.proxy.pages.context import (
    Form,
    PreviewPage,
    ProxyContext,
    Visitor,
    context_of,
    form_of,
    render,
    visitor_of,
)
from thresher.proxy.pages.filters import make_profile_form, profile_from, read_profile
from thresher.proxy.rewrite import rewrite
from thresher.proxy.rewrite_model import ReceivedPage, RewriteOptions, Rewritten
from thresher.proxy.settings import Profile
from thresher.proxy.state import ListFile
from thresher.sites.rulebook import HostRules

_FRAME_POLICY: Final = (
    "sandbox; default-src 'none'; style-src http: https: 'unsafe-inline'; img-src http: https: "
    "data:; font-src http: https: data:; media-src http: https: data:; base-uri http: https:; "
    "form-action 'none'; frame-ancestors 'self'"
)
"""Disables scripts and forms, in a frame or a window of its own: sandbox isolates the origin."""
_HEAD: Final = re.compile(r"<head\b[^<>]*>", re.IGNORECASE)
_DOCTYPE: Final = re.compile(r"\s*<!doctype[^>]*>", re.IGNORECASE)
_HEAD_CHARS: Final = 2**16
"""Characters within which the head tag is searched for."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Result of rewriting a page."""

    before: bytes
    """Original page in UTF-8, with a base element for its links."""
    after: bytes
    done: Rewritten
    """What was done, without the page."""
    n_byte: int
    """Bytes of the original page."""
    n_byte_out: int
    took_s: float


def preview(
    page: ReceivedPage,
    profile: Profile,
    rules: HostRules,
    blocklist: ListFile,
    options: RewriteOptions,
) -> Preview:
    """Rewrite a page as the proxy would, and return both versions with statistics.

    Raises InputError for non-HTML input, LimitError beyond the deadline, UsageError for invalid
    rules or an invalid site file.
    """
    started_s = time.perf_counter()
    done = rewrite(page, profile, rules, blocklist, options)
    took_s = time.perf_counter() - started_s
    charset, _ = read_content_type(page.content_type)
    base = find_base(read_page(page.body, url=page.url, http_charset=charset))
    changed = page.body if done.body is None else done.body
    changed_charset, _ = read_content_type(done.content_type or page.content_type)
    return Preview(
        _with_base(decode(page.body, http_charset=charset).text, base),
        _with_base(decode(changed, http_charset=changed_charset).text, base),
        replace(done, body=None),
        len(page.body),
        len(changed),
        took_s,
    )


def _with_base(html: str, base: str | None) -> bytes:
    """Insert a base element at the start of the head, and encode the page in UTF-8."""
    if base:
        start = _HEAD.search(html, 0, _HEAD_CHARS) or _DOCTYPE.match(html)
        at = start.end() if start else 0
        html = f'{html[:at]}<base href="{escape(base)}">{html[at:]}'
    return html.encode("utf-8", "replace")


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
    form = read_profile(sent)
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
    frames = [
        context.preview_cache.put(
            PreviewPage(visitor.user, ReceivedPage(body, _HTML, page.page.url))
        )
        for body in (shown.before, shown.after)
    ]
    return _answer(request, form, {**sent, "page": name}, shown=shown, frames=frames)


async def send_page(request: Request) -> Response:
    """Send a page for its frame."""
    context, visitor = context_of(request), visitor_of(request)
    page = context.preview_cache.get(request.path_params["name"], visitor.user)
    if page is None:
        raise HTTPException(404, "this preview has expired; show it again")
    headers = {
        "Content-Security-Policy": _FRAME_POLICY,
        "Referrer-Policy": "no-referrer",
        "X-Frame-Options": "SAMEORIGIN",
    }
    return Response(page.page.body, media_type=page.page.content_type, headers=headers)


async def _page_of(
    sent: Mapping[str, str], context: ProxyContext, visitor: Visitor
) -> tuple[str, PreviewPage]:
    url, html = sent.get("url", "").strip(), sent.get("html", "")
    if html.strip():
        pasted = ReceivedPage(html.encode("utf-8", "replace"), _HTML, url or _PASTED)
        return "", PreviewPage(visitor.user, pasted)
    if not url:
        raise UsageError("enter the address of a page, or paste its HTML")
    url = url if "://" in url else f"https://{url}"
    if urlsplit(url).scheme not in ("http", "https"):
        raise UsageError("the address must start with http:// or https://")
    cached = context.preview_cache.get(sent.get("page", ""), visitor.user)
    if cached and cached.requested_url == url:
        return sent["page"], cached
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
        headers={},
    )
    fetched = await anyio.to_thread.run_sync(call, limiter=context.fetches)
    charset = f"; charset={fetched.http_charset}" if fetched.http_charset else ""
    page = ReceivedPage(fetched.body, f"text/html{charset}", fetched.url)
    return PreviewPage(visitor.user, page, url)


def _answer(
    request: Request,
    form: Form,
    sent: Mapping[str, str],
    *,
    shown: Preview | None = None,
    frames: Sequence[str] = (),
    error: str = "",
    status: int = 200,
) -> Response:
    removed = sorted(shown.done.removed.items(), key=lambda item: -item[1]) if shown else ()
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
