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
    read_link,
    read_signed,
    saving,
    signed_fields,
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
        return _hide(state, question)
    asked = read_link(question)
    url, drop = asked["url"], asked.get("drop", "")[:_MAX_CHARS]
    host = state.book_of(question.user).host_for(url)
    form = (
        f"<h1>Hide elements on {escape(host)}</h1>"
        f'<form method="post" action="{HIDE}"><label for="drop">Elements that are hidden on all'
        " pages of this site from now on, a CSS selector a line</label>"
        f'<textarea id="drop" name="drop" rows="5" required>{escape(drop)}</textarea>'
        f"{signed_fields(state, question.user, HIDE, url=url)}"
        f'<button>Hide</button> <a href="{escape(url)}">Back</a></form>'
    )
    return write_page(200, form, is_markup=True)


def _hide(state: ProxyState, question: Question) -> Answer:
    asked = read_signed(state, question, HIDE)
    url, text = asked["url"], asked.get("drop", "")[:_MAX_CHARS]
    selectors = tuple(dict.fromkeys(filter(None, map(str.strip, text.splitlines()))))
    host = state.book_of(question.user).host_for(url)
    undoes = "undo" in asked

    def change(rules: HostRules) -> HostRules:
        if undoes:
            return without_selectors(rules, selectors)
        for selector in selectors:
            rules = with_selector(rules, "drop", selector)
        return rules

    with saving():
        check_rules(Rules(drop=selectors))
        state.change_choices(question.user, host, change)
    said = "shown again" if undoes else "hidden from now on"
    listed = "".join(f"<li><code>{escape(selector)}</code></li>" for selector in selectors)
    undo = (
        ""
        if undoes
        else f'<form method="post" action="{HIDE}">'
        f"{signed_fields(state, question.user, HIDE, url=url, drop=text)}"
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
    """Show the form, or do what it asks.

    The list is everybody's, so only administrators may change it.
    """
    settings = state.settings.current
    if not settings.may_administer(question.user):
        return write_page(403, "Only an administrator of the proxy can change this.")
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
    form = (
        f"<h1>Never open {host}</h1><p>Connections to {host} and its subdomains will pass the proxy"
        " unopened, as if it were not there: your browser checks the certificate itself, and pages"
        " are not filtered. This applies to everybody who uses the proxy; the page Lists of the"
        " settings takes it back.</p>"
        f'<form method="post" action="{NEVER}">'
        f"{signed_fields(state, question.user, NEVER, url=url)}"
        f'<button>Never open this host</button> <a href="{escape(url)}">Back</a></form>'
    )
    return write_page(200, form, is_markup=True)


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
