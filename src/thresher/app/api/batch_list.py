"""Batch as one object: a list of requests in, a list of records out.

For clients that are generated from the OpenAPI document, and for batches that fit in one request.
"""

from __future__ import annotations

import json
from typing import Any, Final

import anyio
from starlette.requests import Request
from starlette.responses import Response

from thresher.app.api.batch_line import answer_line
from thresher.app.api.requests import LARGE_BYTES, ApiRequest, read_values, take_pages
from thresher.app.context import AppContext
from thresher.errors import UsageError

__all__ = ["answer_list"]

_PAGES_A_WORKER: Final = 2
"""Pages in progress per worker, so that no worker waits for the event loop."""


async def answer_list(context: AppContext, request: Request) -> Response:
    """Extract the pages of a body; each has a record or an error. UsageError for another body."""
    body = await request.body()
    if len(body) <= LARGE_BYTES:
        pages = _load(body)
    else:
        pages = await context.wait_and_work(_load, body)
    await take_pages(request, len(pages))
    lines = [b""] * len(pages)
    room = anyio.Semaphore(_PAGES_A_WORKER * context.pool.n_worker)

    async def answer(index: int) -> None:
        try:
            lines[index] = await answer_line(context, index + 1, _read(pages[index]))
        finally:
            room.release()

    async with anyio.create_task_group() as group:
        for index in range(len(pages)):
            await room.acquire()
            group.start_soon(answer, index)
    records = b",".join(line.rstrip() for line in lines)
    return Response(b'{"records": [%b]}' % records, media_type="application/json")


async def _read(values: object) -> ApiRequest:
    return read_values(values)


def _load(body: bytes) -> list[Any]:
    """Parse a body; UsageError if it is not an object with a list of pages."""
    try:
        batch = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f'invalid JSON: {error}; send {{"pages": [...]}}, or lines as application/jsonl'
        ) from None
    if not isinstance(batch, dict) or batch.keys() != {"pages"}:
        raise UsageError('a batch must be {"pages": [...]}; lines are application/jsonl')
    if not isinstance(batch["pages"], list):
        raise UsageError("pages must be a list of requests")
    return batch["pages"]
