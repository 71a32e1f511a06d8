"""Filters page, for everyone or one user, and export and import of settings as TOML files."""

from __future__ import annotations

from functools import partial
from typing import Final
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from thresher.errors import StorageError, UsageError
from thresher.filters.settings import SETTINGS, Filters
from thresher.proxy.pages.context import (
    Form,
    ProxyContext,
    Visitor,
    context_of,
    form_of,
    go_to,
    make_form,
    not_saved,
    read_form,
    read_upload,
    render,
    visitor_of,
)
from thresher.proxy.settings import PROFILE_SETTINGS, Profile
from thresher.proxy.settings_store import (
    parse_profile,
    parse_settings,
    write_profile,
    write_settings,
)
from thresher.sites import check_rules, parse_rulebook, write_rulebook
from thresher.sites.rulebook import HostRules

_WANTED = (*PROFILE_SETTINGS, *SETTINGS)


def make_profile_form(profile: Profile) -> Form:
    """Build the form of a profile: view, method and all filters."""
    return make_form(_WANTED, profile, profile.filters)


def profile_from(form: Form) -> Profile:
    """Return the profile of a valid form."""
    values = dict(form.values)
    view, method = (values.pop(setting.name) for setting in PROFILE_SETTINGS)
    return Profile(view, method, Filters(**values))


def read_profile(sent: dict[str, str]) -> Form:
    """Read the form of a profile."""
    return read_form(_WANTED, sent)


async def show(request: Request) -> Response:
    """Show the default filters, or those of one user."""
    context, visitor = context_of(request), visitor_of(request)
    user = _user_of(request.query_params.get("user", ""), context, visitor)
    form = make_profile_form(context.state.settings.current.profile_of(user))
    return _answer(request, form, user, is_saved="saved" in request.query_params)


async def save(request: Request) -> Response:
    """Save the submitted filters, or show the errors."""
    context, visitor, sent = context_of(request), visitor_of(request), form_of(request)
    user = _user_of(sent.get("user", ""), context, visitor)
    form = read_profile(dict(sent))
    if not form.is_right:
        return _answer(request, form, user, status=422)
    try:
        context.save_profile(user, profile_from(form))
    except StorageError as error:
        return _answer(request, form.blame(error), user, status=422)
    return go_to(_path_of(user, "saved=1"))


async def reset(request: Request) -> Response:
    """Reset a user to the default profile, or the default profile to the shipped defaults."""
    context, visitor, sent = context_of(request), visitor_of(request), form_of(request)
    user = _user_of(sent.get("user", ""), context, visitor)
    context.save_profile(user, None)
    return go_to(_path_of(user, "saved=1"))


async def send_file(request: Request) -> Response:
    """Send the profile of a user, and what they chose for single sites, as a file."""
    context = context_of(request)
    user = _named_user(request.query_params.get("user", ""), request)
    settings = context.state.settings.current
    text = write_profile(settings.profile_of(user), settings.users[user].book)
    headers = {"Content-Disposition": 'attachment; filename="profile.toml"'}
    return Response(text, media_type="application/toml", headers=headers)


async def take_file(request: Request) -> Response:
    """Replace the profile of a user, and what they chose for single sites, by an imported file."""
    context, sent, text = context_of(request), form_of(request), ""
    user = _named_user(sent.get("user", ""), request)
    default = context.state.settings.current.profile_of(None)
    try:
        text = await read_upload(request)
        context.save_profile(user, *parse_profile(text, default))
    except (UsageError, StorageError) as error:
        form = make_profile_form(context.state.settings.current.profile_of(user))
        return _answer(request, form, user, problem=str(error), text=text, status=422)
    return go_to(_path_of(user, "saved=1"))


def _answer(
    request: Request,
    form: Form,
    user: str | None,
    *,
    is_saved: bool = False,
    problem: str = "",
    text: str = "",
    status: int = 200,
) -> Response:
    settings = context_of(request).state.settings.current
    owner = settings.user_of(user)
    return render(
        request,
        "filters.html",
        status=status,
        form=form,
        user=user,
        users=sorted(settings.users),
        has_profile=bool(owner and owner.profile),
        is_saved=is_saved,
        problem=problem,
        text=text,
        is_of_run=_is_of_run(user, context_of(request)),
    )


def _user_of(asked: str, context: ProxyContext, visitor: Visitor) -> str | None:
    """Return the user whose filters are meant: the visitor, or one named by the administrator."""
    if not visitor.is_admin:
        if visitor.user not in context.state.settings.current.users:
            raise HTTPException(403, "this user no longer exists")
        return visitor.user
    if asked and asked not in context.state.settings.current.users:
        raise HTTPException(404, f"there is no user {quote(asked)}")
    return asked or None


def _named_user(asked: str, request: Request) -> str:
    user = _user_of(asked, context_of(request), visitor_of(request))
    if user is None:
        raise HTTPException(404, "the common profile is part of the settings, on the page Files")
    return user


def _path_of(user: str | None, query: str) -> str:
    return f"/filters?{f'user={quote(user)}&' if user else ''}{query}"


def _is_of_run(user: str | None, context: ProxyContext) -> bool:
    """Return whether only the command line knows a user, so nothing about them is saved."""
    state = context.state
    return user in state.settings.of_run.users and user not in state.settings.stored.users


_SETTINGS, _RULES = "proxy.toml", "rules.toml"
_NAMES: Final = (_SETTINGS, _RULES)


async def show_files(
    request: Request,
    *,
    errors: dict[str, str] | None = None,
    text: dict[str, str] | None = None,
    status: int = 200,
) -> Response:
    """Show the paths of the files, and the import forms."""
    state = context_of(request).state
    return render(
        request,
        "files.html",
        status=status,
        files=(
            (_SETTINGS, "Settings", state.settings.path, bool(state.settings.current.users)),
            (_RULES, "Site rules", state.rules_path, False),
        ),
        errors=errors or {},
        text=text or {},
        saved=request.query_params.get("saved", ""),
    )


async def send_settings(request: Request) -> Response:
    """Export one of the files."""
    name, state = request.path_params["name"], context_of(request).state
    if name not in _NAMES:
        raise HTTPException(404, "there is no such file")
    is_settings = name == _SETTINGS
    text = write_settings(state.settings.stored) if is_settings else write_rulebook(state.rulebook)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/toml", headers=headers)


async def take_settings(request: Request) -> Response:
    """Replace the settings or rules by an imported file, if it is valid."""
    name, context = request.path_params["name"], context_of(request)
    if name not in _NAMES:
        raise HTTPException(404, "there is no such file")
    text = ""
    try:
        text = await read_upload(request)
        if name == _SETTINGS:
            context.save(parse_settings(text), visitor_of(request), is_file=True)
        else:
            _replace_rules(context, text)
    except (UsageError, StorageError) as error:
        return await show_files(request, errors={name: str(error)}, text={name: text}, status=422)
    return go_to(f"/files?saved={name}")


def _exchange(rules: HostRules, before: HostRules) -> HostRules:
    return rules


def _replace_rules(context: ProxyContext, text: str) -> None:
    book = parse_rulebook(text)
    for rules in book.hosts.values():
        check_rules(rules.rules)
    try:
        for host in {**context.state.rulebook.hosts, **book.hosts}:
            rules = book.hosts.get(host, HostRules())
            context.state.change_rules(host, partial(_exchange, rules))
    except OSError as error:
        raise not_saved("rules", context.state.rules_path, error) from error
