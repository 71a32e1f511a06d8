"""HTTP stream for mitmproxy that delays the headers of a page, and optionally its body.

mitmproxy either buffers a complete body before it sends anything, and loses it if the server breaks
off, or streams it through a function that must not block. Here the headers are sent with the first
byte of the body, and at the end an asynchronous hook computes the rest. mitmproxy creates the
layers; `hold_pages` replaces its HTTP layers by ours, which behave the same for other responses.
Tested with mitmproxy 11.0 and 12.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from mitmproxy import ctx, http
from mitmproxy.connection import Client, Connection
from mitmproxy.proxy import commands, events, layer
from mitmproxy.proxy.layers.http import (
    GetHttpConnection,
    HttpLayer,
    HttpRequestHeadersHook,
    HttpStream,
    RequestHeaders,
    ResponseData,
    ResponseEndOfMessage,
    ResponseHeaders,
    ResponseProtocolError,
    SendHttp,
)

from thresher.proxy.buffered_body import BufferedBody

PAGE: Final = "thresher_page"
"""Key in a flow's metadata of its `PageInFlight`."""
CLIENT_HOST: Final = "thresher_client_host"
"""Key in a flow's metadata of the host that the client named: mitmproxy replaces it in the mode
``reverse``, before any hook."""
ACCEPTS_TUNNEL: Final = "thresher_accepts_tunnel"
"""Key in a flow's metadata, present if CONNECT is accepted though the host cannot be reached."""
FAILURE: Final = "thresher_failure"
"""Key in a flow's metadata of the response that is sent in the place of an error."""


@dataclass(slots=True)
class PageInFlight:
    """Page in transit: state shared by the addon and the stream."""

    buffered: BufferedBody
    hold_s: float
    """Seconds after which the page passes unchanged."""
    when_early: Callable[[], None]
    """Called before the head is sent early, to adapt the headers."""
    when_given_up: Callable[[str], None]
    """Called with the reason when the page can no longer be rewritten."""
    rest: bytes | None = None
    """Bytes that follow those already sent, set by the hook; None: the original page."""
    is_given_up: bool = False

    def give_up(self, reason: str) -> Iterator[bytes]:
        """Yield all buffered bytes; later chunks are passed directly."""
        self.is_given_up = True
        self.when_given_up(reason)
        yield from self.buffered.give_up()


@dataclass
class ThresherPageHook(commands.StartHook):
    """Hook called when a page is complete, to rewrite it."""

    flow: http.HTTPFlow


