"""Pages and forms of the proxy's own address: what a request asks, and what it gets.

Any page may link to a form, so nothing changes before it is sent, from a page of the proxy and with
a token. The picker of elements, a script that is added to a page when its reader asks for it, ends
at one of the forms, which alone can save what was picked: what the page's own scripts could do with
the picker, any page may do.

A notice stands in the place of a page that is not shown: one sentence, and what to do next.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from thresher.errors import UsageError
from thresher.filters.settings import SWITCHES, Filters, is_on
from thresher.proxy.page_parts import hash_source
from thresher.proxy.settings import is_named, read_host
from thresher.proxy.state import ProxyState
from thresher.sites.apply import check_rules
from thresher.sites.rule_forms import with_selector, without_selectors
from thresher.sites.rulebook import HostRules, Rules
from thresher.support.files import explain_os_error
from thresher.support.hosts import host_of

HOST: Final = "thresher.internal"
"""Host name of the proxy itself; .internal is reserved for private use (ICANN, 2024)."""
PREFIX: Final = "/-/"
"""Prefix of the paths answered here; the settings pages have the others."""
ORIGINS: Final = (f"http://{HOST}", f"https://{HOST}")
_STYLE: Final = (
    ":root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;"
    "margin:2rem auto;padding:0 1rem}label{display:block}button{font:inherit;margin-top:1rem}"
    "summary{margin-top:1rem}select{font:inherit;margin:.3rem .5rem .3rem 0}"
    "body{overflow-wrap:anywhere}textarea{box-sizing:border-box;width:100%;font:1rem/1.5 monospace}"
    "ul{padding-inline-start:1.2rem}li{margin-block:.75rem}li button{margin:.25rem .5rem 0 0}"
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
    """Value of the Origin header."""
    user: str | None = None
    site: str = ""
    """Scheme, host and port of the site if it came to `LOCAL_PREFIX` there; empty otherwise."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Response of the proxy itself."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def read_form(form: str) -> dict[str, str]:
    """Parse a query or a form; of duplicate names, take the first value."""
    try:
        fields = parse_qs(form, max_num_fields=100)
    except ValueError:
        return {}
    return {name: values[0] for name, values in fields.items()}


def names_site(url: str) -> bool:
    """Return whether an address names a site of the web, so that a link may lead there."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and url.isprintable()


def lead_to(url: str) -> Answer:
    """Return a redirect."""
    return Answer(303, b"", {**_HEADERS, "location": _to_ascii(url)})


def _to_ascii(url: str) -> str:
    """Percent-encode an address for a header, keeping existing escapes."""
    return quote(url, safe="%/:?#[]@!$&'()*+,;=~")


def write_page(status: int, content: str, *, is_markup: bool = False) -> Answer:
    """Return a page with a sentence, or with markup of the proxy's own."""
    shown = content if is_markup else f"<p>{escape(content)}</p>"
    html = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Thresher</title>'
        f"<style>{_STYLE}</style></head><body><main>{shown}</main></body></html>"
    )
    return Answer(status, html.encode("utf-8", "replace"), _HEADERS)


def write_saved(url: str) -> Answer:
    """Return the page that says that a form was saved, and leads back to an address."""
    # Browsers do not follow a redirect of a form to a target outside its form-action policy.
    done = write_page(200, f'<p>Saved. <a href="{escape(url)}">Back</a></p>', is_markup=True)
    return replace(done, headers={**done.headers, "refresh": f"0; url={_to_ascii(url)}"})


class RefusedError(Exception):
    """A link or form that is not accepted."""

    def __init__(self, status: int, says: str) -> None:
        super().__init__(says)
        self.answer = write_page(status, says)


def read_link(question: Question) -> dict[str, str]:
    """Return the fields of a link; RefusedError unless its ``url`` names a site."""
    asked = read_form(question.query)
    if not names_site(asked.get("url", "")):
        raise RefusedError(400, "This link does not name a site.")
    return asked


