"""The HTTP server of the app and of the proxy's settings: uvicorn, with limits on its clients.

uvicorn limits the size of headers, and closes a connection on which no second request begins. It
has no limit for a head that arrives byte by byte, for a body that nobody reads, or for a response
that the client does not take. `_GuardedConnection` is uvicorn's protocol with these limits.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from thresher.serving.connections import (
    ConnectionLimits,
    ConnectionTable,
    SeldomLog,
    log_accept_errors_seldom,
    raise_descriptor_limit,
    source_of_client,
)

AsgiApp = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]

_LOG: Final = logging.getLogger(__name__)
_ACCEPTED_AT_ONCE: Final = 64
"""Connections that are accepted before the first of them can be refused."""
_BACKLOG: Final = 512
"""Connections that the system keeps until they are accepted."""
_CHECK_TICKS: Final = 5
"""Ticks of uvicorn, a tenth of a second each, between two looks for slow clients."""


class HttpServer(uvicorn.Server):
    """uvicorn's server for HTTP/1.1 without WebSockets, whose clients have limits.

    ``of_uvicorn`` are further settings of `uvicorn.Config`. Logs are left as they are.
    """

    def __init__(self, app: AsgiApp, limits: ConnectionLimits, **of_uvicorn: Any) -> None:
        n_descriptor = raise_descriptor_limit(2 * limits.max_connections)
        n = min(limits.max_connections, max(1, n_descriptor // 2))
        self.table = ConnectionTable(replace(limits, max_connections=n), SeldomLog(_LOG))
        protocol = partial(_GuardedConnection, table=self.table)
        super().__init__(
            uvicorn.Config(
                _note_answers(app),
                http=cast("type[asyncio.Protocol]", protocol),
                ws="none",
                backlog=_ACCEPTED_AT_ONCE,
                log_config=None,
                log_level=logging.WARNING,
                access_log=False,
                server_header=False,
                **of_uvicorn,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept connections."""
        log_accept_errors_seldom(asyncio.get_running_loop())
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(_BACKLOG)  # uvicorn has set it to what it accepts at once

    async def on_tick(self, counter: int) -> bool:
        """Look for slow clients now and then."""
        if counter % _CHECK_TICKS == 0:
            self.table.check()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop, and close what connections uvicorn leaves open.

        These are the ones whose client does not take its response, and those that were accepted
        after uvicorn had asked all connections to close.
        """
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        while self.server_state.connections:
            await asyncio.sleep(0)


def _note_answers(app: AsgiApp) -> AsgiApp:
    """Wrap an application to let a connection know when something is answered."""

    async def call(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        connection: _GuardedConnection = scope["state"].pop(_CONNECTION)

        async def send_and_note(message: MutableMapping[str, Any]) -> None:
            await send(message)
            connection.note_answer()

        await app(scope, receive, send_and_note)

    return call


_CONNECTION: Final = "connection"
"""Key of the connection in the state of a scope."""

_TAKEN_BYTES: Final = 2**16
"""Bytes of a response that a client takes in `ConnectionLimits.response_s`: 1 KiB a second."""
_SENDING: Final = (h11.IDLE, h11.SEND_BODY)
"""States of a client whose request has not arrived whole."""
_TOO_SLOW: Final = (b"408 Request Timeout", b"the request was sent too slowly\n")
_TOO_MANY: Final = (b"503 Service Unavailable", b"too many connections; try again later\n")


class _GuardedConnection(H11Protocol):
    """Connection that is closed when its client is too slow."""

    def __init__(self, *, table: ConnectionTable, **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self._table = table
        self.waiting_since_s = self.loop.time()
        """Since when the client could have sent a request, or more of one."""
        self._taken_at_s = self.waiting_since_s
        self._left_bytes = 0
        self.source = ""
        """Who the client is, as `source_of_client` says."""
        self.app_state: dict[str, Any] = {**of_uvicorn["app_state"], _CONNECTION: self}

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Register the connection, or refuse it."""
        super().connection_made(transport)
        self.source = source_of_client(self.client)
        if not self._table.admit(self):
            self._refuse(*_TOO_MANY)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._table.remove(self)
        super().connection_lost(exc)

    def resume_writing(self) -> None:
        """Note that the client takes what it is sent."""
        self._note_taken(self.transport.get_write_buffer_size())
        super().resume_writing()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.waiting_since_s = self.loop.time()
        super().on_response_complete()

    @property
    def is_dispensable(self) -> bool:
        """Whether the connection may be given up for another one.

        A client whose request has arrived whole stays, as does one that is still being sent to.
        """
        return self.conn.their_state in _SENDING and not self.transport.get_write_buffer_size()

    def note_answer(self) -> None:
        """Note that the client has sent enough to be answered something."""
        self.waiting_since_s = self.loop.time()

    def check(self, limits: ConnectionLimits) -> None:
        """Close the connection if its client has been too slow."""
        now_s = self.loop.time()
        left_bytes = self.transport.get_write_buffer_size()
        if not left_bytes or left_bytes <= self._left_bytes - _TAKEN_BYTES:
            self._note_taken(left_bytes)
        elif left_bytes > self._left_bytes:
            self._left_bytes = left_bytes
        # There may be a request, or some of it, and no whole response to it yet.
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if now_s - self._taken_at_s > limits.response_s:
            self.transport.abort()
        elif not is_answering and not left_bytes and now_s - self.waiting_since_s > limits.header_s:
            if self.conn.their_state is h11.IDLE:
                self._refuse(*_TOO_SLOW)
            else:
                self.transport.abort()  # what is sent is the rest of a request that was answered

    def give_up(self) -> None:
        """Close the connection at once."""
        self.transport.abort()

    def _note_taken(self, left_bytes: int) -> None:
        self._taken_at_s, self._left_bytes = self.loop.time(), left_bytes

    def _refuse(self, status: bytes, message: bytes) -> None:
        self.transport.write(
            b"HTTP/1.1 %b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n"
            b"Connection: close\r\n\r\n%b" % (status, len(message), message)
        )
        self.transport.close()
