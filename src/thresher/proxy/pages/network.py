"""Proxy page: the remaining settings, and the users."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from thresher.errors import StorageError, UsageError
from thresher.proxy.pages import lists
from thresher.proxy.pages.context import (
    ProxyContext,
    context_of,
    form_of,
    go_to,
    render,
    visitor_of,
)
from thresher.proxy.pages.fields import Form, make_form
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import PROFILE_SETTINGS, SETTINGS, User

__all__ = ["save", "save_user", "show"]

_ELSEWHERE = {*lists.NAMES, *(each.name for each in PROFILE_SETTINGS)}
"""Settings on other pages."""
_WANTED = tuple(each for each in SETTINGS if each.name not in _ELSEWHERE)
_RIGHTS = {"promote": True, "demote": False}
"""Button of a user → whether the user is an administrator then."""
_FROM_START = frozenset(("network", "cost of a page"))
"""Groups with settings that take effect after a restart."""


async def show(request: Request) -> Response:
    """Show the settings and the users."""
    return _answer(request, _form_of(context_of(request)), saved=request.query_params.get("saved"))


async def save(request: Request) -> Response:
    """Save the submitted settings, or show the errors."""
    form = context_of(request).save_form(_WANTED, form_of(request), visitor_of(request))
    return go_to("/proxy?saved=1") if form.is_right else _answer(request, form, status=422)


async def save_user(request: Request) -> Response:
    """Add a user, change a password or what the user may do, or remove a user."""
    context, sent = context_of(request), form_of(request)
    try:
        users = _change_users(context, sent)
        context.save(replace(context.state.settings, users=users), visitor_of(request))
    except (UsageError, StorageError) as error:
        return _answer(request, _form_of(context), user_error=str(error), status=422)
    return go_to("/proxy?saved=user#users")


def _change_users(context: ProxyContext, sent: Mapping[str, str]) -> dict[str, User]:
    users = dict(context.state.settings.users)
    name = sent.get("name", "").strip()
    if sent.get("act") == "remove":
        users.pop(name, None)
        return users
    known = users.get(name)
    if known and sent.get("act") in _RIGHTS:
        users[name] = replace(known, is_admin=_RIGHTS[sent["act"]])
        return users
    hashed = hash_password(sent.get("password", ""))
    is_admin = "admin" in sent
    users[name] = replace(known, password=hashed) if known else User(hashed, is_admin=is_admin)
    return users


def _form_of(context: ProxyContext) -> Form:
    return make_form(_WANTED, context.state.settings)


def _answer(
    request: Request,
    form: Form,
    *,
    saved: str | None = None,
    user_error: str = "",
    status: int = 200,
) -> Response:
    settings = context_of(request).state.settings
    users = [
        (name, user.profile is not None, user.is_admin)
        for name, user in sorted(settings.users.items())
    ]
    return render(
        request,
        "proxy.html",
        status=status,
        form=form,
        users=users,
        from_start=_FROM_START,
        has_port=context_of(request).started.settings_port > 0,
        saved=saved,
        user_error=user_error,
    )
