"""The proxy's own address: targets of the badge's links; all other paths are the settings pages.

Any web page may link here, and its scripts can read the links of its own badge. So a link only
shows a page of the same host in another view for some minutes, and requires a token for that host;
permanent choices go through a form that only this address serves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from html import escape
from itertools import groupby
from typing import Final
from urllib.parse import urlencode

from thresher.filters.settings import SWITCHES, Filters, is_on
from thresher.proxy.navigation import is_authority, origin_of, to_path
from thresher.proxy.own_pages import (
    ORIGINS,
    PREFIX,
    Answer,
    Question,
    RefusedError,
    lead_to,
    names_site,
    read_form,
    read_link,
    read_signed,
    saving,
    write_form,
    write_page,
    write_saved,
    write_sentence,
)
from thresher.proxy.page_parts import Badge
from thresher.proxy.picker import HIDE, answer_hide
from thresher.proxy.removed_page import REMOVED
from thresher.proxy.settings import is_named, read_host
from thresher.proxy.state import ProxyState
from thresher.sites.rulebook import NO_RULES, VIEWS, HostRules
from thresher.support.hosts import host_of, is_loopback

LOCAL_PREFIX: Final = "/.well-known/thresher/"
"""Prefix of the badge's links on sites whose readers cannot reach the proxy by its name."""
_LOCAL_VIEW: Final = f"{LOCAL_PREFIX}view"
_VIEW, _REMEMBER, _PICK = f"{PREFIX}view", f"{PREFIX}remember", f"{PREFIX}pick"
_LABELS: Final[Mapping[str, str]] = {
    "original": "Show original",
    "inplace": "Show filtered page",
    "reader": "Reader view",
    "text": "Text only",
}
_OFFERED: Final = ("original", "inplace", "reader")
"""Views that the badge links to."""


def make_badge(
    state: ProxyState,
    user: str | None,
    url: str,
    shown: str,
    *,
    result: str = "",
    client_host: str = "",
    page: str = "",
) -> Badge:
    """Return the badge of a page: links to the other views, the saved choice and the settings.

    ``result`` is the name of the page in `PostResults`, if it has one, and ``page`` that in
    ``ProxyState.recent_pages``. In modes in which the proxy has no address of its own, the links to
    views lead to a path of the site, where scripts of the site could submit a form too; so
    permanent choices are made on the settings port. There the links name ``client_host``, so that a
    base that a script gives the page later cannot lead them elsewhere.
    """
    host, has_name = host_of(url), state.started.mode == "regular"
    place = f"//{client_host}" if is_authority(client_host) else ""
    base = f"{ORIGINS[0]}{_VIEW}" if has_name else f"{place}{_LOCAL_VIEW}"
    asked = url if has_name else to_path(url, origin_of(url))
    more = {"result": result} if result else {}
    links = [
        (
            _LABELS[view],
            _address(
                base, url=asked, view=view, token=state.token(user, _purpose(host, view)), **more
            ),
        )
        for view in _OFFERED
        if view != shown
    ]
    if has_name and page:
        about = {"url": url, **more}
        token = state.token(user, f"{_PICK}\0{host}")
        links += [
            ("What was removed…", _address(f"{ORIGINS[0]}{REMOVED}", page=page, **about)),
            ("Hide an element…", _address(f"{ORIGINS[0]}{_PICK}", token=token, **about)),
        ]
    if has_name:
        remember = _address(f"{ORIGINS[0]}{_REMEMBER}", url=url, view=shown)
        links += [("View and filters of this site…", remember), ("Settings", f"{ORIGINS[0]}/")]
    elif (port := state.started.settings_port) and is_loopback(state.started.listen_host):
        # Clients elsewhere could not open the port.
        settings = f"http://127.0.0.1:{port}"
        links += [
            ("Rules for this site…", _address(f"{settings}/sites", host=host)),
            ("Settings", f"{settings}/"),
        ]
    keyed = _LABELS["inplace" if shown == "reader" else "reader"]
    return Badge(tuple(links), keyed, state.settings.current.reader_key)


def answer(state: ProxyState, question: Question) -> Answer:
    """Answer a request below `PREFIX`."""
    is_there = question.path == _LOCAL_VIEW or not question.site
    method = "GET" if question.method == "HEAD" else question.method
    reply = _ANSWERS.get((method, question.path)) or _FORMS.get(question.path)
    if reply is None or not is_there:
        return write_sentence(404, "Page not found.")
    try:
        return reply(state, question)
    except RefusedError as error:
        return error.answer


def _show_temporarily(state: ProxyState, question: Question) -> Answer:
    asked = read_form(question.query)
    path, view = asked.get("url", ""), asked.get("view", "")
    url = f"{question.site}{path}" if path.startswith("/") else path
    _check_token(state, question, asked, url, _purpose(host_of(url), view))
    state.temporary_views.put(question.user, url, view)
    state.post_results.choose(question.user, asked.get("result", ""), url)
    # Readers may know the site by another address than the proxy does.
    return lead_to(to_path(url, origin_of(url)) if question.site else url)


def _check_token(
    state: ProxyState, question: Question, asked: Mapping[str, str], url: str, purpose: str
) -> None:
    if not names_site(url) or not state.is_token(asked.get("token", ""), question.user, purpose):
        raise RefusedError(
            403, "This link is invalid or has expired. Reload the page and try again."
        )


