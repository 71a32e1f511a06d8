"""Assembly and serving of the app: its routes, the entries of its menu, and its guards."""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, cast

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from thresher.app.api import handlers as api
from thresher.app.context import answer, build_context, handle
from thresher.app.gathering import Gatherer
from thresher.app.guards import (
    HEADERS,
    CheckDoubleSubmit,
    Decompress,
    LimitBody,
    RequireToken,
    check_host,
    check_origin,
)
from thresher.app.logs import Observe, set_up_logs
from thresher.app.pages import (
    decide,
    feeds,
    inspect,
    label,
    label_pages,
    leaderboard,
    opening,
    read,
    rules,
    saved,
    saved_exports,
    train,
    visitors,
)
from thresher.app.pages.feeds import FullFeeds
from thresher.app.settings import AppSettings
from thresher.errors import ThresherError, UsageError
from thresher.serving.connections import open_socket
from thresher.serving.http_server import AsgiApp, HttpServer
from thresher.serving.pages import LOOPBACK_NAMES, RequestGuard, SecureHeaders, check_message
from thresher.support.files import explain_os_error
from thresher.support.hosts import ascii_host, is_loopback

API_ROUTES: Final[tuple[BaseRoute, ...]] = (
    Route("/api/openapi.json", api.show_openapi),
    Route("/api/methods", api.list_methods),
    Route("/api/extract", api.extract, methods=["POST"]),
    Route("/api/batch", api.batch, methods=["POST"]),
    Route("/healthz", api.show_health),
    Route("/metrics", api.show_metrics),
)
"""The API and what watches a server."""

