"""mitmproxy addon: selects the flows that are pages, sends them to workers, counts outcomes."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from typing import Final

from mitmproxy import connection, ctx, http, tls
from mitmproxy.proxy import layer

from thresher.errors import InputError, LimitError, ThresherError
from thresher.fetching.model import read_content_type
from thresher.filters.overlays import is_consent_service
from thresher.filters.settings import switch_filters
from thresher.proxy.buffered_body import BufferedBody
from thresher.proxy.codings import (
    decoder_of,
    drop_conditions,
    encoder_of,
    mark_changed,
    mark_early,
    replace_policy,
)
from thresher.proxy.memory import PostResult, RecentPage, leaves_heads
from thresher.proxy.navigation import (
    address_of,
    origin_of,
    site_name_of,
    skip_reason,
    to_path,
)
from thresher.proxy.own_answers import client_host_of, is_own, user_of
from thresher.proxy.own_pages import HOST
from thresher.proxy.page_parts import rule_style_source
from thresher.proxy.picker import picker_source
from thresher.proxy.requests import (
    PageRequest,
    answer_stopped,
    lower_names,
    read_request,
    stop_reason,
)
from thresher.proxy.rewrite import is_xhtml, rewrite
from thresher.proxy.rewrite_model import ReceivedPage, Rewritten
from thresher.proxy.settings import ignored_hosts, is_in_networks
from thresher.proxy.state import PageRecord, ProxyState
from thresher.proxy.stream import PAGE, PageInFlight, hold_pages
from thresher.serving.pool import BusyError, Pool
from thresher.support.hosts import is_loopback

_LOG: Final = logging.getLogger("thresher.proxy")
_REQUEST: Final = "thresher_asked"
"""Key in a flow's metadata of its `PageRequest`."""
_ANSWERED: Final = "thresher_answered"
"""Key in a flow's metadata, present if the request was not sent to its server."""
_PASSED: Final = "passed"
_UTF8: Final = frozenset(("utf-8", "utf8"))
_QUEUE_SHARE: Final = 0.5
"""Share of the deadline that a page may wait for a worker: with less left than the work takes, the
workers would begin pages only to give them up, and an overload would never end."""
_ANOTHER: Final = "not HTML, or its head has changed"


