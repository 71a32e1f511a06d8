"""Request guards of the app: host names, origins, access token, the security policy, and bodies.

`server` defines their order. All but the token protect a server on this machine, which any page
that the user opens could otherwise reach. `Decompress` stands before `LimitBody`, which thus limits
what comes out of a compressed body. A form carries a token that only our own pages know, in the
field ``csrf`` or the header ``X-CSRF-Token``, and the browser sends the same one as a cookie
(double submit). `CheckDoubleSubmit` compares them; handlers get the form from
`thresher.app.context.form_of`.
"""

from __future__ import annotations

import hmac
import math
import secrets
import zlib
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Final
from urllib.parse import quote

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thresher.app.api.requests import is_json
from thresher.app.context import answer, is_for_programs, path_with
from thresher.app.settings import Allowance, ApiKey
from thresher.serving.pages import SECURE_HEADERS, is_cross_site, is_form, name_of
from thresher.support.quoting import read_whole_number

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
_FOR_PROGRAMS: Final = "/api/"
"""Beginning of the paths that keys open, and that take no forms."""
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
        bearer = given.strip() if kind.lower() == "bearer" else ""
        if scope["path"].startswith(_FOR_PROGRAMS):
            for secret, allowance in self._keys:
                if is_token(bearer, secret):
                    await self._let_in(scope, receive, send, allowance)
                    return
        session = connection.cookies.get(SESSION, "")
        if is_token(bearer, self._token) or is_token(session, session_of(self._token)):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        if is_for_programs(request) or scope["method"] != "GET" or scope["path"] == "/metrics":
            headers = {"WWW-Authenticate": "Bearer"}
            response = answer(request, HTTPException(401, "a token is required", headers))
        else:
            here = path_with(scope["path"], scope["query_string"].decode("latin-1"))
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


_GZIP: Final = frozenset(("gzip", "x-gzip"))
_GZIP_BITS: Final = zlib.MAX_WBITS | 16
"""Window of zlib, with the bit that stands for the format gzip."""
_PIECE_BYTES: Final = 2**16
"""Bytes that are decompressed at a time: a small body may be a very large page."""
_OF_THE_BODY: Final = frozenset((b"content-encoding", b"content-length"))
"""Headers that are not those of the decompressed body."""


class Decompress:
    """Passes compressed bodies on as plain ones."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject codings other than gzip with 415; raise 400 while reading what is not gzip."""
        headers: Mapping[str, str] = Headers(scope=scope) if scope["type"] == "http" else {}
        coding = headers.get("content-encoding", "").strip().lower()
        if coding in ("", "identity"):
            await self._app(scope, receive, send)
        elif coding in _GZIP:
            kept = [header for header in scope["headers"] if header[0] not in _OF_THE_BODY]
            messages = _decompress(receive)
            await self._app({**scope, "headers": kept}, messages.__anext__, send)
        else:
            offered = {"Accept-Encoding": "gzip"}
            error = HTTPException(415, "send the body as it is, or as gzip", offered)
            await answer(Request(scope), error)(scope, receive, send)


async def _decompress(receive: Receive) -> AsyncIterator[Message]:
    """Yield the messages of a body, decompressed, and then those that follow it."""
    body = _GzipBody()
    has_more = True
    while has_more:
        message = await receive()
        if message["type"] != "http.request":
            yield message
            continue
        try:
            for piece in body.feed(message.get("body", b"")):
                yield {"type": "http.request", "body": piece, "more_body": True}
        except zlib.error:
            raise HTTPException(400, "the body is not gzip, as it is said to be") from None
        has_more = message.get("more_body", False)
    if not body.is_whole:
        raise HTTPException(400, "the gzip body is cut off")
    yield {"type": "http.request", "body": b"", "more_body": False}
    while True:
        yield await receive()


class _GzipBody:
    """Body of one or more gzip members, fed in parts."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(_GZIP_BITS)
        self.is_whole = True
        """Whether the body may end here."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield what can be decompressed with this part; raise zlib.error where it is not gzip."""
        is_full = False
        while data or is_full:
            if self._member.eof:
                self._member = zlib.decompressobj(_GZIP_BITS)
            piece = self._member.decompress(data, _PIECE_BYTES)
            if piece:
                yield piece
            is_full = len(piece) == _PIECE_BYTES and not self._member.eof
            data = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            self.is_whole = self._member.eof


COOKIE: Final = "thresher_csrf"
FIELD: Final = "csrf"
HEADER: Final = "x-csrf-token"
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
        # A batch of lines is read as it arrives, one of a single object is not.
        is_streamed = scope.get("path") in _STREAMED and not is_json(Headers(scope=scope))
        if scope["type"] != "http" or is_streamed:
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
        token = request.cookies.get(COOKIE, "")
        request.state.csrf = token or secrets.token_urlsafe(24)

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and not token:
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    cookie = f"{COOKIE}={request.state.csrf}; Path=/; HttpOnly; SameSite=Lax"
                    headers.append("Set-Cookie", cookie)
            await send(message)

        if scope["method"] not in SAFE_METHODS:
            try:
                given = await self._read(request)
                if not token or not is_token(given, token):
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
        given = request.headers.get(HEADER, "")
        if is_form(request):
            form = await request.form(max_part_size=self._max_field_bytes)
            request.state.form = form
            given = given or str(form.get(FIELD, ""))
        return given
