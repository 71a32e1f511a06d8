"""The proxy's own address: what the links of the mark lead to, behind which the settings pages are.

A page on the web may link here, and its scripts can read the links of its own mark. So a link does
no more than show one page of the same host in another view for some minutes, and needs a token for
that host; what is remembered goes through a form that only this address has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import Final
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from thresher.errors import UsageError
from thresher.proxy.badge import Badge
from thresher.proxy.csp import hash_source
from thresher.proxy.state import ProxyState
from thresher.sites.rulebook import VIEWS
from thresher.support.hosts import host_of

__all__ = ["HOST", "PREFIX", "Answer", "Question", "answer", "make_badge"]

HOST: Final = "thresher.internal"
"""The name at which the proxy itself answers; .internal is nobody's (ICANN, 2024)."""
PREFIX: Final = "/-/"
"""Paths that are answered here; the others are the settings pages'."""
_VIEW, _REMEMBER = f"{PREFIX}view", f"{PREFIX}remember"
_ORIGINS: Final = (f"http://{HOST}", f"https://{HOST}")
_SAYS: Final[Mapping[str, str]] = {
    "original": "Show the original",
    "inplace": "Show it without the chaff",
    "reader": "Reader",
    "text": "Text only",
}
_OFFERED: Final = ("original", "inplace", "reader")
"""Views that the mark links to."""
_NO_CHOICE: Final = ""
_STYLE: Final = (
    ":root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;"
    "margin:2rem auto;padding:0 1rem}label{display:block}button{font:inherit;margin-top:1rem}"
)
_HEADERS: Final[Mapping[str, str]] = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": f"default-src 'none'; style-src {hash_source(_STYLE)}; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Question:
    """A request to the proxy itself."""

    method: str
    path: str
    """Without the query."""
    query: str = ""
    body: bytes = b""
    origin: str | None = None
    """The Origin header."""
    user: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What the proxy answers."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def make_badge(state: ProxyState, user: str | None, url: str, shown: str) -> Badge:
    """Return what the mark of a page offers: the other views, and to remember one."""
    host = host_of(url)
    links = [
        (_SAYS[view], _address(_VIEW, url=url, view=view, token=_token(state, user, host, view)))
        for view in _OFFERED
        if view != shown
    ]
    links.append(("Remember for this site …", _address(_REMEMBER, url=url, view=shown)))
    links.append(("Settings", f"{_ORIGINS[0]}/"))
    return Badge(tuple(links))


def answer(state: ProxyState, question: Question) -> Answer:
    """Answer a request; its path is below `PREFIX`. OSError where a choice cannot be saved."""
    is_get = question.method in ("GET", "HEAD")
    if question.path == _VIEW and is_get:
        return _show_once(state, question)
    if question.path == _REMEMBER and is_get:
        return _ask(state, question)
    if question.path == _REMEMBER and question.method == "POST":
        return _remember(state, question)
    return _page(404, "There is nothing here.")


def _show_once(state: ProxyState, question: Question) -> Answer:
    asked = _read(question.query)
    url, view = asked.get("url", ""), asked.get("view", "")
    purpose = _purpose(host_of(url), view)
    if not _is_web(url) or not state.is_token(asked.get("token", ""), question.user, purpose):
        return _page(403, "This link is not of this proxy, or from before its last start.")
    state.temporary_views.put(question.user or "", url, view)
    return _lead_to(url)


def _ask(state: ProxyState, question: Question) -> Answer:
    asked = _read(question.query)
    url, shown = asked.get("url", ""), asked.get("view", "")
    host = host_of(url)
    if not _is_web(url):
        return _page(400, "There is no site in this link.")
    known = state.rulebook.hosts.get(host)
    chosen = known.view if known and known.view else shown
    choices = {view: _SAYS[view] for view in VIEWS} | {_NO_CHOICE: "As all other sites"}
    buttons = "".join(
        f'<label><input type="radio" name="view" value="{value}"'
        f"{' checked' if value == chosen else ''}> {escape(says)}</label>"
        for value, says in choices.items()
    )
    token = state.token(question.user, _REMEMBER)
    form = (
        f"<h1>Pages of {escape(host)}</h1><p>How are they to be shown from now on?"
        f"{_whom(state)}</p>"
        f'<form method="post" action="{_REMEMBER}">{buttons}'
        f'<input type="hidden" name="url" value="{escape(url)}">'
        f'<input type="hidden" name="token" value="{token}">'
        f'<button>Remember</button> <a href="{escape(url)}">Back</a></form>'
    )
    return _page(200, form, is_markup=True)


def _remember(state: ProxyState, question: Question) -> Answer:
    asked = _read(question.body.decode("utf-8", "replace"))
    url, view = asked.get("url", ""), asked.get("view", _NO_CHOICE)
    is_own = question.origin in (None, *_ORIGINS)
    if not is_own or not state.is_token(asked.get("token", ""), question.user, _REMEMBER):
        return _page(403, "This form is not of this proxy, or from before its last start.")
    if not _is_web(url):
        return _page(400, "There is no site in this form.")
    try:
        state.remember(host_of(url), view or None)
    except UsageError as error:
        return _page(400, str(error))
    # Browsers follow no redirect from a form to where its policy lets no form be sent.
    done = _page(200, f'<p>Remembered. <a href="{escape(url)}">Back</a></p>', is_markup=True)
    return replace(done, headers={**done.headers, "refresh": f"0; url={_to_ascii(url)}"})


def _whom(state: ProxyState) -> str:
    """Say for whom a view is remembered, where there are several: there is one rulebook for all."""
    return " This is for everybody who uses this proxy." if state.settings.users else ""


def _token(state: ProxyState, user: str | None, host: str, view: str) -> str:
    return state.token(user, _purpose(host, view))


def _purpose(host: str, view: str) -> str:
    return f"{_VIEW}\0{host}\0{view}"


def _address(path: str, **values: str) -> str:
    return f"{_ORIGINS[0]}{path}?{urlencode(values)}"


def _read(form: str) -> dict[str, str]:
    """Read a form; of a name that is there twice, the first value."""
    try:
        fields = parse_qs(form, max_num_fields=100)
    except ValueError:
        return {}
    return {name: values[0] for name, values in fields.items()}


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and url.isprintable()


def _lead_to(url: str) -> Answer:
    return Answer(303, b"", {**_HEADERS, "location": _to_ascii(url)})


def _to_ascii(url: str) -> str:
    """Spell an address in ASCII, as headers have it; what is escaped already stays so."""
    return quote(url, safe="%/:?#[]@!$&'()*+,;=~")


def _page(status: int, content: str, *, is_markup: bool = False) -> Answer:
    shown = content if is_markup else f"<p>{escape(content)}</p>"
    html = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Thresher</title>'
        f"<style>{_STYLE}</style></head><body><main>{shown}</main></body></html>"
    )
    return Answer(status, html.encode("utf-8", "replace"), _HEADERS)
