"""What stands before every page: under which names it answers, and who may send a form.

Each guard is ASGI middleware. A page of the web could link to the settings, frame them or post to
them: it gets no frame, and its posts lack the token and have another origin. The policy lets
nothing be loaded from elsewhere, and no script stand in a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from thresher.proxy.internal import HOST
from thresher.proxy.pages.context import (
    FIELD,
    PURPOSE,
    answer_error,
    context_of,
    visitor_of,
)
from thresher.serving.headers import name_of

__all__ = ["HEADERS", "POLICY", "CheckForms", "CheckHost"]

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    f"img-src 'self' https://{HOST}; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""Content Security Policy (CSP Level 3). The picture over HTTPS tests the certificate."""
HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # With no-referrer, browsers would call the origin of our own forms null.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
"""Of every answer."""
_SAFE_METHODS: Final = frozenset(("GET", "HEAD"))
_OWN_SITES: Final = frozenset((None, "same-origin", "none"))
"""Values of Sec-Fetch-Site (Fetch Metadata), which browsers send to secure origins only."""
_FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
_MAX_FIELDS: Final = 1000
_MAX_FIELD_BYTES: Final = 16 * 2**20
_LOOPBACK: Final = frozenset(("localhost", "127.0.0.1", "::1"))


class CheckHost:
    """Answers to names of its own only: another may be that of a page of the web (DNS rebinding).

    By the proxy that is the one name; by the port, those of this machine.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse other names with 403."""
        host = name_of(_host_of(scope))
        names = _LOOPBACK if scope.get("state", {}).get("is_port") else {HOST}
        if host not in names:
            error = HTTPException(403, f"the settings are not at {host!r}")
            await answer_error(Request(scope), error)(scope, receive, send)
            return
        await self._app(scope, receive, send)


class CheckForms:
    """Reads forms, and lets only those through that one of our own pages sent."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a form of another page with 403; ours is then ``request.state.form``."""
        if scope["method"] in _SAFE_METHODS:
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            _check_origin(request)
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind not in _FORMS:
                raise HTTPException(415, "this takes forms only")
            form = await request.form(max_fields=_MAX_FIELDS, max_part_size=_MAX_FIELD_BYTES)
            token = form.get(FIELD, "")
            user = visitor_of(request).user
            if not context_of(request).state.is_token(str(token), user, PURPOSE):
                raise HTTPException(
                    403, "this form is from before the proxy's last start; load its page again"
                )
        except HTTPException as error:
            await answer_error(request, error)(scope, receive, send)
            return
        request.state.form = form
        try:
            await self._app(scope, receive, send)
        finally:
            await form.close()


def _check_origin(request: Request) -> None:
    headers = request.headers
    origin = headers.get("origin")
    is_own = origin is None or origin == f"{request.scope['scheme']}://{_host_of(request.scope)}"
    if not is_own or headers.get("sec-fetch-site") not in _OWN_SITES:
        raise HTTPException(403, "a page of another site sent this")


def _host_of(scope: Scope) -> str:
    """Return the host that was asked for; HTTP/2 has no header for it, but mitmproxy knows it."""
    return Headers(scope=scope).get("host") or HOST
