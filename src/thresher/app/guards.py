"""Request guards of the app: host names, origins, access token and the security policy.

`server` defines their order. All but the token protect a server on this machine, which any page
that the user opens could otherwise reach.
"""

from __future__ import annotations

import hmac
import math
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from thresher.app.problems import answer, is_for_programs
from thresher.app.settings import Allowance, ApiKey
from thresher.serving.guards import SECURE_HEADERS, is_cross_site, name_of

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Content Security Policy (CSP Level 3): no external resources, nothing inline."""
HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    **SECURE_HEADERS,
}
"""Headers of every response; a page may set a stricter policy."""
SAFE_METHODS: Final = frozenset(("GET", "HEAD", "OPTIONS"))
"""Safe HTTP methods (RFC 9110)."""
SESSION: Final = "thresher_session"
"""Session cookie of authenticated users."""
_FOR_KEYS: Final = "/api/"
"""Beginning of the paths that keys open."""
_OPEN: Final = ("/healthz", "/login", "/static/")
"""Public paths, which disclose nothing."""


def check_host(request: Request, *, hosts: frozenset[str]) -> None:
    """Reject unknown host names with 403, against DNS rebinding; empty ``hosts`` allows all.

    A page whose host name resolves to this machine would share the origin of the app.
    """
    host = name_of(request.headers.get("host", ""))
    if hosts and host not in hosts:
        raise HTTPException(403, f"this server does not serve the host {quote(host)}")


def check_origin(request: Request) -> None:
    """Reject unsafe requests by pages of other sites with 403.

    The scheme of the origin is ignored: there may be an HTTPS proxy in front of the app.
    """
    if request.method in SAFE_METHODS:
        return
    headers = request.headers
    is_foreign = is_cross_site(request)
    if "sec-fetch-site" not in headers and "origin" in headers:
        is_foreign = headers["origin"].partition("://")[2] != headers.get("host")
    if is_foreign:
        raise HTTPException(403, "this request came from another site")


class RequireToken:
    """Requires the access token, as a Bearer token (RFC 6750) or through the login page.

    The API is open to the holders of keys too, each within its allowance: ``state.allowance``.
    """

    def __init__(self, app: ASGIApp, token: str, keys: Iterable[ApiKey] = ()) -> None:
        self._app = app
        self._token = token
        self._keys = [
            (key.secret, Allowance(key.pages_per_minute) if key.pages_per_minute else None)
            for key in keys
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject API clients with 401, and redirect browsers to the login page."""
        if scope["type"] != "http" or scope["path"].startswith(_OPEN):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        kind, _, given = connection.headers.get("authorization", "").partition(" ")
        by_header = kind.lower() == "bearer" and is_token(given.strip(), self._token)
        if kind.lower() == "bearer" and scope["path"].startswith(_FOR_KEYS):
            for secret, allowance in self._keys:
                if is_token(given.strip(), secret):
                    await self._let_in(scope, receive, send, allowance)
                    return
        session = connection.cookies.get(SESSION, "")
        if by_header or is_token(session, session_of(self._token)):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        if is_for_programs(request) or scope["method"] != "GET" or scope["path"] == "/metrics":
            headers = {"WWW-Authenticate": "Bearer"}
            response = answer(request, HTTPException(401, "a token is required", headers))
        else:
            query = scope["query_string"].decode("latin-1")
            here = scope["path"] + (f"?{query}" if query else "")
            response = RedirectResponse(f"/login?next={quote(here, safe='')}", 303)
        await response(scope, receive, send)

    async def _let_in(
        self, scope: Scope, receive: Receive, send: Send, allowance: Allowance | None
    ) -> None:
        """Pass on a request with a key; 429 if its pages of this minute are used up."""
        wait_s = allowance.wait_s() if allowance else 0.0
        if wait_s > 0:
            headers = {"Retry-After": str(math.ceil(wait_s))}
            error = HTTPException(429, "the pages per minute of this key are used up", headers)
            await answer(Request(scope), error)(scope, receive, send)
            return
        scope.setdefault("state", {})["allowance"] = allowance
        await self._app(scope, receive, send)


def is_token(given: str, token: str) -> bool:
    """Compare tokens in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())


def session_of(token: str) -> str:
    """Return the value of the session cookie, which proves the token without disclosing it."""
    return hmac.new(token.encode(), b"thresher session", sha256).hexdigest()
