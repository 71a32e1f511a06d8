"""The form of the proxy's own address that puts a host on the list of those never intercepted.

A page that could not be opened links to it. The list is everybody's, so administrators only may
change it; and any page may link here, so nothing changes before the form is sent.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import Final
from urllib.parse import urlencode

from thresher.proxy.own_pages import (
    ORIGINS,
    PREFIX,
    Answer,
    Question,
    names_site,
    read_form,
    write_page,
    write_saved,
)
from thresher.proxy.setting_checks import is_named, read_host
from thresher.proxy.signed_form import refuse_form, refuse_saving
from thresher.proxy.state import ProxyState
from thresher.support.hosts import host_of

__all__ = ["NEVER", "answer_never", "never_address"]

NEVER: Final = f"{PREFIX}never"


def never_address(url: str) -> str:
    """Return the address of the form for the host of a page."""
    return f"{ORIGINS[0]}{NEVER}?{urlencode({'url': url})}"


def answer_never(state: ProxyState, question: Question) -> Answer:
    """Show the form, or do what it asks."""
    if not state.settings.may_administer(question.user):
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
    settings, url = state.settings, asked["url"]

    def save() -> None:
        host = read_host("never_intercept", host_of(url))
        if not is_named(host, settings.never_intercept):
            hosts = (*settings.never_intercept, host)
            state.replace_settings(replace(settings, never_intercept=hosts))

    return refuse_saving(save) or write_saved(url)