class _PageStream(HttpStream):
    _are_headers_sent = False

    @property
    def _page(self) -> PageInFlight | None:
        flow = getattr(self, "flow", None)
        page: PageInFlight | None = flow.metadata.get(PAGE) if flow else None
        return page

    def _handle_event(self, event: events.Event) -> layer.CommandGenerator[None]:
        if isinstance(event, events.Wakeup):
            page = self._page
            if page and not page.is_given_up and self._is_streaming:
                yield from self._send(page.give_up("the server was too slow"))
            return
        yield from super()._handle_event(event)

    def state_wait_for_request_headers(self, event: RequestHeaders) -> layer.CommandGenerator[None]:
        host = event.request.host_header
        steps, answer = super().state_wait_for_request_headers(event), None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration:
                return
            if isinstance(step, HttpRequestHeadersHook):
                step.flow.metadata[CLIENT_HOST] = host
            answer = yield step

    @property
    def _is_streaming(self) -> bool:
        return bool(self.server_state == self.state_stream_response_body)

    def start_response_stream(self) -> layer.CommandGenerator[None]:
        page = self._page
        if page is None:
            yield from super().start_response_stream()
            return
        self.server_state = self.state_stream_response_body
        yield commands.RequestWakeup(page.hold_s)

    def state_stream_response_body(self, event: events.Event) -> layer.CommandGenerator[None]:
        page = self._page
        if page is None or not isinstance(event, ResponseData | ResponseEndOfMessage):
            yield from super().state_stream_response_body(event)
        elif isinstance(event, ResponseData):
            yield from self._send(self._take(page, event.data))
        else:
            if not page.is_given_up:
                yield ThresherPageHook(self.flow)
                if (yield from self.check_killed(True)):
                    return
                rest = page.buffered.give_up() if page.rest is None else (page.rest,)
                yield from self._send(rest)
                page.is_given_up = True
                page.buffered.clear()
                page.rest = None
            yield from self._send((page.buffered.finish(),))
            yield from self._send_headers()
            yield from self.send_response(already_streamed=True)

    @staticmethod
    def _take(page: PageInFlight, data: bytes) -> Iterator[bytes]:
        if page.is_given_up:
            yield from page.buffered.pass_on(data)
            return
        head = page.buffered.feed(data)
        if head:
            page.when_early()
            yield head
        if page.buffered.failure:
            yield from page.give_up(page.buffered.failure)

    def handle_protocol_error(self, event: Any) -> layer.CommandGenerator[None]:
        page = self._page
        is_lost = isinstance(event, ResponseProtocolError) and self._is_streaming
        if page and is_lost and not page.is_given_up and self.client_state != self.state_errored:
            yield from self._send(page.give_up("the server closed the connection early"))
        # Once the request is complete, and before its response began, an answer can be given.
        waiting = (self.state_uninitialized, self.state_wait_for_response_headers)
        is_waiting = self.client_state == self.state_done and self.server_state in waiting
        for step in super().handle_protocol_error(event):
            answer = self.flow.metadata.get(FAILURE)
            if isinstance(step, SendHttp) and step.event is event and answer and is_waiting:
                yield from self._answer(answer)
            else:
                yield step
        if page:
            page.is_given_up = True
            page.buffered.clear()

    def handle_connect_regular(self) -> layer.CommandGenerator[None]:
        if ACCEPTS_TUNNEL not in self.flow.metadata or self.flow.response:
            yield from super().handle_connect_regular()
            return
        yield commands.OpenConnection(self.context.server)
        self.child_layer = layer.NextLayer(self.context)
        yield from self.handle_connect_finish()

    def _answer(self, response: http.Response) -> layer.CommandGenerator[None]:
        for part in (
            ResponseHeaders(self.stream_id, response, end_stream=False),
            ResponseData(self.stream_id, response.raw_content or b""),
            ResponseEndOfMessage(self.stream_id),
        ):
            yield SendHttp(part, self.context.client)

    def _send(self, pieces: Iterable[bytes]) -> layer.CommandGenerator[None]:
        for piece in pieces:
            if piece:
                yield from self._send_headers()
                yield SendHttp(ResponseData(self.stream_id, piece), self.context.client)

    def _send_headers(self) -> layer.CommandGenerator[None]:
        if not self._are_headers_sent:
            self._are_headers_sent = True
            assert self.flow.response
            headers = ResponseHeaders(self.stream_id, self.flow.response, end_stream=False)
            yield SendHttp(headers, self.context.client)


class _PageLayer(HttpLayer):
    def make_stream(self, stream_id: int) -> layer.CommandGenerator[None]:
        self.streams[stream_id] = _PageStream(self.context.fork(), stream_id)
        yield from self.event_to_child(self.streams[stream_id], events.Start())

    def get_connection(
        self, event: GetHttpConnection, *, reuse: bool = True
    ) -> layer.CommandGenerator[None]:
        # mitmproxy reports the failure of a connection to every later request of the client, too.
        # A person who tries again wants another try.
        for server in list(self.connections):
            is_over = server.error and not server.connected
            if is_over and server not in self.waiting_for_establishment:
                del self.connections[server]
        yield from super().get_connection(event, reuse=reuse)
        if self.context.server not in self.connections:
            self.context.server.error = None  # it has been reported by now


def close_connection(client: Client, connection: Connection) -> None:
    """Close a connection, that of a client or one made for the client."""
    for handler in list(ctx.master.addons.get("proxyserver").connections.values()):
        if handler.client is client and connection in handler.transports:
            handler.transports[connection].writer.close()


def hold_pages(next_layer: layer.NextLayer) -> None:
    """Put our HTTP layers in the place of those of a stack that mitmproxy has just created."""
    above: layer.Layer = next_layer
    name = "layer"
    while (below := getattr(above, name, None)) is not None:
        if type(below) is HttpLayer:
            layers = below.context.layers
            ours = _PageLayer(below.context, below.mode)
            layers[layers.index(below)] = layers.pop()  # a new layer adds itself at the end
            setattr(above, name, ours)
            below = ours
        above, name = below, "child_layer"