def signed_fields(state: ProxyState, user: str | None, purpose: str, **values: str) -> str:
    """Return hidden fields of a form, with the token that `read_signed` requires."""
    given = {**values, "token": state.token(user, purpose)}
    return "".join(
        f'<input type="hidden" name="{name}" value="{escape(value)}">'
        for name, value in given.items()
    )


def read_signed(state: ProxyState, question: Question, purpose: str) -> dict[str, str]:
    """Return the fields of a form that was sent; RefusedError if it is not accepted.

    It must come from a page of the proxy, with the token for its purpose and the user, and its
    field ``url`` must name a site.
    """
    asked = read_form(question.body.decode("utf-8", "replace"))
    is_own = question.origin in (None, *ORIGINS)
    if not is_own or not state.is_token(asked.get("token", ""), question.user, purpose):
        raise RefusedError(
            403, "This form is invalid or has expired. Reload the page and try again."
        )
    if not names_site(asked.get("url", "")):
        raise RefusedError(400, "This form does not name a site.")
    return asked


@contextmanager
def saving() -> Iterator[None]:
    """Save something; RefusedError says why that failed."""
    try:
        yield
    except UsageError as error:
        raise RefusedError(400, str(error)) from error
    except OSError as error:
        says = f"This cannot be saved: {explain_os_error(error)}."
        raise RefusedError(500, says) from error


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


_FILTER_PREFIX: Final = "filter-"
_STATES: Final = {"on": True, "off": False}


def write_switches(filters: Filters, switches: Iterable[tuple[str, bool]]) -> str:
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


def read_switches(form: Mapping[str, str]) -> tuple[tuple[str, bool], ...]:
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


_FORBIDDEN, _BAD_GATEWAY, _TIMED_OUT = 403, 502, 504
NOTICE_STYLE: Final = (
    ":root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;"
    "margin:3rem auto;padding:0 1rem;overflow-wrap:anywhere}h1{font-size:1.4rem}"
)
"""Rules of every notice; each adds those of its links."""


def write_notice(
    title: str, content: str, *, style: str, mark: str, policy: str = ""
) -> tuple[bytes, dict[str, str]]:
    """Return body and headers of a notice.

    ``title`` and ``content`` are markup. ``mark`` is the value of X-Thresher, and ``policy`` is
    added to the Content Security Policy.
    """
    body = (
        '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n{content}"
    )
    headers = {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": f"default-src 'none'; style-src {hash_source(style)};"
        f" base-uri 'none'; form-action 'none'{policy}",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-thresher": mark,
    }
    return body.encode("utf-8", "replace"), headers


_POPUP_STYLE: Final = f"{NOTICE_STYLE}a{{display:inline-block;padding:.5rem 0}}"


