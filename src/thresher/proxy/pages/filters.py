"""Filters page, for everyone or one user, and export and import of settings as TOML files."""

from __future__ import annotations

from collections.abc import Mapping
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
    context_of,
    form_of,
    go_to,
    make_form,
    not_saved,
    read_form,
    read_upload,
    render,
    send_download,
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
from thresher.sites.rulebook import NO_RULES, HostRules

_WANTED = (*PROFILE_SETTINGS, *SETTINGS)


def make_profile_form(profile: Profile) -> Form:
    """Build the form of a profile: view, method and all filters."""
    return make_form(_WANTED, profile, profile.filters)


def profile_from(form: Form) -> Profile:
    """Return the profile of a valid form."""
    values = dict(form.values)
    view, method = (values.pop(setting.name) for setting in PROFILE_SETTINGS)
    return Profile(view, method, Filters(**values))


def read_profile(sent: Mapping[str, str]) -> Form:
    """Read the form of a profile."""
    return read_form(_WANTED, sent)


async def show(request: Request) -> Response:
    """Show the default filters, or those of one user."""
    user = _user_of(request, request.query_params)
    form = make_profile_form(context_of(request).state.settings.current.profile_of(user))
    return _answer(request, form, user, is_saved="saved" in request.query_params)


async def save(request: Request) -> Response:
    """Save the submitted filters, or show the errors."""
    sent = form_of(request)
    user = _user_of(request, sent)
    form = read_profile(sent)
    if not form.is_right:
        return _answer(request, form, user, status=422)
    try:
        context_of(request).save_profile(user, profile_from(form))
    except StorageError as error:
        return _answer(request, form.blame(error), user, status=422)
    return go_to(_path_of(user, "saved=1"))


async def reset(request: Request) -> Response:
    """Reset a user to the default profile, or the default profile to the shipped defaults."""
    user = _user_of(request, form_of(request))
    context_of(request).save_profile(user, None)
    return go_to(_path_of(user, "saved=1"))


async def send_file(request: Request) -> Response:
    """Send the profile of a user, and what they chose for single sites, as a file."""
    user = _named_user(request, request.query_params)
    settings = context_of(request).state.settings.current
    text = write_profile(settings.profile_of(user), settings.users[user].book)
    return send_download(text, "profile.toml")


async def take_file(request: Request) -> Response:
    """Replace the profile of a user, and what they chose for single sites, by an imported file."""
    context, text = context_of(request), ""
    user = _named_user(request, form_of(request))
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
    store = context_of(request).state.settings
    owner = store.current.user_of(user)
    return render(
        request,
        "filters.html",
        status=status,
        form=form,
        user=user,
        users=sorted(store.current.users),
        has_profile=bool(owner and owner.profile),
        is_saved=is_saved,
        problem=problem,
        text=text,
        # Only the command line knows such a user, so nothing about them is saved.
        is_of_run=user in store.of_run.users and user not in store.stored.users,
    )


def _user_of(request: Request, sent: Mapping[str, str]) -> str | None:
    """Return the user whose filters are meant: the visitor, or one named by the administrator."""
    users, visitor = context_of(request).state.settings.current.users, visitor_of(request)
    if not visitor.is_admin:
        if visitor.user not in users:
            raise HTTPException(403, "this user no longer exists")
        return visitor.user
    asked = sent.get("user", "")
    if asked and asked not in users:
        raise HTTPException(404, f"there is no user {quote(asked)}")
    return asked or None


def _named_user(request: Request, sent: Mapping[str, str]) -> str:
    user = _user_of(request, sent)
    if user is None:
        raise HTTPException(404, "the common profile is part of the settings, on the page Files")
    return user


def _path_of(user: str | None, query: str) -> str:
    return f"/filters?{f'user={quote(user)}&' if user else ''}{query}"


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
    return send_download(text, name)


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
            rules = book.hosts.get(host, NO_RULES)
            context.state.change_rules(host, partial(_exchange, rules))
    except OSError as error:
        raise not_saved("rules", context.state.rules_path, error) from error
