"""Middleware for request bodies: size and time limits, and CSRF protection of forms.

A form carries a token that only our own pages know, in the field ``csrf`` or the header
``X-CSRF-Token``, and the browser sends the same one as a cookie (double submit).
`CheckDoubleSubmit` compares them; handlers get the form from `thresher.app.context.form_of`.
"""

from __future__ import annotations

import secrets
from typing import Final

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thresher.app.api.requests import is_json
from thresher.app.guards import SAFE_METHODS, is_token
from thresher.app.problems import answer
from thresher.serving.guards import is_form
from thresher.support.quoting import read_whole_number

__all__ = ["COOKIE", "FIELD", "HEADER", "CheckDoubleSubmit", "LimitBody"]

COOKIE: Final = "thresher_csrf"
FIELD: Final = "csrf"
HEADER: Final = "x-csrf-token"
_FOR_PROGRAMS: Final = "/api/"
_STREAMED: Final = frozenset(("/api/batch",))
"""Paths with unbounded bodies, which limit reading themselves."""


class LimitBody:
    """Limits the bytes of a body, and the seconds to receive it.

    All bodies being received at a time are limited to ``max_total_bytes``.
    """

    def __init__(
        self, app: ASGIApp, max_bytes: int, timeout_s: float, max_total_bytes: int
    ) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._timeout_s = timeout_s
        self._max_total_bytes = max_total_bytes
        self._total_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject a body with 413 by its Content-Length; raise 413 or 408 while reading."""
        if scope["type"] != "http" or _is_streamed(scope):
            await self._app(scope, receive, send)
            return
        announced = read_whole_number(Headers(scope=scope).get("content-length", "0"))
        if announced is not None and announced > self._max_bytes:
            error = HTTPException(413, self._too_large(), {"Connection": "close"})
            await answer(Request(scope), error)(scope, receive, send)
            return
        until_s = anyio.current_time() + self._timeout_s
        n_bytes, is_whole = 0, False

        async def receive_within() -> Message:
            nonlocal n_bytes, is_whole
            if is_whole:  # the only message left is the disconnect
                return await receive()
            try:
                with anyio.fail_after(max(until_s - anyio.current_time(), 0)):
                    message = await receive()
            except TimeoutError:
                headers = {"Connection": "close"}
                raise HTTPException(408, "the request was sent too slowly", headers) from None
            n_new = len(message.get("body", b""))
            n_bytes += n_new
            self._total_bytes += n_new
            if n_bytes > self._max_bytes:
                raise HTTPException(413, self._too_large(), {"Connection": "close"})
            if self._total_bytes > self._max_total_bytes:
                headers = {"Connection": "close", "Retry-After": "5"}
                raise HTTPException(503, "the server is busy; try again later", headers)
            is_whole = not message.get("more_body", False)
            return message

        try:
            await self._app(scope, receive_within, send)
        finally:
            self._total_bytes -= n_bytes

    def _too_large(self) -> str:
        return f"the request is larger than {self._max_bytes:,} bytes"


def _is_streamed(scope: Scope) -> bool:
    """Return whether a body is read as it arrives: a batch of lines, not of one object."""
    return scope["path"] in _STREAMED and not is_json(Headers(scope=scope))


class CheckDoubleSubmit:
    """Parses forms and rejects those not sent by our own pages.

    Requests to the API are passed on; `thresher.app.guards.check_origin` protects them.
    """

    def __init__(self, app: ASGIApp, max_field_bytes: int) -> None:
        self._app = app
        self._max_field_bytes = max_field_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject a form without its token with 403; set ``request.state.form``."""
        if scope["type"] != "http" or scope["path"].startswith(_FOR_PROGRAMS):
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        known = request.cookies.get(COOKIE, "")
        request.state.csrf = known or secrets.token_urlsafe(24)

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and not known:
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    cookie = f"{COOKIE}={request.state.csrf}; Path=/; HttpOnly; SameSite=Lax"
                    headers.append("Set-Cookie", cookie)
            await send(message)

        if scope["method"] not in SAFE_METHODS:
            try:
                given = await self._read(request)
                if not known or not is_token(given, known):
                    raise HTTPException(403, "this form has expired; reload the page and try again")
            except HTTPException as error:
                await answer(request, error)(scope, receive, send_with_cookie)
                return
        try:
            await self._app(scope, receive, send_with_cookie)
        finally:
            if (form := getattr(request.state, "form", None)) is not None:
                await form.close()

    async def _read(self, request: Request) -> str:
        """Parse the form, if there is one; return the token of the request."""
        given = request.headers.get(HEADER, "")
        if is_form(request):
            form = await request.form(max_part_size=self._max_field_bytes)
            request.state.form = form
            given = given or str(form.get(FIELD, ""))
        return given
