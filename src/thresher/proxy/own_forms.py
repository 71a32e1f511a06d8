"""Forms of the proxy's own address that save a choice, and the picker that leads to one of them.

Any page may link to a form, so nothing changes before it is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from thresher.filters.settings import SWITCHES, Filters, is_on
from thresher.proxy.csp import hash_source
from thresher.proxy.own_pages import (
    ORIGINS,
    PREFIX,
    Answer,
    Question,
    names_site,
    read_form,
    refuse_form,
    refuse_saving,
    write_page,
    write_saved,
)
from thresher.proxy.settings import is_named, read_host
from thresher.proxy.state import ProxyState
from thresher.sites.apply import check_rules
from thresher.sites.rule_forms import with_selector, without_selectors
from thresher.sites.rulebook import HostRules
from thresher.sites.rules import Rules
from thresher.support.hosts import host_of

HIDE: Final = f"{PREFIX}hide"
_MAX_CHARS: Final = 20_000
"""Characters of all selectors of a form."""


def answer_hide(state: ProxyState, question: Question) -> Answer:
    """Show the form, or do what it asks."""
    if question.method == "POST":
        return _save(state, question)
    asked = read_form(question.query)
    url, drop = asked.get("url", ""), asked.get("drop", "")[:_MAX_CHARS]
    if not names_site(url):
        return write_page(400, "This link does not name a site.")
    host = state.book_of(question.user).host_for(url)
    form = (
        f"<h1>Hide elements on {escape(host)}</h1>"
        f'<form method="post" action="{HIDE}"><label for="drop">Elements that are hidden on all'
        " pages of this site from now on, a CSS selector a line</label>"
        f'<textarea id="drop" name="drop" rows="5" required>{escape(drop)}</textarea>'
        f"{_write_common(state, question, url)}"
        f'<button>Hide</button> <a href="{escape(url)}">Back</a></form>'
    )
    return write_page(200, form, is_markup=True)


def _write_common(state: ProxyState, question: Question, url: str) -> str:
    return (
        f'<input type="hidden" name="url" value="{escape(url)}">'
        f'<input type="hidden" name="token" value="{state.token(question.user, HIDE)}">'
    )


def _save(state: ProxyState, question: Question) -> Answer:
    asked = read_form(question.body.decode("utf-8", "replace"))
    if refusal := refuse_form(state, question, asked, HIDE):
        return refusal
    url, text = asked["url"], asked.get("drop", "")[:_MAX_CHARS]
    selectors = tuple(dict.fromkeys(filter(None, map(str.strip, text.splitlines()))))
    host = state.book_of(question.user).host_for(url)
    undoes = "undo" in asked

    def change(known: HostRules) -> HostRules:
        if undoes:
            return without_selectors(known, selectors)
        for selector in selectors:
            known = with_selector(known, "drop", selector)
        return known

    def save() -> None:
        check_rules(Rules(drop=selectors))
        state.change_choices(question.user, host, change)

    if refusal := refuse_saving(save):
        return refusal
    said = "shown again" if undoes else "hidden from now on"
    listed = "".join(f"<li><code>{escape(each)}</code></li>" for each in selectors)
    undo = (
        ""
        if undoes
        else f'<form method="post" action="{HIDE}">{_write_common(state, question, url)}'
        f'<input type="hidden" name="drop" value="{escape(text)}">'
        '<button name="undo" value="1">Undo</button></form>'
    )
    return write_page(
        200,
        f"<h1>{escape(host)}</h1><p>Saved. These elements are {said}:</p><ul>{listed}</ul>{undo}"
        f'<p><a href="{escape(url)}">Back to the page</a></p>',
        is_markup=True,
    )


_BLOCKED: Final = (
    "The picker of elements did not start: scripts are off in this browser, or a policy within this"
    " page forbids them."
)


def write_picker(url: str) -> str:
    """Return the picker for a page as markup, in ASCII."""
    form = f"{ORIGINS[0]}{HIDE}?{urlencode({'url': url})}&drop="
    markup = (
        f'<thresher-picker data-form="{escape(form)}" data-site="{escape(host_of(url))}">'
        f"{_BLOCKED}</thresher-picker><script>{_read_script()}</script>"
    )
    return markup.encode("ascii", "xmlcharrefreplace").decode("ascii")


def picker_source() -> str:
    """Return the source expression of the script for a policy."""
    return hash_source(_read_script())


@cache
def _read_script() -> str:
    script = Path(__file__).with_name("picker.js").read_text(encoding="utf-8")
    # In ASCII, since it is added to pages in any encoding.
    return script.replace("…", "\\u2026")


NEVER: Final = f"{PREFIX}never"


def never_address(url: str) -> str:
    """Return the address of the form for the host of a page."""
    return f"{ORIGINS[0]}{NEVER}?{urlencode({'url': url})}"


def answer_never(state: ProxyState, question: Question) -> Answer:
    """Show the form, or do what it asks."""
    if not state.settings.current.may_administer(question.user):
        return write_page(403, "Only an administrator of the proxy can change this.")
    if question.method == "POST":
        return _add(state, question)
    return _ask(state, read_form(question.query).get("url", ""), question.user)


def _ask(state: ProxyState, url: str, user: str | None) -> Answer:
    if not names_site(url):
        return write_page(400, "This link does not name a site.")
    host = host_of(url)
    form = (
        f"<h1>Never open {escape(host)}</h1><p>Connections to {escape(host)} and its subdomains"
        " will pass the proxy unopened, as if it were not there: your browser checks the"
        " certificate itself, and pages are not filtered. This applies to everybody who uses the"
        " proxy; the page Lists of the settings takes it back.</p>"
        f'<form method="post" action="{NEVER}"><input type="hidden" name="url"'
        f' value="{escape(url)}"><input type="hidden" name="token"'
        f' value="{state.token(user, NEVER)}"><button>Never open this host</button>'
        f' <a href="{escape(url)}">Back</a></form>'
    )
    return write_page(200, form, is_markup=True)


def _add(state: ProxyState, question: Question) -> Answer:
    asked = read_form(question.body.decode("utf-8", "replace"))
    if refusal := refuse_form(state, question, asked, NEVER):
        return refusal
    settings, url = state.settings.current, asked["url"]

    def save() -> None:
        host = read_host("never_intercept", host_of(url))
        if not is_named(host, settings.never_intercept):
            hosts = (*settings.never_intercept, host)
            state.settings.replace(replace(settings, never_intercept=hosts))

    return refuse_saving(save) or write_saved(url)


_PREFIX: Final = "filter-"
_STATES: Final = {"on": True, "off": False}


def write_switches(filters: Filters, switches: Iterable[tuple[str, bool]]) -> str:
    """Write a list for each filter: as on other sites, on or off."""
    known = dict(switches)
    groups = "".join(
        f"<h2>{escape(group.capitalize())}</h2>"
        + "".join(
            _write_switch(each.name, each.help, is_on(filters, each.name), known.get(each.name))
            for each in members
        )
        for group, members in groupby(SWITCHES, key=lambda each: each.group)
    )
    opened = " open" if known else ""
    return f"<details{opened}><summary>Filters on this site</summary>{groups}</details>"


def read_switches(form: Mapping[str, str]) -> tuple[tuple[str, bool], ...]:
    """Read the filters that the form switches; others are as on other sites."""
    asked = ((each.name, form.get(f"{_PREFIX}{each.name}", "")) for each in SWITCHES)
    return tuple(sorted((name, _STATES[value]) for name, value in asked if value in _STATES))


def _write_switch(name: str, help: str, is_default_on: bool, chosen: bool | None) -> str:
    default = f"Same as other sites ({'on' if is_default_on else 'off'})"
    options = "".join(
        f'<option value="{value}"{" selected" if chosen is state else ""}>{says}</option>'
        for value, state, says in (("", None, default), ("on", True, "On"), ("off", False, "Off"))
    )
    return f'<label><select name="{_PREFIX}{name}">{options}</select> {escape(help)}</label>'
