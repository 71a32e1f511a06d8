"""What stands before every page of the app: who may ask, from where, and what a browser may load.

Each guard is ASGI middleware; `server` puts them in order. The first three are for a server on
this machine, which any page that the user opens could otherwise talk to.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from hashlib import sha256
from typing import Final
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from thresher.app.problems import answer, is_for_programs
from thresher.serving.headers import name_of

__all__ = [
    "HEADERS",
    "POLICY",
    "SESSION",
    "CheckHost",
    "CheckOrigin",
    "RequireToken",
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
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # What somebody reads is nobody else's business.
    "Cache-Control": "no-store",
}
"""Of every answer; a page may set a stricter policy."""
_SAFE_METHODS: Final = frozenset(("GET", "HEAD", "OPTIONS"))
_OWN_SITES: Final = frozenset(("same-origin", "none"))
"""Values of Sec-Fetch-Site (Fetch Metadata) for what our pages, or the user, asked for."""
SESSION: Final = "thresher_session"
"""Cookie of who has given the token."""
_OPEN: Final = ("/healthz", "/login", "/static/")
"""Paths that need no token: they tell nothing."""


class CheckHost:
    """Answers only to names of its own, against DNS rebinding; empty lets all through.

    A page whose name resolves to this machine would be of the same origin as the app.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse other names with 403."""
        host = name_of(Headers(scope=scope).get("host", "")) if scope["type"] == "http" else ""
        if scope["type"] == "http" and self._hosts and host not in self._hosts:
            error = HTTPException(403, f"this server is not called {host!r}")
            await answer(Request(scope), error)(scope, receive, send)
            return
        await self._app(scope, receive, send)


class CheckOrigin:
    """Lets no page of another site change anything, or send anything in."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what a browser says another site asked for with 403."""
        if scope["type"] == "http" and scope["method"] not in _SAFE_METHODS:
            headers = Headers(scope=scope)
            site, origin = headers.get("sec-fetch-site"), headers.get("origin")
            is_foreign = site is not None and site not in _OWN_SITES
            if site is None and origin is not None:
                is_foreign = urlsplit(origin).netloc != headers.get("host")
            if is_foreign:
                error = HTTPException(403, "another site asked for this")
                await answer(Request(scope), error)(scope, receive, send)
                return
        await self._app(scope, receive, send)


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