ROUTES: Final[tuple[BaseRoute, ...]] = (
    Route("/", opening.show_form, name="start"),
    Route("/sample/{view}", opening.open_sample),
    Route("/read", opening.open_address, name="open_address"),
    Route("/read", opening.open_form, methods=["POST"]),
    Route("/read/{page}", opening.opening_again(read.show_article), name="read"),
    Route("/read/{page}/download", read.download, name="download"),
    Route("/read/{page}/image", read.show_image, name="image"),
    Route("/read/{page}/save", saved.save_page, methods=["POST"]),
    Route("/read/{page}/highlights", read.highlight_passage, methods=["POST"]),
    Route("/read/{page}/highlights/{highlight:int}/note", read.note_passage, methods=["POST"]),
    Route("/read/{page}/highlights/{highlight:int}/delete", read.remove_passage, methods=["POST"]),
    Route(
        "/read/{page}/highlights/{highlight:int}/restore", read.restore_passage, methods=["POST"]
    ),
    Route("/feed", feeds.show_full_feed),
    Route("/feeds", feeds.show_feeds, name="feeds"),
    Route("/feeds/feeds.opml", feeds.download_opml),
    Route("/feeds/subscribe", feeds.subscribe, methods=["POST"]),
    Route("/feeds/change", feeds.change, methods=["POST"]),
    Route("/feeds/items/{item:int}", feeds.open_item),
    Route("/saved", saved.show_list, name="saved"),
    Route("/saved/feed.xml", saved_exports.show_feed),
    Route("/saved/opds.xml", saved_exports.show_catalog),
    Route("/saved/book.epub", saved_exports.download_collection),
    Route("/saved/highlights.md", saved_exports.download_highlights),
    Route("/saved/bookmarks.html", saved_exports.download_bookmarks),
    Route("/saved/all.zip", saved_exports.download_all),
    Route("/saved/import", saved_exports.import_pages, methods=["POST"]),
    Route("/saved/{page:int}/book.epub", saved_exports.download_book),
    Route("/saved/{page:int}", saved.open_page),
    Route("/saved/{page:int}/tags", saved.set_tags, methods=["POST"]),
    Route("/saved/{page:int}/progress", saved.note_progress, methods=["POST"]),
    Route("/saved/change", saved.change, methods=["POST"]),
    Route("/inspect", opening.open_address),
    Route("/inspect", opening.open_form, methods=["POST"]),
    Route("/inspect/{page}", opening.opening_again(inspect.show_inspection), name="inspect"),
    Route("/inspect/{page}/block/{block:int}", inspect.show_block),
    Route("/compare", opening.open_address),
    Route("/compare", opening.open_form, methods=["POST"]),
    Route("/compare/{page}", opening.opening_again(inspect.show_comparison), name="compare"),
    Route("/rules", rules.show_rules),
    Route("/rules", rules.save_rules, methods=["POST"]),
    Route("/rules/add", rules.add_rule, methods=["POST"]),
    Route("/rules/preview", rules.preview_rules, methods=["POST"]),
    Route("/label", label.show_label, name="label"),
    Route("/label/pages", label_pages.show_pages),
    Route("/label/who", visitors.set_labeller, methods=["POST"]),
    Route("/label/undo", label.undo_label, methods=["POST"]),
    Route("/label/add", label_pages.add_pages, methods=["POST"]),
    Route("/label/export", label_pages.export),
    Route("/label/{page:int}", label.save_label, methods=["POST"]),
    Route("/label/{page:int}/sheet", label.show_sheet),
    Route("/label/{page:int}/drawn", label.show_drawn),
    Route("/label/{page:int}/decide", decide.show_choice),
    Route("/label/{page:int}/decide", decide.save_choice, methods=["POST"]),
    Route("/label/{page:int}/inspect", label_pages.inspect_page),
    Route("/label/{page:int}/delete", label_pages.delete_page, methods=["POST"]),
    Route("/label/{page:int}/restore", label_pages.restore_page, methods=["POST"]),
    Route("/train", train.show_train, name="train"),
    Route("/train", train.start_run, methods=["POST"]),
    Route("/train/forget", train.forget_weights, methods=["POST"]),
    Route("/train/{run}", train.show_run),
    Route("/train/{run}/events", train.follow_training),
    Route("/train/{run}/cancel", train.cancel_training, methods=["POST"]),
    Route("/train/{run}/use", train.use_weights, methods=["POST"]),
    Route("/train/{run}/files/{file}", train.download_weights),
    Route("/leaderboard", leaderboard.show_leaderboard, name="leaderboard"),
    Route("/leaderboard", leaderboard.start_board, methods=["POST"]),
    Route("/leaderboard/{run}", leaderboard.show_board),
    Route("/leaderboard/{run}/events", leaderboard.follow_board),
    Route("/leaderboard/{run}/cancel", leaderboard.cancel_board, methods=["POST"]),
    Route("/leaderboard/{run}/inspect", leaderboard.inspect_board_page),
    Route("/preferences", visitors.set_preferences, methods=["POST"]),
    Route("/login", visitors.show_login),
    Route("/login", visitors.log_in, methods=["POST"]),
    Route("/logout", visitors.log_out, methods=["POST"]),
    Route("/api", api.show_api, name="api"),
    *API_ROUTES,
    Route("/api/pages", api.put_page, methods=["POST"]),
    Mount(
        "/static",
        # Files shared with the proxy are in `thresher.serving`.
        StaticFiles(
            directory=Path(__file__).parent / "static", packages=[("thresher.serving", "static")]
        ),
        name="static",
    ),
)
"""All routes of the app, in matching order."""

NAV: Final[tuple[tuple[str, str], ...]] = (("Read", "/"), ("Saved", "/saved"), ("Feeds", "/feeds"))
"""Label and path of the menu entries; the entry whose path is a prefix of the page's is current."""
LAB: Final[tuple[tuple[str, str, str], ...]] = (
    ("Inspect", "/inspect", "why each block was kept or dropped"),
    ("Compare", "/compare", "two methods on one page"),
    ("Rules", "/rules", "what is always kept or dropped on a site"),
    ("Label", "/label", "mark the content of pages"),
    ("Train", "/train", "weights of your own, from labels"),
    ("Leaderboard", "/leaderboard", "methods on labelled pages"),
)
"""The same for the menu Lab, with what each page is for."""


_LOG: Final = logging.getLogger(__name__)
_FORM_BYTES: Final = 2**20
"""Bytes of a request besides the page."""
_MAX_LARGEST: Final = 8
"""Bodies of the largest size that are received at a time, or as many bytes in smaller ones."""
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

    max_body_bytes = settings.max_escaped_bytes + _FORM_BYTES
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
