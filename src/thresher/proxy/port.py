"""The settings page on a port of this machine: HTTP/1.1 for one application, a request at a time.

mitmproxy pins h11 below what servers for ASGI take, and needs it itself. Whoever can connect here
is the administrator; so it listens on the loopback address, and turns away what comes through the
proxy, which others may use.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

import h11

if TYPE_CHECKING:
    from mitmproxy.proxy.server_hooks import ServerConnectionHookData

__all__ = ["OwnConnections", "serve_port"]

_LOG: Final = logging.getLogger("thresher.proxy")
_HOST: Final = "127.0.0.1"
_MAX_BODY_BYTES: Final = 32 * 2**20
_TIMEOUT_S: Final = 60.0
"""Seconds for a request to come in, and for its answer to go out."""
_READ_BYTES: Final = 2**16


class OwnConnections:
    """Connections of the proxy to a port: whoever is at their other end came through the proxy.

    An addon. mitmproxy sends nothing before `server_connected` has returned, so no request comes
    in on a connection that is not known here yet.
    """

    def __init__(self) -> None:
        self._ends: set[tuple[str, int]] = set()

    def server_connected(self, data: ServerConnectionHookData) -> None:
        """Note the near end of a connection."""
        if data.server.sockname:
            self._ends.add(_end_of(data.server.sockname))

    def server_disconnected(self, data: ServerConnectionHookData) -> None:
        """Forget it."""
        if data.server.sockname:
            self._ends.discard(_end_of(data.server.sockname))

    def __contains__(self, address: object) -> bool:
        """Tell whether an address, as sockets give it, is the proxy's own."""
        return isinstance(address, tuple) and _end_of(address) in self._ends


async def serve_port(
    app: Callable[[MutableMapping[str, Any], Any, Any], Any], port: int, own: OwnConnections
) -> asyncio.Server:
    """Serve an ASGI application on a port of this machine; 0 for any that is free.

    Raises OSError where it cannot listen. Close what is returned in the end.
    """

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                await _answer(app, reader, writer, own)
        except (OSError, TimeoutError, h11.ProtocolError) as error:
            _LOG.debug("the settings page lost a connection: %s", error)
        finally:
            with suppress(OSError):
                writer.close()

    return await asyncio.start_server(take, _HOST, port)


async def _answer(
    app: Callable[[MutableMapping[str, Any], Any, Any], Any],
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    own: OwnConnections,
) -> None:
    wire = h11.Connection(h11.SERVER)

    async def write(event: h11.Event) -> None:
        writer.write(wire.send(event) or b"")
        await writer.drain()

    async def refuse(status: int) -> None:
        headers = [("content-length", "0"), ("connection", "close")]
        await write(h11.Response(status_code=status, headers=headers))
        await write(h11.EndOfMessage())

    try:
        request, body = await _read(wire, reader, writer)
    except h11.RemoteProtocolError as error:
        if wire.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            await refuse(error.error_status_hint)
        return
    if request is None:
        return
    peer = writer.get_extra_info("peername")
    if peer in own:
        await refuse(403)
        return
    target, _, query = request.target.partition(b"?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.1"},
        "http_version": request.http_version.decode("ascii"),
        "method": request.method.decode("ascii"),
        "scheme": "http",
        "path": unquote(target.decode("latin-1"), errors="replace"),
        "raw_path": target,
        "query_string": query,
        "root_path": "",
        "headers": list(request.headers),
        "client": peer[:2],
        "server": writer.get_extra_info("sockname")[:2],
        "state": {"user": None, "is_port": True},
    }
    messages = [{"type": "http.request", "body": body, "more_body": False}]
    is_done = asyncio.Event()

    async def receive() -> MutableMapping[str, Any]:
        if messages:
            return messages.pop()
        await is_done.wait()
        return {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), (b"connection", b"close")]
            await write(h11.Response(status_code=message["status"], headers=headers))
        elif message["type"] == "http.response.body":
            if data := message.get("body", b""):
                await write(h11.Data(data=data))
            if not message.get("more_body", False):
                await write(h11.EndOfMessage())

    try:
        await app(scope, receive, send)
    except Exception:
        _LOG.exception("the settings page failed")
        if wire.our_state is h11.SEND_RESPONSE:
            await refuse(500)
    finally:
        is_done.set()


async def _read(
    wire: h11.Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> tuple[h11.Request | None, bytes]:
    """Read one request; None where the client is gone."""
    request, body = None, bytearray()
    while True:
        event = wire.next_event()
        if event is h11.NEED_DATA:
            if wire.they_are_waiting_for_100_continue:
                go_on = h11.InformationalResponse(status_code=100, headers=[])
                writer.write(wire.send(go_on) or b"")
            wire.receive_data(await reader.read(_READ_BYTES))
        elif isinstance(event, h11.Request):
            request = event
        elif isinstance(event, h11.Data):
            body += event.data
            if len(body) > _MAX_BODY_BYTES:
                raise h11.RemoteProtocolError("too large", error_status_hint=413)
        elif isinstance(event, h11.EndOfMessage):
            return request, bytes(body)
        else:
            return None, b""


def _end_of(address: tuple[Any, ...]) -> tuple[str, int]:
    return str(address[0]).removeprefix("::ffff:"), int(address[1])
