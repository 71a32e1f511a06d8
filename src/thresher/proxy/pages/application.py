"""ASGI application of the settings pages, and its table of routes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from thresher.errors import ThresherError
from thresher.proxy.list_updates import ListUpdates
from thresher.proxy.pages import (
    certificate,
    files,
    filters,
    lists,
    log,
    network,
    overview,
    preview,
    setup,
    sites,
)
from thresher.proxy.pages.context import ProxyContext, answer_error, visitor_of
from thresher.proxy.pages.guards import HEADERS, CheckSignedForms, check_host
from thresher.proxy.pages.preview_cache import PreviewCache
from thresher.proxy.state import ProxyState
from thresher.serving.guards import RequestGuard, SecureHeaders
from thresher.serving.pool import Pool

__all__ = ["build_pages"]

_GET, _POST = ("GET",), ("POST",)
_STATIC: Final = Path(__file__).parent / "static"
_CA_DIR: Final = ".mitmproxy"
"""Folder in the user's home where mitmproxy keeps its certificate authority."""
_ROUTES: Final = (
    Route("/", overview.show, methods=_GET),
    Route("/theme", overview.set_theme, methods=_POST),
    Route("/filters", filters.show, methods=_GET),
    Route("/filters", filters.save, methods=_POST),
    Route("/filters/reset", filters.reset, methods=_POST),
    Route("/filters/profile.toml", filters.send_file, methods=_GET),
    Route("/filters/profile.toml", filters.take_file, methods=_POST),
    Route("/preview", preview.show, methods=_GET),
    Route("/preview", preview.run, methods=_POST),
    Route("/preview/page/{name}", preview.send_page, methods=_GET),
    Route("/setup", setup.show, methods=_GET),
    Route("/setup/code.svg", setup.send_code, methods=_GET),
    Route("/proxy.pac", setup.send_pac, methods=_GET),
    Route("/certificate", certificate.show, methods=_GET),
    Route("/certificate/test.svg", certificate.send_test, methods=_GET),
    Route("/certificate/{name}", certificate.send, methods=_GET),
)
_FOR_ADMINISTRATORS: Final = (
    Route("/sites", sites.show, methods=_GET),
    Route("/sites", sites.save, methods=_POST),
    Route("/lists", lists.show, methods=_GET),
    Route("/lists", lists.save, methods=_POST),
    Route("/lists/update", lists.update, methods=_POST),
    Route("/lists/recommended", lists.take_recommended, methods=_POST),
    Route("/proxy", network.show, methods=_GET),
    Route("/proxy", network.save, methods=_POST),
    Route("/proxy/user", network.save_user, methods=_POST),
    Route("/log", log.show, methods=_GET),
    Route("/files", files.show, methods=_GET),
    Route("/files/{name}", files.send, methods=_GET),
    Route("/files/{name}", files.take, methods=_POST),
)


def build_pages(
    state: ProxyState,
    pool: Pool,
    lists: ListUpdates | None = None,
    ca_dir: Path | None = None,
) -> ASGIApp:
    """Build the settings application of a proxy that starts with the current settings.

    The ``state`` in a request's scope identifies the visitor: ``user`` is the name authenticated by
    the proxy, ``is_port`` whether the request came in on the administrator's port. ``lists``
    updates the block lists; ``ca_dir`` is mitmproxy's, ``~/.mitmproxy`` by default.
    """
    context = ProxyContext(
        state, pool, lists, ca_dir or Path.home() / _CA_DIR, state.settings, PreviewCache()
    )
    routes = Starlette(
        routes=[
            *_ROUTES,
            # Files shared with the app are in `thresher.serving`.
            Mount(
                "/static", StaticFiles(directory=_STATIC, packages=[("thresher.serving", "static")])
            ),
            *map(_guard, _FOR_ADMINISTRATORS),
        ],
        middleware=[
            Middleware(SecureHeaders, HEADERS),
            Middleware(RequestGuard, check_host, answer_error),
            Middleware(CheckSignedForms),
        ],
        exception_handlers={
            HTTPException: _handle,
            ThresherError: _handle,
            Exception: _handle,
        },
    )

    async def pages(scope: Scope, receive: Receive, send: Send) -> None:
        await routes({**scope, "thresher": context}, receive, send)

    return pages


def _guard(route: Route) -> Route:
    """Restrict a route to the administrator."""

    async def answer(request: Request) -> Response:
        if not visitor_of(request).is_admin:
            raise HTTPException(
                403, "only the administrator can open this page, on the settings port"
            )
        response: Response = await route.endpoint(request)
        return response

    return Route(route.path, answer, methods=sorted(route.methods or ()))


async def _handle(request: Request, error: Exception) -> Response:
    return answer_error(request, error)
