"""mitmproxy addon: selects the flows that are pages, sends them to workers, counts outcomes."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import replace
from typing import Any, Final

from mitmproxy import connection, ctx, http, tls
from mitmproxy.addons import asgiapp
from mitmproxy.proxy import layer

from thresher.errors import InputError, LimitError, ThresherError
from thresher.proxy import internal
from thresher.proxy.buffered_body import BufferedBody
from thresher.proxy.decoders import decoder_of
from thresher.proxy.headers import drop_conditions, mark_changed, replace_policy
from thresher.proxy.navigation import charset_of, skip_reason
from thresher.proxy.page_request import PageRequest, lower_names, read_request
from thresher.proxy.rewrite import ReceivedPage, Rewritten, rewrite
from thresher.proxy.setting_checks import is_in_networks
from thresher.proxy.state import ProxyState
from thresher.proxy.statistics import PageRecord
from thresher.proxy.stopped_requests import answer_empty, is_listed
from thresher.proxy.stream import PAGE, PageInFlight, hold_pages
from thresher.serving.pool import Pool
from thresher.support.hosts import ascii_host

__all__ = ["AsgiApp", "ThresherAddon", "ignored_hosts"]

AsgiApp = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]
_LOG: Final = logging.getLogger("thresher.proxy")
_REQUEST: Final = "thresher_asked"
"""Key in a flow's metadata of its `PageRequest`."""
_STOPPED: Final = "thresher_stopped"
"""Key in a flow's metadata, present if the request was not sent to its server."""
_PASSED: Final = "passed"
_UTF8: Final = frozenset(("utf-8", "utf8"))
_LIMIT, _DIED, _ERROR = (
    *("time or memory limit exceeded", "invalid rule or worker failure", "internal error"),
)
_ANOTHER: Final = "not HTML, or its head has changed"
_NOT_OF_THE_HEAD: Final = frozenset((_LIMIT, _DIED, _ERROR))
"""Reasons for passing a page unchanged that say nothing about its head."""


