"""Lists page: block lists with their update status, and hosts that are never intercepted."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response

from thresher.filters.blocklist import own_blocklist
from thresher.filters.public_lists import PUBLIC_LISTS, RECOMMENDED, PublicList, list_addresses
from thresher.proxy.pages.context import (
    ProxyContext,
    context_of,
    form_of,
    go_to,
    render,
    visitor_of,
)
from thresher.proxy.pages.fields import Form, make_form
from thresher.proxy.settings import SETTINGS

__all__ = ["NAMES", "offered_lists", "save", "show", "take_recommended", "update"]

NAMES = ("stop_requests", "list_urls", "list_hours", "never_intercept")
"""Settings on this page."""
_WANTED = tuple(each for name in NAMES for each in SETTINGS if each.name == name)


async def show(request: Request) -> Response:
    """Show the lists and hosts."""
    form = make_form(_WANTED, context_of(request).state.settings)
    return _answer(request, form, is_saved="saved" in request.query_params)


async def save(request: Request) -> Response:
    """Save the submitted settings, or show the errors."""
    form = context_of(request).save_form(_WANTED, form_of(request), visitor_of(request))
    return go_to("/lists?saved=1") if form.is_right else _answer(request, form, status=422)


async def update(request: Request) -> Response:
    """Update all lists now; the page shows the progress."""
    context = context_of(request)
    if context.lists:
        context.lists.update_now()
    return go_to("/lists")


async def take_recommended(request: Request) -> Response:
    """Add the recommended lists to those in use, and fetch them now."""
    context = context_of(request)
    settings = context.state.settings
    known = {each.url for each in PUBLIC_LISTS}
    others = (url for url in settings.list_urls if url not in known)
    urls = tuple(dict.fromkeys((RECOMMENDED, *others)))
    context.save(replace(settings, list_urls=urls), visitor_of(request))
    return await update(request)


def offered_lists(context: ProxyContext) -> tuple[PublicList, ...]:
    """Return the public lists that are not in use."""
    used = list_addresses(context.state.settings.list_urls)
    return tuple(each for each in PUBLIC_LISTS if each.url not in used)


def _answer(request: Request, form: Form, *, is_saved: bool = False, status: int = 200) -> Response:
    context = context_of(request)
    states = context.lists.states if context.lists else ()
    return render(
        request,
        "lists.html",
        status=status,
        form=form,
        lists=[(each, _when(each.checked_s), _when(each.changed_s)) for each in states],
        public={each.url: each for each in PUBLIC_LISTS},
        offered=offered_lists(context),
        hours=context.state.settings.list_hours,
        n_own=len(own_blocklist()),
        n_all=len(context.state.blocklist),
        is_updating=bool(context.lists and context.lists.is_updating),
        is_saved=is_saved,
    )


def _when(seconds: float | None) -> str:
    return "never" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%d %b %H:%M} UTC"
