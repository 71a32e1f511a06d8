"""Settings application on a local port, served by uvicorn beside the proxy.

Whoever can connect here is the administrator; so it listens on the loopback address, and rejects
connections made through the proxy, which others may use.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse

from thresher.serving.connections import ConnectionLimits, open_socket
from thresher.serving.http_server import AsgiApp, HttpServer
from thresher.serving.pages import check_message

if TYPE_CHECKING:
    from mitmproxy.proxy.server_hooks import ServerConnectionHookData

_HOST: Final = "127.0.0.1"
_MAX_BODY_BYTES: Final = 32 * 2**20
_GRACE_S: Final = 2
"""Seconds to finish open requests at shutdown."""


class OwnConnections:
    """Addon that tracks the proxy's own connections, to recognize requests made through it.

    mitmproxy sends nothing before `server_connected` has returned, so no request arrives on a
    connection that is not registered yet.
    """

    def __init__(self) -> None:
        self._ends: set[tuple[str, int]] = set()

    def server_connected(self, data: ServerConnectionHookData) -> None:
        """Register the local address of a connection."""
        if data.server.sockname:
            self._ends.add(_end_of(data.server.sockname))

    def server_disconnected(self, data: ServerConnectionHookData) -> None:
        """Unregister the connection."""
        if data.server.sockname:
            self._ends.discard(_end_of(data.server.sockname))

    def __contains__(self, address: object) -> bool:
        """Return whether a socket address is one of the proxy's own connections."""
        return isinstance(address, tuple) and _end_of(address) in self._ends


@dataclass(frozen=True, slots=True)
class Port:
    """Server on a port, until it is closed."""

    address: tuple[str, int]
    """Host and port."""
    _server: _Server
    _serving: asyncio.Task[None]

    async def close(self) -> None:
        """Finish open requests and stop."""
        self._server.should_exit = True
        await self._serving


class _Server(HttpServer):
    """Server without signal handlers: the proxy handles signals and closes the port."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture no signals."""
        yield


async def serve_port(
    app: AsgiApp, port: int, own: OwnConnections, limits: ConnectionLimits | None = None
) -> Port:
    """Serve an ASGI application on a local port; 0 for any free one.

    Raises OSError if it cannot listen. The caller must close the returned port.
    """
    listening = open_socket(_HOST, port)
    limits = limits or ConnectionLimits()
    server = _Server(
        _guard(app, own, limits.body_s),
        limits,
        lifespan="off",
        # The client is the peer of the connection, regardless of headers.
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACE_S,
    )
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    return Port(listening.getsockname()[:2], server, serving)


def _guard(app: AsgiApp, own: OwnConnections, body_s: float) -> AsgiApp:
    """Wrap an application to read bodies within limits and to reject users of the proxy."""

    async def answer(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        try:
            if scope["client"] is None or scope["client"] in own:
                raise HTTPException(403, "the settings port cannot be opened through the proxy")
            check_message(Request(scope))
            body = await _read(receive, body_s)
        except ClientDisconnect:
            return
        except HTTPException as error:
            headers = {"Connection": "close"}
            await PlainTextResponse(error.detail, error.status_code, headers)(scope, receive, send)
            return
        messages = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_read() -> MutableMapping[str, Any]:
            return messages.pop() if messages else await receive()

        await app({**scope, "state": {"user": None, "is_port": True}}, receive_read, send)

    return answer


async def _read(receive: Any, body_s: float) -> bytes:
    """Read the body of a request; raise HTTPException if it is too large or too slow."""
    body, is_whole = bytearray(), False
    try:
        async with asyncio.timeout(body_s):
            while not is_whole:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientDisconnect
                body += message.get("body", b"")
                if len(body) > _MAX_BODY_BYTES:
                    raise HTTPException(
                        413, f"the request is larger than {_MAX_BODY_BYTES:,} bytes"
                    )
                is_whole = not message.get("more_body", False)
    except TimeoutError:
        raise HTTPException(408, "the request was sent too slowly") from None
    return bytes(body)


def _end_of(address: tuple[Any, ...]) -> tuple[str, int]:
    return str(address[0]).removeprefix("::ffff:"), int(address[1])
