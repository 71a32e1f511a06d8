"""Request guards of the settings pages: host names, form tokens and the security policy.

A web page could link to the settings, frame them or post to them: framing is denied, and its posts
lack the token and have another origin. The policy blocks external resources and inline scripts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from thresher.proxy.own_pages import HOST
from thresher.proxy.pages.context import (
    FIELD,
    PURPOSE,
    answer_error,
    context_of,
    visitor_of,
)
from thresher.serving.guards import LOOPBACK_NAMES, SECURE_HEADERS, is_cross_site, is_form, name_of
from thresher.support.quoting import quote

__all__ = ["HEADERS", "POLICY", "CheckSignedForms", "check_host"]

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    f"img-src 'self' https://{HOST}; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""Content Security Policy (CSP Level 3). The image over HTTPS tests the certificate."""
HEADERS: Final[Mapping[str, str]] = {"Content-Security-Policy": POLICY, **SECURE_HEADERS}
"""Headers of every response."""
_SAFE_METHODS: Final = frozenset(("GET", "HEAD"))
_MAX_FIELDS: Final = 1000
_MAX_FIELD_BYTES: Final = 16 * 2**20


def check_host(request: Request) -> None:
    """Reject unknown host names with 403, against DNS rebinding.

    Through the proxy only its own name is valid; on the port, the loopback names.
    """
    host = name_of(_host_of(request))
    names = LOOPBACK_NAMES if request.scope.get("state", {}).get("is_port") else {HOST}
    if host not in names:
        raise HTTPException(403, f"the settings are not served at {quote(host)}")


class CheckSignedForms:
    """Middleware that parses forms and rejects those not sent by our own pages."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject forms of other pages with 403; set ``request.state.form``."""
        if scope["method"] in _SAFE_METHODS:
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            _check_origin(request)
            if not is_form(request):
                raise HTTPException(415, "only forms are accepted here")
            form = await request.form(max_fields=_MAX_FIELDS, max_part_size=_MAX_FIELD_BYTES)
            token = form.get(FIELD, "")
            user = visitor_of(request).user
            if not context_of(request).state.is_token(str(token), user, PURPOSE):
                raise HTTPException(403, "this form has expired; reload the page and try again")
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
        raise HTTPException(403, "this request came from another site")


def _host_of(request: Request) -> str:
    """Return the requested host; HTTP/2 has no Host header, so it defaults to the proxy's name."""
    return request.headers.get("host") or HOST