class ThresherAddon:
    """Rewrites pages in mitmproxy; one instance per proxy."""

    def __init__(self, state: ProxyState, pool: Pool) -> None:
        self._state = state
        self.pool = pool
        """The processes that rewrite pages."""
        self._applied: tuple[str, ...] | None = None
        """Hosts of which mitmproxy knows that they are never intercepted."""

    # Hooks that mitmproxy calls by name.

    def client_connected(self, client: connection.Client) -> None:
        """Apply the hosts that are never intercepted; reject clients not on the allowlist."""
        settings = self._state.settings.current
        if settings.never_intercept != self._applied:
            self._applied = settings.never_intercept
            ctx.options.update(ignore_hosts=ignored_hosts(settings.never_intercept))
        if settings.clients and not is_in_networks(
            str(client.peername[0]).partition("%")[0], settings.clients
        ):
            client.error = "this address is not allowed to use the proxy"

    def next_layer(self, nextlayer: layer.NextLayer) -> None:
        """Replace mitmproxy's HTTP layers by those that buffer pages."""
        hold_pages(nextlayer)

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

    async def requestheaders(self, flow: http.HTTPFlow) -> None:
        """Determine whether a request is for a page; stop those to listed hosts; stream uploads."""
        if flow.response or is_own(flow):
            return
        headers = lower_names(flow.request.headers)
        user, url = user_of(flow), address_of(flow.request)
        stopped_by = stop_reason(url, headers, user, self._state)
        if stopped_by is not None:
            status, body, given = answer_stopped(url, headers)
            flow.response = http.Response.make(status, body, given)
            flow.metadata[_ANSWERED] = True
            self._state.statistics.count_stopped(site_name_of(flow.request))
            self._state.log.add(user, url, "stopped", stopped_by)
            return
        results = self._state.post_results
        kept = results.take(user, url) if flow.request.method == "GET" else None
        request = read_request(
            flow.request,
            user,
            self._state,
            result=kept[0] if kept else "",
            client_host=client_host_of(flow),
        )
        if request and kept:
            await self._answer_with(flow, request, kept[1])
        elif request:
            flow.metadata[_REQUEST] = request
            drop_conditions(flow.request.headers)
        flow.request.stream = not flow.response

    def responseheaders(self, flow: http.HTTPFlow) -> None:
        """Buffer pages; stream everything else."""
        response = flow.response
        if response is None or is_own(flow) or _ANSWERED in flow.metadata:
            return
        response.stream = True
        if self._state.is_reverse and "location" in response.headers:
            # The site's own redirects lead to the address by which clients know it.
            origin = origin_of(address_of(flow.request))
            response.headers["location"] = to_path(response.headers["location"], origin)
        request: PageRequest | None = flow.metadata.get(_REQUEST)
        if request is None:
            return
        settings = self._state.settings.current
        why = skip_reason(
            response.status_code,
            lower_names(response.headers),
            max_bytes=settings.max_bytes,
            obey_no_transform=settings.obey_no_transform,
        )
        coding = response.headers.get("content-encoding", "")
        decode = decoder_of(coding)
        if why is None and decode is None:
            why = "unknown content coding"
        if why is not None or decode is None:
            if why:
                self._state.statistics.count(PageRecord(site_name_of(flow.request), _PASSED, why))
                self._state.log.add(request.user, request.url, _PASSED, why)
            return
        charset, _ = read_content_type(response.headers.get("content-type"))
        view = request.rules.view or request.profile.view
        early = (
            settings.early_head
            and view == "inplace"
            and not request.options.picker
            and not request.options.is_guess
            and not is_xhtml(response.headers.get("content-type", ""))
            and self._state.early_heads.fits(site_name_of(flow.request))
            and leaves_heads(
                switch_filters(request.profile.filters, request.rules.filters),
                stops_requests=settings.stop_requests,
            )
        )
        encoder = encoder_of(coding) if self._compresses(flow) else None
        body = BufferedBody(
            decode,
            settings.max_bytes,
            early=early,
            is_utf8=charset in _UTF8,
            encoder=encoder,
        )
        flow.metadata[PAGE] = PageInFlight(
            body,
            settings.hold_s,
            lambda: mark_early(
                flow,
                is_encoded=encoder is not None,
                style_source=rule_style_source(request.rules.rules),
            ),
            lambda reason: self._count(flow, request, Rewritten(_PASSED, reason=reason), 0.0),
        )

    async def thresher_page(self, flow: http.HTTPFlow) -> None:
        """Have a worker rewrite a complete page; on any failure it passes unchanged."""
        request: PageRequest = flow.metadata[_REQUEST]
        page: PageInFlight = flow.metadata[PAGE]
        started_s = time.perf_counter()
        assert flow.response
        received = ReceivedPage(
            page.buffered.body, flow.response.headers.get("content-type", ""), request.url
        )
        if request.result:
            fields = tuple(flow.response.headers.fields)
            result = PostResult(request.user, received, fields)
            self._state.post_results.keep(request.result, result)
        self._keep(request, received)
        done = await self._rewrite(request, received, page.buffered.n_sent)
        if done.is_application is not None:
            self._state.site_kinds.note(request.url, is_application=done.is_application)
        if page.buffered.n_sent and done.reason == _ANOTHER:
            self._state.early_heads.note_misfit(site_name_of(flow.request))
        if done.body is not None:
            write = page.buffered.write_rest
            if page.buffered.is_encoded:  # in a thread, since a large page takes a while
                page.rest = await asyncio.to_thread(write, done.body)
            else:
                page.rest = write(done.body)
        if page.rest is not None and not page.buffered.n_sent:
            headers = flow.response.headers
            _adapt(headers, request, done, is_encoded=page.buffered.is_encoded)
            headers["content-length"] = str(len(page.rest))
        self._count(flow, request, done, time.perf_counter() - started_s)

    # Helpers.

    def _compresses(self, flow: http.HTTPFlow) -> bool:
        """Return whether a changed page is compressed: on one machine that only takes time."""
        wanted = self._state.settings.current.compress
        return wanted == "always" or (
            wanted == "remote" and not is_loopback(flow.client_conn.peername[0].partition("%")[0])
        )

    def _keep(self, request: PageRequest, received: ReceivedPage) -> None:
        if request.name:
            options = replace(request.options, badge=None, picker="")
            recent = RecentPage(request.user, received, request.profile, request.rules, options)
            self._state.recent_pages.keep(request.name, recent)

    def _is_lazy(self, host: str) -> bool:
        """Return whether a server is asked only when a request to it is not answered here."""
        if host == HOST:
            return True
        settings = self._state.settings.current
        name = host.lower()
        return settings.stop_requests and (
            self._state.blocklist.blocks_host(name) or is_consent_service(name)
        )

    async def _rewrite(
        self, request: PageRequest, received: ReceivedPage, n_sent: int = 0
    ) -> Rewritten:
        """Have a worker rewrite a page; what it waits for one is part of its deadline."""
        settings, asked_s, queued_s = self._state.settings.current, time.perf_counter(), None
        try:
            async with self.pool.turn(settings.deadline_s * _QUEUE_SHARE) as turn:
                queued_s = turn.waited_s
                options = replace(
                    request.options,
                    n_sent=n_sent,
                    deadline_s=max(settings.deadline_s - queued_s, 1e-3),
                    sites=settings.site_folder,
                )
                arguments = (request.profile, request.rules, self._state.list_file, options)
                done = await turn.run(rewrite, received, *arguments)
        except Exception as error:  # of any kind: the page must not be lost
            _LOG.debug("%s passes", request.url, exc_info=error)
            done = Rewritten(_PASSED, reason=_reason_of(error))
        if queued_s is None:  # it never had a worker
            queued_s = time.perf_counter() - asked_s
        return replace(done, queued_s=queued_s)

    async def _answer_with(
        self, flow: http.HTTPFlow, request: PageRequest, result: PostResult
    ) -> None:
        """Answer a request with another view of a result that was received before."""
        headers = http.Headers(result.headers)
        self._keep(request, result.page)
        done = await self._rewrite(request, result.page)
        headers.pop("set-cookie", None)
        _adapt(headers, request, done)
        body = result.page.body if done.body is None else done.body
        flow.response = http.Response.make(200, body, headers)
        flow.metadata[_ANSWERED] = True

    def _count(
        self, flow: http.HTTPFlow, request: PageRequest, done: Rewritten, added_s: float
    ) -> None:
        self._state.log.add(request.user, request.url, done.outcome, done.reason)
        page: PageInFlight = flow.metadata[PAGE]
        n_out = (
            page.buffered.n_sent + len(done.body) if done.body is not None else page.buffered.n_byte
        )
        self._state.statistics.count(
            PageRecord(
                site_name_of(flow.request),
                done.outcome,
                done.reason,
                page.buffered.n_byte,
                n_out,
                added_s,
                done.removed,
                done.removed_chars,
                queued_s=done.queued_s,
            )
        )


def _adapt(
    headers: http.Headers, request: PageRequest, done: Rewritten, *, is_encoded: bool = False
) -> None:
    mark_changed(
        headers,
        content_type=done.content_type,
        is_encoded=is_encoded,
        style_source=rule_style_source(request.rules.rules),
        script_source=picker_source() if request.options.picker else "",
    )
    if done.policy:
        replace_policy(headers, done.policy)


def _reason_of(error: Exception) -> str:
    """Map an error to one of a few reasons, for counting."""
    match error:
        case BusyError():
            return "too many pages at once"
        case LimitError():
            return "time or memory limit exceeded"
        case InputError():
            return _ANOTHER
        case ThresherError():
            return "invalid rule or worker failure"
        case _:
            return "internal error"
