"""ASGI application of the settings pages: its routes and guards; the overview and the log.

A web page could link to the settings, frame them or post to them: framing is denied, and its posts
lack the token and have another origin. The policy blocks external resources and inline scripts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
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
from thresher.proxy.own_pages import HOST
from thresher.proxy.pages import filters, preview, settings, setup
from thresher.proxy.pages.context import (
    FIELD,
    PURPOSE,
    THEME_COOKIE,
    ProxyContext,
    answer_error,
    context_of,
    form_of,
    go_to,
    render,
    visitor_of,
)
from thresher.proxy.pages.settings import offered_lists
from thresher.proxy.state import ProxyState
from thresher.serving.pages import (
    LOOPBACK_NAMES,
    SECURE_HEADERS,
    YEAR_S,
    RequestGuard,
    SecureHeaders,
    is_cross_site,
    is_form,
    name_of,
)
from thresher.serving.pool import Pool
from thresher.support.quoting import quote

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
    return request.headers.get("host") or HOST


_MAX_HOSTS: Final = 10
_MAX_RECENT: Final = 8


async def show(request: Request) -> Response:
    """Show the statistics; visited hosts are visible to the administrator only."""
    context, visitor = context_of(request), visitor_of(request)
    counts = context.state.statistics
    hosts = Counter(seen.host for seen in counts.recent)
    return render(
        request,
        "overview.html",
        profile=context.state.settings.current.profile_of(visitor.user),
        counts=counts,
        since=datetime.fromtimestamp(counts.since, UTC),
        outcomes=_by_count(counts.outcomes),
        reasons=_by_count(counts.reasons),
        removed=_by_count(counts.removed),
        hosts=hosts.most_common(_MAX_HOSTS),
        recent=list(counts.recent)[:_MAX_RECENT],
        n_recent=len(counts.recent),
        stopped=counts.stopped.most_common(_MAX_HOSTS),
        n_rule=len(context.state.blocklist),
        lists=context.lists.states,
        settings_error=context.state.settings.error,
        rules_error=context.state.rules_error,
        offered=offered_lists(context),
        is_updating=context.lists.is_updating,
    )


async def set_theme(request: Request) -> Response:
    """Save the colour theme in a cookie, and redirect back."""
    form = form_of(request)
    response = go_to(_local_path(form.get("next", "/")))
    response.set_cookie(
        THEME_COOKIE, form.get("theme", "auto")[:5], max_age=YEAR_S, samesite="lax", httponly=True
    )
    return response


def _by_count(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _local_path(path: str) -> str:
    """Return a local path; the first page for anything that leads elsewhere."""
    is_local = path.startswith("/") and path.isascii() and path.isprintable()
    return path if is_local and not path.startswith("//") and "\\" not in path else "/"


async def show_log(request: Request) -> Response:
    """Show the entries that contain the words of the query."""
    words = request.query_params.get("words", "")
    entries = context_of(request).state.log.find(words)
    times = [datetime.fromtimestamp(entry.when, UTC).strftime("%H:%M:%S") for entry in entries]
    return render(
        request,
        "log.html",
        words=words,
        entries=tuple(zip(times, entries, strict=True)),
        has_users=any(entry.user for entry in entries),
    )


_GET, _POST = ("GET",), ("POST",)
_STATIC: Final = Path(__file__).parent / "static"
_CA_DIR: Final = ".mitmproxy"
"""Folder in the user's home where mitmproxy keeps its certificate authority."""
_ROUTES: Final = (
    Route("/", show, methods=_GET),
    Route("/theme", set_theme, methods=_POST),
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
    Route("/certificate", setup.show_certificate, methods=_GET),
    Route("/certificate/test.svg", setup.send_test, methods=_GET),
    Route("/certificate/{name}", setup.send_certificate, methods=_GET),
)
_FOR_ADMINISTRATORS: Final = (
    Route("/sites", settings.show_sites, methods=_GET),
    Route("/sites", settings.save_site, methods=_POST),
    Route("/lists", settings.show_lists, methods=_GET),
    Route("/lists", settings.save_lists, methods=_POST),
    Route("/lists/update", settings.update_lists, methods=_POST),
    Route("/lists/recommended", settings.take_recommended, methods=_POST),
    Route("/proxy", settings.show_network, methods=_GET),
    Route("/proxy", settings.save_network, methods=_POST),
    Route("/proxy/user", settings.save_user, methods=_POST),
    Route("/log", show_log, methods=_GET),
    Route("/files", filters.show_files, methods=_GET),
    Route("/files/{name}", filters.send_settings, methods=_GET),
    Route("/files/{name}", filters.take_settings, methods=_POST),
)


def build_pages(
    state: ProxyState, pool: Pool, lists: ListUpdates, ca_dir: Path | None = None
) -> ASGIApp:
    """Build the settings application of a proxy that starts with the current settings.

    The ``state`` in a request's scope identifies the visitor: ``user`` is the name authenticated by
    the proxy, ``is_port`` whether the request came in on the administrator's port. ``lists``
    updates the block lists; ``ca_dir`` is mitmproxy's, ``~/.mitmproxy`` by default.
    """
    context = ProxyContext(state, pool, lists, ca_dir or Path.home() / _CA_DIR)
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
        exception_handlers={HTTPException: _handle, ThresherError: _handle, Exception: _handle},
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
