"""What pages and forms of the proxy's own address have in common: what is asked, what is answered.

Any page may link to a form, so nothing changes before it is sent, from a page of the proxy and with
a token.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from html import escape
from typing import Final
from urllib.parse import parse_qs, quote, urlsplit

from thresher.errors import UsageError
from thresher.proxy.page_parts import hash_source
from thresher.proxy.state import ProxyState
from thresher.support.files import explain_os_error

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


def write_sentence(status: int, says: str) -> Answer:
    """Return a page with a sentence."""
    return write_page(status, f"<p>{escape(says)}</p>")


def write_page(status: int, content: str) -> Answer:
    """Return a page with markup of the proxy's own."""
    html = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Thresher</title>'
        f"<style>{_STYLE}</style></head><body><main>{content}</main></body></html>"
    )
    return Answer(status, html.encode("utf-8", "replace"), _HEADERS)


def write_saved(url: str) -> Answer:
    """Return the page that says that a form was saved, and leads back to an address."""
    # Browsers do not follow a redirect of a form to a target outside its form-action policy.
    done = write_page(200, f'<p>Saved. <a href="{escape(url)}">Back</a></p>')
    return replace(done, headers={**done.headers, "refresh": f"0; url={_to_ascii(url)}"})


class RefusedError(Exception):
    """A link or form that is not accepted."""

    def __init__(self, status: int, says: str) -> None:
        super().__init__(says)
        self.answer = write_sentence(status, says)


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


def write_form(
    state: ProxyState, user: str | None, path: str, url: str, *, content: str = "", button: str
) -> str:
    """Return a form for `read_signed` with some markup, a button and a link back to ``url``."""
    return (
        f'<form method="post" action="{path}">{content}{signed_fields(state, user, path, url=url)}'
        f'<button>{button}</button> <a href="{escape(url)}">Back</a></form>'
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
