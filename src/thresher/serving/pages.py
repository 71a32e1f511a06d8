"""Pages of both servers: their templates, statuses and titles of errors, and guards of requests.

Every web page that a user opens can reach a server on the same machine: it can send forms, and its
host name can resolve to the loopback address. So there are security headers, and checks against
cross-site requests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from ipaddress import IPv6Address
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thresher.errors import (
    FetchError,
    InputError,
    LimitError,
    MissingExtraError,
    StorageError,
    ThresherError,
    UsageError,
)
from thresher.support.files import is_disk_full

YEAR_S: Final = 365 * 24 * 60 * 60
"""Seconds that a browser keeps a visitor's preferences."""

STATUSES: Final[Mapping[type[ThresherError], HTTPStatus]] = {
    MissingExtraError: HTTPStatus.NOT_IMPLEMENTED,
    UsageError: HTTPStatus.BAD_REQUEST,
    InputError: HTTPStatus.UNPROCESSABLE_ENTITY,
    LimitError: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    FetchError: HTTPStatus.BAD_GATEWAY,
    StorageError: HTTPStatus.INSUFFICIENT_STORAGE,
    ThresherError: HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""Status of each error class, subclasses first."""

TITLES: Final[Mapping[int, str]] = {
    400: "Invalid request",
    401: "Token required",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    413: "Too large",
    415: "Unsupported type",
    422: "Not an HTML page",
    501: "Not installed",
    502: "Could not fetch the page",
    503: "Too busy",
    507: "Not saved",
}
"""Title of the error page for each status."""


def status_of(error: Exception) -> int:
    """Return the HTTP status of an error."""
    if isinstance(error, HTTPException):
        return error.status_code
    if is_disk_full(error):
        return HTTPStatus.INSUFFICIENT_STORAGE.value
    return next((status.value for kind, status in STATUSES.items() if isinstance(error, kind)), 500)


_CODE: Final = re.compile("`([^`]+)`")


def load_templates(folder: Path) -> Environment:
    """Return the templates in a folder, with autoescaping; undefined names raise an error.

    A template is loaded on first use. The filter ``code`` writes what messages have in backticks.
    """
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["code"] = _mark_code
    return environment


def _mark_code(text: str) -> Markup:
    """Escape a message, and make code of what is in backticks."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


LOOPBACK_NAMES: Final = frozenset(("localhost", "127.0.0.1", "::1"))
"""Names of this machine, in the format of `thresher.serving.pages.name_of`."""
_OWN_SITES: Final = frozenset(("same-origin", "none"))
"""Values of Sec-Fetch-Site (Fetch Metadata) for requests by our pages or by the user."""
_FORMS: Final = frozenset(("application/x-www-form-urlencoded", "multipart/form-data"))


class RequestGuard:
    """Middleware that checks a request before it is handled.

    ``check`` raises HTTPException to reject a request; ``answer`` turns the error into a response.
    """

    def __init__(
        self,
        app: ASGIApp,
        check: Callable[[Request], None],
        answer: Callable[[Request, Exception], Response],
    ) -> None:
        self._app = app
        self._check = check
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or respond with the error."""
        if scope["type"] == "http":
            request = Request(scope)
            try:
                self._check(request)
            except HTTPException as error:
                await self._answer(request, error)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def check_message(request: Request) -> None:
    """Reject a message with 400 that a server in front may have read as another one.

    One with two lengths may hold a second request for one of two servers (RFC 9112, 6.3, request
    smuggling); one with an address for a target may be for another host than its Host header says.
    """
    headers = request.headers
    problem = None
    if "transfer-encoding" in headers and "content-length" in headers:
        problem = "a request has either Content-Length or Transfer-Encoding"
    elif len(headers.getlist("host")) > 1:
        problem = "a request has one Host header"
    elif not request.scope["path"].startswith("/"):
        problem = "this server is no proxy: a request names a path"
    if problem:
        raise HTTPException(400, problem, {"Connection": "close"})


def is_cross_site(request: Request) -> bool:
    """Return whether the browser reports a request by a page of another site.

    Browsers send Fetch Metadata (W3C) to secure origins only; without it, the result is False.
    """
    site = request.headers.get("sec-fetch-site")
    return site is not None and site not in _OWN_SITES


def is_form(request: Request) -> bool:
    """Return whether the body of a request is a form."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower() in _FORMS


SECURE_HEADERS: Final[Mapping[str, str]] = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # With no-referrer, browsers would send the Origin null with our own forms.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # What a user reads is private.
    "Cache-Control": "no-store",
}
"""Headers of every page, besides its policy."""
_HOST: Final = re.compile(
    r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<name>[0-9A-Za-z_.-]*[0-9A-Za-z_-])\.?)(?::[0-9]{0,5})?"
)
"""Of a name, without its last dot; IDNA has been applied, so it is ASCII."""


class SecureHeaders:
    """Middleware that adds headers to every response that does not set them."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self._app = app
        self._headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the missing headers to the response."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


def name_of(header: str) -> str:
    """Return the name in a Host header, without port and brackets, in lower case.

    Empty if the header is more or less than a name and a port (RFC 9110, 7.2): others may read
    another name in it.
    """
    match = _HOST.fullmatch(header)
    if not match:
        return ""
    try:
        return str(IPv6Address(match["v6"])) if match["v6"] else match["name"].lower()
    except ValueError:
        return ""
