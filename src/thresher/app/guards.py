"""What stands before every page of the app: who may ask, from where, and what a browser may load.

`server` puts the guards in order. All but the token are for a server on this machine, which any
page that the user opens could otherwise talk to.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from hashlib import sha256
from typing import Final
from urllib.parse import quote, urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from thresher.app.problems import answer, is_for_programs
from thresher.serving.guards import is_cross_site
from thresher.serving.headers import SECURE_HEADERS, name_of

__all__ = [
    "HEADERS",
    "POLICY",
    "SAFE_METHODS",
    "SESSION",
    "RequireToken",
    "check_host",
    "check_origin",
    "is_token",
    "session_of",
]

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Content Security Policy (CSP Level 3): nothing comes from elsewhere, nothing stands inline."""
HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    **SECURE_HEADERS,
}
"""Of every answer; a page may set a stricter policy."""
SAFE_METHODS: Final = frozenset(("GET", "HEAD", "OPTIONS"))
"""Methods of HTTP that change nothing (RFC 9110)."""
SESSION: Final = "thresher_session"
"""Cookie of who has given the token."""
_OPEN: Final = ("/healthz", "/login", "/static/")
"""Paths that need no token: they tell nothing."""


def check_host(request: Request, *, hosts: frozenset[str]) -> None:
    """Refuse with 403 names that are none of its own, against DNS rebinding; empty refuses none.

    A page whose name resolves to this machine would be of the same origin as the app.
    """
    host = name_of(request.headers.get("host", ""))
    if hosts and host not in hosts:
        raise HTTPException(403, f"this server is not called {host!r}")


def check_origin(request: Request) -> None:
    """Refuse with 403 what a page of another site would change, or send in.

    The scheme of its origin says nothing: there may be a proxy for HTTPS in front of the app.
    """
    if request.method in SAFE_METHODS:
        return
    headers = request.headers
    is_foreign = is_cross_site(request)
    if "sec-fetch-site" not in headers and "origin" in headers:
        is_foreign = urlsplit(headers["origin"]).netloc != headers.get("host")
    if is_foreign:
        raise HTTPException(403, "another site asked for this")


class RequireToken:
    """Lets nobody in who has not given the token, as a Bearer token (RFC 6750) or at the login."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse programs with 401, and send people to the login."""
        if scope["type"] != "http" or scope["path"].startswith(_OPEN):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        kind, _, given = connection.headers.get("authorization", "").partition(" ")
        by_header = kind.lower() == "bearer" and is_token(given.strip(), self._token)
        session = connection.cookies.get(SESSION, "")
        if by_header or is_token(session, session_of(self._token)):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        if is_for_programs(request) or scope["method"] != "GET" or scope["path"] == "/metrics":
            headers = {"WWW-Authenticate": "Bearer"}
            response = answer(request, HTTPException(401, "a token is needed", headers))
        else:
            query = scope["query_string"].decode("latin-1")
            here = scope["path"] + (f"?{query}" if query else "")
            response = RedirectResponse(f"/login?next={quote(here, safe='')}", 303)
        await response(scope, receive, send)


def is_token(given: str, token: str) -> bool:
    """Compare in a time that tells nothing."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())


def session_of(token: str) -> str:
    """Return what the cookie of a session holds: it proves the token, and does not tell it."""
    return hmac.new(token.encode(), b"thresher session", sha256).hexdigest()
