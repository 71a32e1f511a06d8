"""Pages of administrators: block lists, the other settings with the users, and rules of sites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from thresher.errors import StorageError, UsageError
from thresher.filters.blocklist import own_blocklist
from thresher.filters.public_lists import PUBLIC_LISTS, RECOMMENDED, PublicList, list_addresses
from thresher.filters.settings import Filters, switch_filters
from thresher.proxy.pages.context import (
    Form,
    ProxyContext,
    context_of,
    form_of,
    go_to,
    make_form,
    not_saved,
    render,
    visitor_of,
)
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import PROFILE_SETTINGS, SETTINGS, User
from thresher.sites import check_rules
from thresher.sites.rule_forms import (
    Draft,
    change_rules,
    draft_of,
    read_form,
    read_rules,
    with_problem,
)
from thresher.sites.rulebook import NO_RULES, Rulebook
from thresher.support.hosts import readable_host

_LISTED_NAMES = ("stop_requests", "list_urls", "list_hours", "never_intercept")
"""Settings on the page Lists."""
_OF_LISTS = tuple(setting for name in _LISTED_NAMES for setting in SETTINGS if setting.name == name)


async def show_lists(request: Request) -> Response:
    """Show the lists and hosts."""
    form = make_form(_OF_LISTS, context_of(request).state.settings.current)
    return _answer_lists(request, form, is_saved="saved" in request.query_params)


async def save_lists(request: Request) -> Response:
    """Save the submitted settings, or show the errors."""
    form = context_of(request).save_form(_OF_LISTS, form_of(request), visitor_of(request))
    return go_to("/lists?saved=1") if form.is_right else _answer_lists(request, form, status=422)


async def update_lists(request: Request) -> Response:
    """Update all lists now; the page shows the progress."""
    context_of(request).lists.update_now()
    return go_to("/lists")


async def take_recommended(request: Request) -> Response:
    """Add the recommended lists to those in use, and fetch them now."""
    context = context_of(request)
    settings = context.state.settings.current
    public = {public_list.url for public_list in PUBLIC_LISTS}
    others = (url for url in settings.list_urls if url not in public)
    urls = tuple(dict.fromkeys((RECOMMENDED, *others)))
    context.save(replace(settings, list_urls=urls), visitor_of(request))
    return await update_lists(request)


def offered_lists(context: ProxyContext) -> tuple[PublicList, ...]:
    """Return the public lists that are not in use."""
    used = list_addresses(context.state.settings.current.list_urls)
    return tuple(public_list for public_list in PUBLIC_LISTS if public_list.url not in used)


def _answer_lists(
    request: Request, form: Form, *, is_saved: bool = False, status: int = 200
) -> Response:
    context = context_of(request)
    return render(
        request,
        "lists.html",
        status=status,
        form=form,
        lists=[
            (item, _when(item.checked_s), _when(item.changed_s)) for item in context.lists.states
        ],
        public={item.url: item for item in PUBLIC_LISTS},
        offered=offered_lists(context),
        hours=context.state.settings.current.list_hours,
        n_own=len(own_blocklist()),
        n_all=len(context.state.blocklist),
        is_updating=context.lists.is_updating,
        is_saved=is_saved,
    )


def _when(seconds: float | None) -> str:
    return "never" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%d %b %H:%M} UTC"


_ELSEWHERE = {*_LISTED_NAMES, *(setting.name for setting in PROFILE_SETTINGS)}
"""Settings on other pages."""
_OF_NETWORK = tuple(setting for setting in SETTINGS if setting.name not in _ELSEWHERE)
_RIGHTS = {"promote": True, "demote": False}
"""Button of a user → whether the user is an administrator then."""
_FROM_START = frozenset(("network", "cost of a page"))
"""Groups with settings that take effect after a restart."""


async def show_network(request: Request) -> Response:
    """Show the settings and the users."""
    return _answer_network(
        request, _form_of(context_of(request)), saved=request.query_params.get("saved")
    )


async def save_network(request: Request) -> Response:
    """Save the submitted settings, or show the errors."""
    form = context_of(request).save_form(_OF_NETWORK, form_of(request), visitor_of(request))
    return go_to("/proxy?saved=1") if form.is_right else _answer_network(request, form, status=422)


async def save_user(request: Request) -> Response:
    """Add a user, change a password or what the user may do, or remove a user."""
    context, sent = context_of(request), form_of(request)
    try:
        users = _change_users(context, sent)
        context.save(replace(context.state.settings.current, users=users), visitor_of(request))
    except (UsageError, StorageError) as error:
        return _answer_network(request, _form_of(context), user_error=str(error), status=422)
    return go_to("/proxy?saved=user#users")


def _change_users(context: ProxyContext, sent: Mapping[str, str]) -> dict[str, User]:
    users = dict(context.state.settings.current.users)
    name = sent.get("name", "").strip()
    if sent.get("act") == "remove":
        users.pop(name, None)
        return users
    user = users.get(name)
    if user and sent.get("act") in _RIGHTS:
        users[name] = replace(user, is_admin=_RIGHTS[sent["act"]])
        return users
    hashed = hash_password(sent.get("password", ""))
    is_admin = "admin" in sent
    users[name] = replace(user, password=hashed) if user else User(hashed, is_admin=is_admin)
    return users


def _form_of(context: ProxyContext) -> Form:
    return make_form(_OF_NETWORK, context.state.settings.current)


def _answer_network(
    request: Request,
    form: Form,
    *,
    saved: str | None = None,
    user_error: str = "",
    status: int = 200,
) -> Response:
    settings = context_of(request).state.settings.current
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
        has_port=context_of(request).state.started.settings_port > 0,
        saved=saved,
        user_error=user_error,
    )


async def show_sites(request: Request) -> Response:
    """Show all hosts with rules, and a form for a new one."""
    return _answer_sites(request, Draft(host=request.query_params.get("host", "")))


async def save_site(request: Request) -> Response:
    """Save or remove the rules of one host; rules of the form for a new one join those it has."""
    context, sent = context_of(request), form_of(request)
    draft = read_form(sent)
    is_removed = sent.get("act") == "remove"
    try:
        rules = NO_RULES
        if not is_removed:
            rules = read_rules(draft, PROFILE_SETTINGS[1].choices)
            Rulebook().with_host(draft.host, rules)
            check_rules(rules.rules)
            switch_filters(Filters(), rules.filters)
        context.state.change_rules(draft.host, lambda stored: change_rules(stored, draft, rules))
    except UsageError as error:
        return _answer_sites(request, with_problem(draft, error), status=422)
    except OSError as error:
        problem = not_saved("rules", context.state.rules_path, error)
        return _answer_sites(request, with_problem(draft, problem), status=422)
    return go_to(f"/sites?{'removed' if is_removed else 'saved'}={quote(draft.host)}")


def _answer_sites(request: Request, draft: Draft, status: int = 200) -> Response:
    """Show the rules, with the submitted draft in place of the form that it comes from."""
    state = context_of(request).state
    hosts = sorted(state.rulebook.hosts.items())
    drafts = {host: draft_of(host, rules, was=rules) for host, rules in hosts}
    if draft.was:
        drafts[draft.host] = draft
    view, method = PROFILE_SETTINGS
    return render(
        request,
        "sites.html",
        status=status,
        drafts=tuple(drafts.values()),
        new=Draft() if draft.was else draft,
        readable=readable_host,
        views=view.choices,
        methods=method.choices,
        rules_path=state.rules_path,
        error=state.rules_error,
        saved=request.query_params.get("saved", ""),
        removed=request.query_params.get("removed", ""),
    )
