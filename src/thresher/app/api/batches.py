"""Batches of the API: many requests in, a record or an error for each out, in the same order.

As lines, of any number, with backpressure: lines are read no faster than they are processed, and
processed no faster than the client reads records: beyond `_MAX_AHEAD_BYTES` of pending records,
reading pauses. Or as one object with a list of pages, for clients that are generated from the
OpenAPI document, and for batches that fit in one request.
"""

from __future__ import annotations

import json
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

from thresher.app.api.requests import load_json, read_values, take_pages, task_of
from thresher.app.context import AppContext, describe, map_all
from thresher.app.engine import label_record, write_record
from thresher.errors import ThresherError, UsageError
from thresher.writers import FORMATS

_MEDIA_TYPE: Final = FORMATS["jsonl"].media_type
_MAX_AHEAD_BYTES: Final = 16 * 2**20
"""Bytes of pending records, some 5,000 pages: the most that a client can send before it reads."""
_AT_WORK: Final = 2
"""Pages in progress per worker, so that no worker waits for the event loop."""


@dataclass(slots=True)
class _Slot:
    """Position of one record in the output."""

    line: bytes = b""
    done: anyio.Event = field(default_factory=anyio.Event)


class BatchResponse(Response):
    """Response that is sent while the request is still being received."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(media_type=_MEDIA_TYPE)
        self._context = context
        self._max_line_bytes = context.settings.max_escaped_bytes
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
        room = anyio.Semaphore(_AT_WORK * self._context.pool.n_worker)
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
                slot = _Slot(_write_error({"line": number + 1}, error) + b"\n")
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
        try:
            slot.line = await _answer_page(self._context, number, line) + b"\n"
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


async def _answer_page(context: AppContext, number: int, sent: object) -> bytes:
    """Return the record or error of a request, which in bytes is yet to be parsed; never raises."""
    pages = context.metrics.pages
    label: dict[str, object] = {"line": number}
    try:
        parsed = read_values(await load_json(context, sent) if isinstance(sent, bytes) else sent)
        label |= parsed.label
        task = await task_of(context, parsed)
        verdict, record = await context.wait_and_work(
            write_record, task, parsed.formats, parsed.options
        )
    except Exception as error:
        pages[type(error).__name__ if isinstance(error, ThresherError) else "Exception"] += 1
        return _write_error(label, error)
    pages[verdict] += 1
    return label_record(label, record)


def _write_error(label: dict[str, object], error: Exception) -> bytes:
    record = {**label, "error": describe(error)}
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "replace")


async def answer_list(context: AppContext, request: Request) -> Response:
    """Extract the pages of a body; each has a record or an error. UsageError for another body."""
    hint = '; send {"pages": [...]}, or lines as application/jsonl'
    batch = await load_json(context, await request.body(), hint)
    if not isinstance(batch, dict) or batch.keys() != {"pages"}:
        raise UsageError('a batch must be {"pages": [...]}; lines are application/jsonl')
    pages = batch["pages"]
    if not isinstance(pages, list):
        raise UsageError("pages must be a list of requests")
    await take_pages(request, len(pages))
    n_at_once = _AT_WORK * context.pool.n_worker
    records = await map_all(
        lambda numbered: _answer_page(context, *numbered), enumerate(pages, 1), n_at_once
    )
    return Response(b'{"records": [%b]}' % b",".join(records), media_type="application/json")
