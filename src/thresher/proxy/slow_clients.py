"""mitmproxy addon: limits of the clients' connections, so that slow ones do not use them up.

mitmproxy waits ten minutes for a client that sends nothing, and for ever for one that sends a byte
now and then. With this addon the first request of a connection must begin in time, as must what a
tunnel is for; beyond the limits of number, connections without a whole request are closed for new
ones.

How far a later request has arrived no hook says, so one that dribbles on a connection that has had
a request counts in number only. A response may be taken as slowly as a client likes, because
browsers stop reading the video that they have paused.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from mitmproxy import ctx, http, tls
from mitmproxy.proxy import layer, layers

from thresher.serving.connections import (
    ConnectionLimits,
    ConnectionTable,
    SeldomLog,
    source_of_client,
)

if TYPE_CHECKING:
    from mitmproxy.connection import Client

_LOG: Final = logging.getLogger(__name__)
_CHECK_S: Final = 0.5
"""Seconds between two looks for slow clients."""


class _Connection:
    """Connection of a client, as far as hooks tell."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.source = source_of_client(client.peername)
        self.waiting_since_s = 0.0
        self.is_passed = False
        """Whether the bytes are passed on as they are, so that nothing is known of them."""
        self.answering: set[str] = set()
        """Flows whose request has arrived whole, and whose response is not complete."""
        self._is_served = self._is_due = False
        self.wait(is_due=True)

    @property
    def is_dispensable(self) -> bool:
        """Whether the connection may be given up for another one."""
        return not (self.is_passed or self._is_served or self.answering)

    def wait(self, *, is_due: bool = False) -> None:
        """Wait for the client; ``is_due``: not longer than `ConnectionLimits.header_s`."""
        self.waiting_since_s = asyncio.get_running_loop().time()
        self._is_served, self._is_due = False, is_due

    def serve(self) -> None:
        """Let the client wait."""
        self._is_served, self._is_due = True, False

    def check(self, limits: ConnectionLimits) -> None:
        """Close the connection if what is due has not arrived."""
        waited_s = asyncio.get_running_loop().time() - self.waiting_since_s
        if self._is_due and not self.is_passed and waited_s > limits.header_s:
            self.give_up()

    def give_up(self) -> None:
        """Close the connection."""
        proxyserver = ctx.master.addons.get("proxyserver")
        for handler in list(proxyserver.connections.values()):
            if handler.client is self.client and self.client in handler.transports:
                handler.transports[self.client].writer.close()


class SlowClients:
    """Addon that refuses and closes connections."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._table = ConnectionTable(limits, SeldomLog(_LOG))
        self._known: dict[str, _Connection] = {}
        """By the id of the client."""
        self._checking: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """Return the number of open connections."""
        return len(self._table)

    # Hooks that mitmproxy calls by name.

    def running(self) -> None:
        """Begin to look for slow clients."""
        self._checking = asyncio.create_task(self._check())

    def done(self) -> None:
        """Stop looking."""
        if self._checking:
            self._checking.cancel()

    def client_connected(self, client: Client) -> None:
        """Register a connection, or refuse it."""
        if client.transport_protocol != "tcp" or client.error:
            return
        connection = _Connection(client)
        if self._table.admit(connection):
            self._known[client.id] = connection
        else:
            client.error = "too many connections"

    def client_disconnected(self, client: Client) -> None:
        """Forget the connection."""
        if connection := self._known.pop(client.id, None):
            self._table.remove(connection)

    def next_layer(self, data: layer.NextLayer) -> None:
        """Note which connections are passed on as they are."""
        if isinstance(data.layer, layers.TCPLayer):
            self._pass(data.context.client)

    def tls_clienthello(self, data: tls.ClientHelloData) -> None:
        """Connect to the server, whose certificate is copied for the client."""
        if data.ignore_connection:
            self._pass(data.context.client)
        self._serve(data.context.client)

    def tls_start_client(self, data: tls.TlsData) -> None:
        """Expect the rest of the handshake."""
        self._wait(data.context.client, is_due=True)

    def tls_established_client(self, data: tls.TlsData) -> None:
        """Expect a request."""
        self._wait(data.context.client, is_due=True)

    def http_connect(self, flow: http.HTTPFlow) -> None:
        """Connect to the server."""
        self._serve(flow.client_conn)

    def http_connect_error(self, flow: http.HTTPFlow) -> None:
        """Wait for another request."""
        self._wait(flow.client_conn)

    def http_connected(self, flow: http.HTTPFlow) -> None:
        """Expect what the tunnel is for."""
        self._wait(flow.client_conn, is_due=True)

    def requestheaders(self, flow: http.HTTPFlow) -> None:
        """Wait for the body."""
        self._wait(flow.client_conn)

    def request(self, flow: http.HTTPFlow) -> None:
        """Note that a request has arrived whole."""
        if connection := self._known.get(flow.client_conn.id):
            connection.answering.add(flow.id)

    def response(self, flow: http.HTTPFlow) -> None:
        """Wait for the next request."""
        if connection := self._known.get(flow.client_conn.id):
            connection.answering.discard(flow.id)
            connection.wait()

    def error(self, flow: http.HTTPFlow) -> None:
        """Wait for the next request, as after a response."""
        self.response(flow)

    def websocket_start(self, flow: http.HTTPFlow) -> None:
        """Let a WebSocket live as long as it will."""
        self._pass(flow.client_conn)

    # Helpers.

    def _wait(self, client: Client, *, is_due: bool = False) -> None:
        if connection := self._known.get(client.id):
            connection.wait(is_due=is_due)

    def _serve(self, client: Client) -> None:
        if connection := self._known.get(client.id):
            connection.serve()

    def _pass(self, client: Client) -> None:
        if connection := self._known.get(client.id):
            connection.is_passed = True

    async def _check(self) -> None:
        while True:
            self._table.check()
            await asyncio.sleep(_CHECK_S)