class ThresherAddon:
    """Rewrites pages in mitmproxy; one instance per proxy."""

    def __init__(self, state: ProxyState, pool: Pool, pages: AsgiApp | None = None) -> None:
        """``pages`` is the settings application, served at the proxy's own address."""
        self._state = state
        self._pool = pool
        self._pages = pages
        self._applied: tuple[str, ...] | None = None

    # Hooks that mitmproxy calls by name.

    def running(self) -> None:
        """Apply the settings at the start."""
        self._apply()

    def client_connected(self, client: connection.Client) -> None:
        """Reject clients that are not on the allowlist."""
        self._apply()
        clients = self._state.settings.clients
        if not clients:
            return
        if not is_in_networks(str(client.peername[0]).partition("%")[0], clients):
            client.error = "this address is not allowed to use the proxy"

    def next_layer(self, nextlayer: layer.NextLayer) -> None:
        """Replace mitmproxy's HTTP layers by those that buffer pages."""
        hold_pages(nextlayer.layer)

    def http_connect(self, flow: http.HTTPFlow) -> None:
        """Accept a tunnel to the proxy itself, or to a listed host, without asking its server."""
        if self._is_lazy(flow.request.host) and not flow.response:
            flow.response = http.Response(
                flow.request.data.http_version, 200, b"Connection established",
                http.Headers(), b"", None, time.time(), time.time(),
            )  # fmt: skip

    def tls_clienthello(self, hello: tls.ClientHelloData) -> None:
        """Request no server certificate for the proxy's own name, or for a listed host."""
        if self._is_lazy(hello.client_hello.sni or ""):
            hello.establish_server_tls_first = False

    def requestheaders(self, flow: http.HTTPFlow) -> None:
        """Determine whether a request is for a page; stop those to listed hosts; stream uploads."""
        if flow.response or flow.request.pretty_host == internal.HOST:
            return
        headers = lower_names(flow.request.headers)
        if is_listed(flow.request.pretty_url, headers, _user_of(flow), self._state):
            status, body, given = answer_empty(flow.request.pretty_url, headers)
            flow.response = http.Response.make(status, body, given)
            flow.metadata[_STOPPED] = True
            self._state.statistics.count_stopped(flow.request.pretty_host)
            return
        found = read_request(flow.request, _user_of(flow), self._state)
        if found:
            flow.metadata[_REQUEST] = found
            drop_conditions(flow.request.headers)
        flow.request.stream = True

    async def request(self, flow: http.HTTPFlow) -> None:
        """Answer requests to the proxy itself."""
        if flow.response or flow.request.pretty_host != internal.HOST:
            return
        user = _user_of(flow)
        path, _, query = flow.request.path.partition("?")
        if path.startswith(internal.PREFIX):
            question = internal.Question(
                flow.request.method,
                path,
                query,
                flow.request.content or b"",
                flow.request.headers.get("origin"),
                user,
            )
            said = internal.answer(self._state, question)
            flow.response = http.Response.make(said.status, said.body, dict(said.headers))
        elif self._pages is not None:
            pages = self._pages

            async def ask(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
                scope["state"] = {"user": user}
                scope["scheme"] = scope["scheme"].lower()
                await pages(scope, receive, send)

            await asgiapp.serve(ask, flow)
        else:
            flow.response = http.Response.make(404, b"The settings page is not installed.")

    def responseheaders(self, flow: http.HTTPFlow) -> None:
        """Buffer pages; stream everything else."""
        response = flow.response
        is_own = flow.request.pretty_host == internal.HOST or _STOPPED in flow.metadata
        if response is None or is_own:
            return
        response.stream = True
        request: PageRequest | None = flow.metadata.get(_REQUEST)
        if request is None:
            return
        settings = self._state.settings
        why = skip_reason(
            response.status_code,
            lower_names(response.headers),
            max_bytes=settings.max_bytes,
            obey_no_transform=settings.obey_no_transform,
        )
        decode = decoder_of(response.headers.get("content-encoding", ""))
        if why is None and decode is None:
            why = "unknown content coding"
        if why is not None or decode is None:
            if why:
                self._state.statistics.count(PageRecord(flow.request.pretty_host, _PASSED, why))
            return
        charset = charset_of(response.headers.get("content-type", "")) or ""
        view = request.rules.view or request.profile.view
        early = (
            settings.early_head
            and view == "inplace"
            and not request.options.is_guess
            and flow.request.pretty_host in self._state.steady_heads
        )
        flow.metadata[PAGE] = PageInFlight(
            BufferedBody(decode, settings.max_bytes, early=early, is_utf8=charset.lower() in _UTF8),
            settings.hold_s,
            lambda: _change_early(flow),
            lambda reason: self._count(flow, request, Rewritten(_PASSED, reason=reason), 0.0),
        )

    async def thresher_page(self, flow: http.HTTPFlow) -> None:
        """Have a worker rewrite a complete page; on any failure it passes unchanged."""
        request: PageRequest = flow.metadata[_REQUEST]
        page: PageInFlight = flow.metadata[PAGE]
        started_s = time.perf_counter()
        try:
            done = await self._rewrite(flow, request, page.buffered)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # of any kind: the page must not be lost
            _LOG.debug("%s passes", request.url, exc_info=error)
            done = Rewritten(_PASSED, reason=_reason_of(error))
        if done.reason not in _NOT_OF_THE_HEAD:
            self._state.steady_heads.note(flow.request.pretty_host, keeps_head=done.keeps_head)
        page.rest = done.body
        if done.body is not None and flow.response and not page.buffered.n_sent:
            mark_changed(flow.response.headers, content_type=done.content_type)
            if done.policy:
                replace_policy(flow.response.headers, done.policy)
            flow.response.headers["content-length"] = str(len(done.body))
        self._count(flow, request, done, time.perf_counter() - started_s)

    # Helpers.

    def _is_lazy(self, host: str) -> bool:
        """Return whether a server is asked only when a request to it is not answered here."""
        if host == internal.HOST:
            return True
        settings = self._state.settings
        return settings.stop_requests and self._state.blocklist.blocks_host(host.lower())

    async def _rewrite(
        self, flow: http.HTTPFlow, request: PageRequest, buffered: BufferedBody
    ) -> Rewritten:
        assert flow.response
        settings = self._state.settings
        options = replace(
            request.options,
            n_sent=buffered.n_sent,
            deadline_s=settings.deadline_s,
            sites=settings.site_folder,
        )
        return await self._pool.run(
            rewrite,
            ReceivedPage(buffered.body, flow.response.headers.get("content-type", ""), request.url),
            request.profile,
            request.rules,
            self._state.list_file,
            options,
        )

    def _count(
        self, flow: http.HTTPFlow, request: PageRequest, done: Rewritten, added_s: float
    ) -> None:
        page: PageInFlight = flow.metadata[PAGE]
        n_out = (
            page.buffered.n_sent + len(done.body) if done.body is not None else page.buffered.n_byte
        )
        self._state.statistics.count(
            PageRecord(
                flow.request.pretty_host,
                done.outcome,
                done.reason,
                page.buffered.n_byte,
                n_out,
                added_s,
                done.removed,
                done.removed_chars,
            )
        )

    def _apply(self) -> None:
        """Update mitmproxy's hosts that are never intercepted, if the setting changed."""
        never = self._state.settings.never_intercept
        if never != self._applied:
            self._applied = never
            ctx.options.update(ignore_hosts=ignored_hosts(never))


def ignored_hosts(hosts: tuple[str, ...]) -> list[str]:
    """Return patterns of hosts and their subdomains for mitmproxy's ``ignore_hosts``."""
    return [rf"^(.+\.)?{re.escape(ascii_host(host))}:\d+$" for host in hosts]


def _change_early(flow: http.HTTPFlow) -> None:
    """Adapt the headers of a page whose head is sent before its length is known."""
    response = flow.response
    assert response
    mark_changed(response.headers)
    if not response.is_http2 and flow.request.http_version != "HTTP/1.0":
        response.http_version = "HTTP/1.1"
        response.headers["transfer-encoding"] = "chunked"


def _user_of(flow: http.HTTPFlow) -> str | None:
    """Return the name of the authenticated user; None without authentication."""
    found = flow.metadata.get("proxyauth")
    return found[0] if found else None


def _reason_of(error: Exception) -> str:
    """Map an error to one of a few reasons, for counting."""
    match error:
        case LimitError():
            return _LIMIT
        case InputError():
            return _ANOTHER
        case ThresherError():
            return _DIED
        case _:
            return _ERROR
