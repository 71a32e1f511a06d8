"""What stands before every page: under which names it answers, and who may send a form.

A page of the web could link to the settings, frame them or post to them: it gets no frame, and its
posts lack the token and have another origin. The policy lets nothing be loaded from elsewhere, and
no script stand in a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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
from thresher.serving.guards import LOOPBACK_NAMES, is_cross_site, is_form
from thresher.serving.headers import SECURE_HEADERS, name_of

__all__ = ["HEADERS", "POLICY", "CheckForms", "check_host"]

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    f"img-src 'self' https://{HOST}; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""Content Security Policy (CSP Level 3). The picture over HTTPS tests the certificate."""
HEADERS: Final[Mapping[str, str]] = {"Content-Security-Policy": POLICY, **SECURE_HEADERS}
"""Of every answer."""
_SAFE_METHODS: Final = frozenset(("GET", "HEAD"))
_MAX_FIELDS: Final = 1000
_MAX_FIELD_BYTES: Final = 16 * 2**20


def check_host(request: Request) -> None:
    """Refuse with 403 names that are none of its own: they may be of the web (DNS rebinding).

    By the proxy that is the one name; by the port, those of this machine.
    """
    host = name_of(_host_of(request))
    names = LOOPBACK_NAMES if request.scope.get("state", {}).get("is_port") else {HOST}
    if host not in names:
        raise HTTPException(403, f"the settings are not at {host!r}")


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
            if not is_form(request):
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
    origin = request.headers.get("origin")
    is_own = origin is None or origin == f"{request.scope['scheme']}://{_host_of(request)}"
    if not is_own or is_cross_site(request):
        raise HTTPException(403, "a page of another site sent this")


def _host_of(request: Request) -> str:
    """Return the host that was asked for; HTTP/2 has no header for it, but mitmproxy knows it."""
    return request.headers.get("host") or HOST
