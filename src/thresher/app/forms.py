"""Bodies of requests: how large, how slow, and whether a form is one of ours.

A form carries a token that only our own pages know, in the field ``csrf`` or the header
``X-CSRF-Token``, and the browser sends the same one as a cookie (double submit). `CheckForms`
compares them, once and for all; a handler takes the form with `thresher.app.context.form_of`.
"""

from __future__ import annotations

import secrets
from typing import Final

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thresher.app.guards import SAFE_METHODS, is_token
from thresher.app.problems import answer
from thresher.serving.guards import is_form

__all__ = ["COOKIE", "FIELD", "HEADER", "CheckForms", "LimitBody"]

COOKIE: Final = "thresher_csrf"
FIELD: Final = "csrf"
HEADER: Final = "x-csrf-token"
_FOR_PROGRAMS: Final = "/api/"
_STREAMED: Final = frozenset(("/api/batch",))
"""Paths whose bodies have no end: they bound what they read themselves."""


class LimitBody:
    """Reads no more than so many bytes of a body, and waits no longer than so many seconds.

    Of all bodies that come in at a time it reads no more than ``max_total_bytes``.
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
        """Refuse with 413 what announces too much; raise that or 408 where it turns out so."""
        if scope["type"] != "http" or scope["path"] in _STREAMED:
            await self._app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "0")
        if announced.isdigit() and int(announced) > self._max_bytes:
            error = HTTPException(413, self._says(), {"Connection": "close"})
            await answer(Request(scope), error)(scope, receive, send)
            return
        until_s = anyio.current_time() + self._timeout_s
        n_bytes, is_whole = 0, False

        async def receive_within() -> Message:
            nonlocal n_bytes, is_whole
            if is_whole:  # what is waited for now is that the client goes
                return await receive()
            try:
                with anyio.fail_after(max(until_s - anyio.current_time(), 0)):
                    message = await receive()
            except TimeoutError:
                headers = {"Connection": "close"}
                raise HTTPException(408, "the request came too slowly", headers) from None
            n_new = len(message.get("body", b""))
            n_bytes += n_new
            self._total_bytes += n_new
            if n_bytes > self._max_bytes:
                raise HTTPException(413, self._says(), {"Connection": "close"})
            if self._total_bytes > self._max_total_bytes:
                headers = {"Connection": "close", "Retry-After": "5"}
                raise HTTPException(503, "too much is being sent; try again", headers)
            is_whole = not message.get("more_body", False)
            return message

        try:
            await self._app(scope, receive_within, send)
        finally:
            self._total_bytes -= n_bytes

    def _says(self) -> str:
        return f"a request has at most {self._max_bytes:,} bytes here"


class CheckForms:
    """Reads forms, and lets only those through that a page of ours sent.

    What programs send to the API is let through: `thresher.app.guards.check_origin` has looked.
    """

    def __init__(self, app: ASGIApp, max_field_bytes: int) -> None:
        self._app = app
        self._max_field_bytes = max_field_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a form without its token with 403; the form is then ``request.state.form``."""
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
                    raise HTTPException(403, "this form is too old; go back and load it anew")
            except HTTPException as error:
                await answer(request, error)(scope, receive, send_with_cookie)
                return
        try:
            await self._app(scope, receive, send_with_cookie)
        finally:
            if (form := getattr(request.state, "form", None)) is not None:
                await form.close()

    async def _read(self, request: Request) -> str:
        """Read the form, if it is one; return the token that came with the request."""
        given = request.headers.get(HEADER, "")
        if is_form(request):
            form = await request.form(max_part_size=self._max_field_bytes)
            request.state.form = form
            given = given or str(form.get(FIELD, ""))
        return given
