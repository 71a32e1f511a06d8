"""Assembly and serving of the app."""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final, cast

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from thresher.app.context import build_context
from thresher.app.full_feeds import FullFeeds
from thresher.app.gathering import Gatherer
from thresher.app.guards import HEADERS, RequireToken, check_host, check_origin
from thresher.app.logs import Observe, set_up_logs
from thresher.app.problems import answer, handle
from thresher.app.request_bodies import CheckDoubleSubmit, Decompress, LimitBody
from thresher.app.routes import API_ROUTES, LAB, NAV, ROUTES
from thresher.app.settings import AppSettings, is_loopback
from thresher.errors import ThresherError, UsageError
from thresher.serving.guards import LOOPBACK_NAMES, RequestGuard, check_message
from thresher.serving.headers import SecureHeaders
from thresher.serving.http_server import AsgiApp, HttpServer
from thresher.serving.sockets import open_socket
from thresher.support.disk import explain_os_error
from thresher.support.hosts import ascii_host

_LOG: Final = logging.getLogger(__name__)
_ESCAPED: Final = 2
"""Growth factor of a page when it is escaped in JSON or a form."""
_FORM_BYTES: Final = 2**20
"""Bytes of a request besides the page."""
_MAX_LARGEST: Final = 8
"""Maximum of bodies of the largest size received at a time, or as many bytes in smaller ones."""
_GRACE_S: Final = 20
"""Seconds to finish open requests at shutdown."""
_OWN_PROXY: Final = "127.0.0.1"
"""Trusted address for forwarding headers: a proxy on this machine."""


def build_app(settings: AppSettings) -> Starlette:
    """Build the ASGI application; its worker processes live for the lifespan."""
    context = build_context(settings)
    gatherer = Gatherer(context)

    @asynccontextmanager
    async def live(app: Starlette) -> AsyncIterator[None]:
        await context.pool.warm()
        async with anyio.create_task_group() as group:
            if not settings.only_api:
                group.start_soon(gatherer.run)
            yield
            group.cancel_scope.cancel()
        await context.pool.close()

    max_body_bytes = settings.max_bytes * _ESCAPED + _FORM_BYTES
    body_s = settings.connections.body_s
    guards = [
        Middleware(Observe, context.metrics),
        Middleware(SecureHeaders, HEADERS),
        Middleware(RequestGuard, check_message, answer),
        Middleware(RequestGuard, partial(check_host, hosts=_hosts_of(settings)), answer),
        Middleware(RequestGuard, check_origin, answer),
        *([Middleware(RequireToken, settings.token, settings.keys)] if settings.token else []),
        Middleware(Decompress),
        Middleware(LimitBody, max_body_bytes, body_s, max_body_bytes * _MAX_LARGEST),
        # It sets a cookie for forms, of which the API has none.
        *([] if settings.only_api else [Middleware(CheckDoubleSubmit, max_body_bytes)]),
    ]
    app = Starlette(
        routes=API_ROUTES if settings.only_api else ROUTES,
        middleware=guards,
        exception_handlers={HTTPException: handle, ThresherError: handle, Exception: handle},
        lifespan=live,
    )
    app.state.context = context
    app.state.nav, app.state.lab = NAV, LAB
    app.state.gatherer = gatherer
    app.state.feeds = FullFeeds(context)
    return app


def serve(settings: AppSettings, *, on_listening: Callable[[str], object] | None = None) -> None:
    """Serve until a signal to stop; then finish open requests.

    ``on_listening`` is called with the address of the app. Raises UsageError if it cannot listen.
    """
    app = build_app(settings)
    set_up_logs(json_lines=settings.json_logs)
    with _listen(settings) as listening:
        place = f"[{settings.host}]" if ":" in settings.host else settings.host
        address = f"http://{place}:{listening.getsockname()[1]}/"
        _LOG.info("the app is at %s", address)
        if on_listening:
            on_listening(address)
        server = HttpServer(
            cast("AsgiApp", app),
            settings.connections,
            forwarded_allow_ips=_OWN_PROXY,
            timeout_graceful_shutdown=_GRACE_S,
            lifespan="on",
        )
        with suppress(KeyboardInterrupt):  # the usual way to stop it
            server.run(sockets=[listening])
    _LOG.info("the app has stopped")


def _listen(settings: AppSettings) -> socket.socket:
    """Open the listening socket; clients wait until the server accepts."""
    try:
        return open_socket(settings.host, settings.port)
    except OSError as error:
        where = f"{settings.host}, port {settings.port}"
        reason = explain_os_error(error)
        raise UsageError(
            f"cannot listen on {where}: {reason}; choose another with --host or --port"
        ) from error


def _hosts_of(settings: AppSettings) -> frozenset[str]:
    """Return the allowed host names; empty for any.

    With a token, DNS rebinding gains nothing: the browser has no session for the other name.
    """
    if not is_loopback(settings.host):
        return frozenset(ascii_host(name) for name in settings.hosts)
    return LOOPBACK_NAMES | {settings.host.lower(), *map(ascii_host, settings.hosts)}
