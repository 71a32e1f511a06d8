"""Batch as lines: one request per line in, one record per line out, in the same order.

Backpressure: lines are read no faster than they are processed, and processed no faster than the
client reads records: beyond `_MAX_AHEAD_BYTES` of pending records, reading pauses.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

import anyio
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from thresher.app.api.batch_line import answer_line, write_error
from thresher.app.api.requests import parse, take_pages
from thresher.app.context import AppContext
from thresher.writers import FORMATS

__all__ = ["MEDIA_TYPE", "BatchResponse"]

MEDIA_TYPE: Final = FORMATS["jsonl"].media_type
_MAX_AHEAD_BYTES: Final = 16 * 2**20
"""Bytes of pending records, some 5,000 pages: the most that a client can send before it reads."""
_LINES_A_WORKER: Final = 2
"""Lines in progress per worker, so that no worker waits for the event loop."""


@dataclass(slots=True)
class _Slot:
    """Position of one record in the output."""

    line: bytes = b""
    done: anyio.Event = field(default_factory=anyio.Event)


class BatchResponse(Response):
    """Response that is sent while the request is still being received."""

    def __init__(self, context: AppContext, max_line_bytes: int) -> None:
        super().__init__(media_type=MEDIA_TYPE)
        self._context = context
        self._max_line_bytes = max_line_bytes
        self._limits = context.settings.connections
        self._waiting_bytes = 0
        self._drained = anyio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read, process and write concurrently, until the lines end or the client disconnects."""
        headers = [(name, value) for name, value in self.raw_headers if name != b"content-length"]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        put, get = anyio.create_memory_object_stream[_Slot](float("inf"))
        is_connected = True
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._read, Request(scope, receive), put, group)
                await self._write(get, send)
                group.cancel_scope.cancel()
        except* (ClientDisconnect, TimeoutError):
            is_connected = False  # there is no client to send an error to
        if is_connected:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _read(
        self, request: Request, put: MemoryObjectSendStream[_Slot], group: TaskGroup
    ) -> None:
        """Start processing each line as capacity permits."""
        room = anyio.Semaphore(_LINES_A_WORKER * self._context.pool.n_worker)
        number = 0
        async with put:
            try:
                async for line in self._lines(request):
                    if not line.strip():
                        continue
                    number += 1
                    await take_pages(request, waits=True)
                    await room.acquire()
                    while self._waiting_bytes > _MAX_AHEAD_BYTES:
                        self._drained = anyio.Event()
                        await self._drained.wait()
                    slot = _Slot()
                    put.send_nowait(slot)
                    group.start_soon(self._fill, slot, number, line, room)
            except HTTPException as error:
                slot = _Slot(write_error({"line": number + 1}, error))
                slot.done.set()
                put.send_nowait(slot)

    async def _lines(self, request: Request) -> AsyncIterator[bytes]:
        """Yield the lines of a body; raise HTTPException if one is too long or too slow."""
        rest = bytearray()
        chunks = request.stream()
        until_s = anyio.current_time() + self._limits.body_s
        while True:
            try:
                with anyio.fail_after(max(until_s - anyio.current_time(), 0)):
                    chunk = await anext(chunks, b"")
            except TimeoutError:
                raise HTTPException(408, "no line was received for a while") from None
            # The end of the body ends a line.
            first, *others = chunk.split(b"\n") if chunk else (b"", b"")
            rest += first
            for following in others:
                yield self._check(rest)
                rest[:] = following
                until_s = anyio.current_time() + self._limits.body_s
            self._check(rest)
            if not chunk:
                return

    def _check(self, line: bytearray) -> bytes:
        if len(line) > self._max_line_bytes:
            raise HTTPException(413, f"a line is longer than {self._max_line_bytes:,} bytes")
        return bytes(line)

    async def _fill(self, slot: _Slot, number: int, line: bytes, room: anyio.Semaphore) -> None:
        """Compute the record of one line, or its error."""
        try:
            slot.line = await answer_line(self._context, number, parse(self._context, line))
        finally:
            self._waiting_bytes += len(slot.line)
            slot.done.set()
            room.release()

    async def _write(self, get: MemoryObjectReceiveStream[_Slot], send: Send) -> None:
        """Send the records in order, as soon as they are ready."""
        async with get:
            async for slot in get:
                await slot.done.wait()
                with anyio.fail_after(self._limits.response_s):
                    await send({"type": "http.response.body", "body": slot.line, "more_body": True})
                self._waiting_bytes -= len(slot.line)
                self._drained.set()