def write_popup_page(url: str) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers of the page for an address that was held back."""
    host = escape(host_of(url) or url)
    content = (
        f"<h1>Thresher has held back a popup of {host}</h1>\n"
        "<p>Another site opened this page, and your block lists have its address among those of"
        " popups. If you followed a link to it, go on; otherwise close this tab.</p>\n"
        f'<p><a href="" rel="nofollow noreferrer">Go on to {host}</a></p>\n'
        f"<p>To never be asked for this host, add the line <code>@@||{host}^$popup</code> to your"
        " rules for advertisements in the settings.</p>\n"
    )
    title = f"Popup held back: {host}"
    policy = "; frame-ancestors 'none'"
    return _FORBIDDEN, *write_notice(
        title, content, style=_POPUP_STYLE, mark="stopped", policy=policy
    )


_FAILURE_STYLE: Final = (
    f"{NOTICE_STYLE}a{{display:inline-block;padding:.5rem 1rem .5rem 0}}small{{opacity:.8}}"
)


@dataclass(frozen=True, slots=True)
class _Cause:
    """One cause for which a page cannot be opened."""

    signs: re.Pattern[str]
    """Found in the message of mitmproxy or of the system."""
    heading: str
    """With ``{host}``."""
    advice: str
    """With ``{host}``."""
    status: int = _BAD_GATEWAY
    passes_unopened: bool = False
    """Whether the host may work if the proxy does not open its connections."""


_CAUSES: Final = (
    _Cause(
        re.compile("private network"),
        "{host} is in a private network",
        "Users of this proxy do not reach private networks. Its administrator can allow this host:"
        " allowed_private.",
        _FORBIDDEN,
    ),
    _Cause(
        re.compile(r"(?i)certificate"),
        "{host} has no valid certificate",
        "The proxy cannot verify that this is {host}: somebody may be impersonating it, or the"
        " site's certificate is expired, for another name or self-signed. Check the address and"
        " this machine's clock. If the site is yours, start the proxy with --upstream-ca and the"
        " authority's certificate, or leave the check to your browser.",
        passes_unopened=True,
    ),
    _Cause(
        re.compile(r"(?i)\b(?:tls|ssl|openssl|handshake)\b"),
        "{host} and the proxy do not agree on encryption",
        "The site may need a client certificate, an outdated version of TLS, or a browser rather"
        " than a proxy.",
        passes_unopened=True,
    ),
    _Cause(
        re.compile(r"(?i)not known|name resolution|getaddrinfo|nodename|no address associated"),
        "There is no site at {host}",
        "No address is known for this name. Check how it is spelled; if other sites fail too, the"
        " proxy's machine may be offline.",
    ),
    _Cause(
        re.compile(r"(?i)timed? ?out|Errno (?:110|60|10060)\b"),
        "{host} does not answer",
        "The site may be overloaded or down for a while. Try again in a minute.",
        _TIMED_OUT,
    ),
    _Cause(
        re.compile(r"(?i)unreachable|no route|Errno (?:101|113|51|65)\b"),
        "{host} cannot be reached from here",
        "The proxy's machine has no way to this site: it may be offline, or a firewall may block"
        " it.",
    ),
    _Cause(
        re.compile(r"(?i)connect call failed|refused|Errno (?:111|61)\b"),
        "{host} refuses connections",
        "Nothing answers at this address and port. Check the address; the site may be down for a"
        " while.",
    ),
    _Cause(
        re.compile(r"(?i)clos|disconnect|reset|Errno (?:104|54)\b"),
        "{host} closed the connection",
        "The site sent no answer. It may be restarting, or not accept connections through a proxy.",
        passes_unopened=True,
    ),
)
_OTHER: Final = _Cause(
    re.compile(""), "{host} sent nothing that can be shown", "The proxy did not understand it."
)


def _explain(message: str) -> _Cause:
    """Return the cause that a message of mitmproxy or of the system is about."""
    return next((cause for cause in _CAUSES if cause.signs.search(message)), _OTHER)


def write_failure_page(
    host: str, message: str, *, never: str = "", is_form: bool = False
) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers of the page for a host that could not be reached.

    ``never`` is the address where the host can be put on the list of those never intercepted, and
    offered where that may help; ``is_form``: the page was to receive a form.
    """
    cause, name = _explain(message), escape(host)
    heading, advice = cause.heading.format(host=name), cause.advice.format(host=name)
    again = (
        "<p>What you sent may not have arrived. Go back in your browser and send it again.</p>"
        if is_form
        else '<p><a href="">Try again</a>'
    )
    if never and cause.passes_unopened:
        again += f'<a href="{escape(never)}" rel="noreferrer">Never open this host…</a>'
    content = (
        f"<h1>{heading}</h1>\n<p>{advice}</p>\n{again}\n"
        f"<p><small>Thresher, the proxy of this browser, reports: {escape(message)}</small></p>\n"
    )
    body, headers = write_notice(heading, content, style=_FAILURE_STYLE, mark="failed")
    # On the same connection mitmproxy would report the failure again, without another try.
    return cause.status, body, {**headers, "connection": "close"}
