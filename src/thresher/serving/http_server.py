"""The HTTP server of the app and of the proxy's settings: uvicorn, with limits on its clients."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, cast

import uvicorn

from thresher.serving.connection_table import ConnectionTable
from thresher.serving.connections import CONNECTION, GuardedConnection
from thresher.serving.limits import ConnectionLimits
from thresher.serving.seldom import SeldomLog
from thresher.serving.sockets import log_accept_errors_seldom, raise_descriptor_limit

__all__ = ["AsgiApp", "HttpServer"]

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
        protocol = partial(GuardedConnection, table=self.table)
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


def _note_answers(app: AsgiApp) -> AsgiApp:
    """Wrap an application to let a connection know when something is answered."""

    async def call(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        connection: GuardedConnection = scope["state"].pop(CONNECTION)

        async def send_and_note(message: MutableMapping[str, Any]) -> None:
            await send(message)
            connection.note_answer()

        await app(scope, receive, send_and_note)

    return call