def _ask(state: ProxyState, question: Question) -> Answer:
    asked = read_link(question)
    url, shown = asked["url"], asked.get("view", "")
    book = state.book_of(question.user)
    host = book.host_for(url)
    rules = book.hosts.get(host, NO_RULES)
    chosen = rules.view or shown
    choices = {view: _LABELS[view] for view in VIEWS} | {"": "Same as other sites"}
    buttons = "".join(
        f'<label><input type="radio" name="view" value="{value}"'
        f"{' checked' if value == chosen else ''}> {escape(says)}</label>"
        for value, says in choices.items()
    )
    filters = state.settings.current.profile_of(question.user).filters
    switches = _write_switches(filters, rules.filters)
    content = f"{buttons}{switches}"
    form = write_form(state, question.user, _REMEMBER, url, content=content, button="Save")
    return write_page(
        200,
        f"<h1>{escape(host)}</h1><p>How should pages of this site be shown from now on?</p>{form}",
    )


def _remember(state: ProxyState, question: Question) -> Answer:
    asked = read_signed(state, question, _REMEMBER)
    url, view, filters = asked["url"], asked.get("view", ""), _read_switches(asked)

    def choose(rules: HostRules) -> HostRules:
        return replace(rules, view=view or None, filters=filters)

    host = state.book_of(question.user).host_for(url)
    with saving():
        state.change_choices(question.user, host, choose)
    return write_saved(url)


_FILTER_PREFIX: Final = "filter-"
_STATES: Final = {"on": True, "off": False}


def _write_switches(filters: Filters, switches: Iterable[tuple[str, bool]]) -> str:
    """Write a list for each filter: as on other sites, on or off."""
    chosen = dict(switches)
    groups = "".join(
        f"<h2>{escape(group.capitalize())}</h2>"
        + "".join(
            _write_switch(
                switch.name, switch.help, is_on(filters, switch.name), chosen.get(switch.name)
            )
            for switch in members
        )
        for group, members in groupby(SWITCHES, key=lambda switch: switch.group)
    )
    opened = " open" if chosen else ""
    return f"<details{opened}><summary>Filters on this site</summary>{groups}</details>"


def _read_switches(form: Mapping[str, str]) -> tuple[tuple[str, bool], ...]:
    """Read the filters that the form switches; others are as on other sites."""
    asked = ((switch.name, form.get(f"{_FILTER_PREFIX}{switch.name}", "")) for switch in SWITCHES)
    return tuple(sorted((name, _STATES[value]) for name, value in asked if value in _STATES))


def _write_switch(name: str, help: str, is_default_on: bool, chosen: bool | None) -> str:
    default = f"Same as other sites ({'on' if is_default_on else 'off'})"
    options = "".join(
        f'<option value="{value}"{" selected" if chosen is state else ""}>{says}</option>'
        for value, state, says in (("", None, default), ("on", True, "On"), ("off", False, "Off"))
    )
    return f'<label><select name="{_FILTER_PREFIX}{name}">{options}</select> {escape(help)}</label>'


def _start_picker(state: ProxyState, question: Question) -> Answer:
    asked = read_form(question.query)
    url, user = asked.get("url", ""), question.user
    _check_token(state, question, asked, url, f"{_PICK}\0{host_of(url)}")
    state.picking.put(user, url, True)
    state.post_results.choose(user, asked.get("result", ""), url)
    return lead_to(url)


NEVER: Final = f"{PREFIX}never"


def never_address(url: str) -> str:
    """Return the address of the form for the host of a page."""
    return _address(f"{ORIGINS[0]}{NEVER}", url=url)


def _answer_never(state: ProxyState, question: Question) -> Answer:
    """Show the form, or do what it asks.

    The list is everybody's, so only administrators may change it.
    """
    settings = state.settings.current
    if not settings.may_administer(question.user):
        return write_sentence(403, "Only an administrator of the proxy can change this.")
    if question.method == "POST":
        url = read_signed(state, question, NEVER)["url"]
        with saving():
            host = read_host("never_intercept", host_of(url))
            if not is_named(host, settings.never_intercept):
                hosts = (*settings.never_intercept, host)
                state.settings.replace(replace(settings, never_intercept=hosts))
        return write_saved(url)
    url = read_link(question)["url"]
    host = escape(host_of(url))
    text = (
        f"<h1>Never open {host}</h1><p>Connections to {host} and its subdomains will pass the proxy"
        " unopened, as if it were not there: your browser checks the certificate itself, and pages"
        " are not filtered. This applies to everybody who uses the proxy; the page Lists of the"
        " settings takes it back.</p>"
    )
    form = write_form(state, question.user, NEVER, url, button="Never open this host")
    return write_page(200, text + form)


def _purpose(host: str, view: str) -> str:
    return f"{_VIEW}\0{host}\0{view}"


def _address(path: str, /, **values: str) -> str:
    return f"{path}?{urlencode(values)}"


_ANSWERS: Final[Mapping[tuple[str, str], Callable[[ProxyState, Question], Answer]]] = {
    ("GET", _VIEW): _show_temporarily,
    ("GET", _LOCAL_VIEW): _show_temporarily,
    ("GET", _PICK): _start_picker,
    ("GET", _REMEMBER): _ask,
    ("POST", _REMEMBER): _remember,
}
"""Method and path → answer."""
_FORMS: Final = {HIDE: answer_hide, NEVER: _answer_never}
"""Path → answer to any method."""
